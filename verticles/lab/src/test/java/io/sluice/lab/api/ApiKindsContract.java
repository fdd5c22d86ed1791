package io.sluice.lab.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.neonvm.api.KubernetesConnection;
import java.time.Duration;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The part of {@link ApiServerContract} about migrations, pods and events. */
public abstract class ApiKindsContract {
    static final String MERGE_PATCH = "application/merge-patch+json";
    private static final String MIGRATIONS = "/apis/vm.neon.tech/v1/namespaces/default/virtualmachinemigrations";
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String EVENTS = "/api/v1/namespaces/default/events";

    /** A busy machine may need long. */
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    KubernetesClient client;
    RawApi raw;
    String name;

    @BeforeAll
    static void isPatient() {
        Awaitility.setDefaultTimeout(TIMEOUT);
    }

    @BeforeEach
    void open(KubernetesConfig server) {
        client = KubernetesConnection.open(server);
        raw = new RawApi(client);
        name = "contract-" + UUID.randomUUID().toString().substring(0, 8);
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void deletesOnlyTheMigrationThatIsMeant() {
        var uid = createMigration("[]").at("/metadata/uid").asText();
        var path = MIGRATIONS + "/" + name;

        var other = raw.delete(path, "{\"preconditions\":{\"uid\":\"another\"}}");
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.body().path("reason").asText()).isEqualTo("Conflict");
        assertThat(raw.delete(path, "{\"preconditions\":{\"uid\":\"%s\"}}".formatted(uid))
                        .status())
                .isEqualTo(200);
        assertThat(raw.get(path).status()).isEqualTo(404);
    }

    @Test
    void refusesAPatchForAnotherUidAndNamesTheField() {
        createMigration("[]");

        var refused = raw.patch(MIGRATIONS + "/" + name, MERGE_PATCH, "{\"metadata\":{\"uid\":\"another\"}}");

        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.body().at("/details/causes/0/field").asText()).isEqualTo("metadata.uid");
    }

    @Test
    void keepsAMigrationThatIsDeletedUntilItsFinalizersAreGone() {
        createMigration("[\"vm.neon.tech/finalizer\"]");
        var path = MIGRATIONS + "/" + name;

        assertThat(raw.delete(path, "").status()).isEqualTo(200);
        var marked = raw.get(path).body();
        assertThat(marked.at("/metadata/deletionTimestamp").asText()).endsWith("Z");
        assertThat(raw.delete(path, "").status()).isEqualTo(200);
        assertThat(raw.get(path).body()).isEqualTo(marked);

        raw.patch(path, MERGE_PATCH, "{\"metadata\":{\"finalizers\":[]}}");
        assertThat(raw.get(path).status()).isEqualTo(404);
    }

    @Test
    void takesNoNewFinalizerForWhatIsBeingDeleted() {
        createMigration("[\"vm.neon.tech/finalizer\"]");
        var path = MIGRATIONS + "/" + name;
        raw.delete(path, "");

        var refused = raw.patch(
                path,
                MERGE_PATCH,
                "{\"metadata\":{\"finalizers\":[\"vm.neon.tech/finalizer\",\"example.org/other\"]}}");

        assertThat(refused.status()).isEqualTo(422);
        raw.patch(path, MERGE_PATCH, "{\"metadata\":{\"finalizers\":[]}}");
    }

    @Test
    void keepsTheStatusOfAMigrationApart() {
        assertThat(createMigration("[]").path("status").path("phase").asText()).isEmpty();
        var path = MIGRATIONS + "/" + name;

        raw.patch(path, MERGE_PATCH, "{\"status\":{\"phase\":\"Pending\"}}");
        assertThat(raw.get(path).body().at("/status/phase").asText()).isEmpty();

        raw.patch(path + "/status", MERGE_PATCH, "{\"status\":{\"phase\":\"Pending\"}}");
        assertThat(raw.get(path).body().at("/status/phase").asText()).isEqualTo("Pending");
        assertThat(raw.get(path).body().at("/spec/vmName").asText()).isEqualTo("db");
    }

    @Test
    void listsMigrationsByLabel() {
        createMigration("[]");

        var mine = raw.get(MIGRATIONS + "?labelSelector=contract%3D" + name).body();
        var others =
                raw.get(MIGRATIONS + "?labelSelector=contract%3Dother-" + name).body();

        assertThat(mine.path("items")).hasSize(1);
        assertThat(others.path("items")).isEmpty();
    }

    @Test
    void refusesAMigrationWithTwoControllers() {
        createMigration("[]");
        var path = MIGRATIONS + "/" + name;

        var one = raw.patch(path, MERGE_PATCH, owners(true, false));
        var two = raw.patch(path, MERGE_PATCH, owners(true, true));
        var made = raw.post(
                MIGRATIONS,
                one.body()
                        .toString()
                        .replace("\"controller\":false", "\"controller\":true")
                        .replace("\"name\":\"" + name + "\"", "\"name\":\"" + name + "-2\"")
                        .replaceAll("\"resourceVersion\":\"\\d+\",?", ""));

        assertThat(one.status()).isEqualTo(200);
        assertThat(two.status()).isEqualTo(422);
        assertThat(made.status()).isEqualTo(422);
        assertThat(raw.get(path).body()).isEqualTo(one.body());
    }

    @Test
    void bindsAPodByItsName() {
        raw.post(PODS, """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s"},
             "spec":{"containers":[{"name":"main","image":"example/main:1"}]}}\
            """.formatted(name));
        var path = PODS + "/" + name;
        var target = "\"target\":{\"kind\":\"Node\",\"name\":\"node-a\"}}";

        var nameless = raw.post(path + "/binding", "{" + target);
        var another = raw.post(path + "/binding", "{\"metadata\":{\"name\":\"other\"}," + target);
        assertThat(nameless.status()).as(nameless.body().toString()).isEqualTo(400);
        assertThat(another.status()).as(another.body().toString()).isEqualTo(400);
        assertThat(raw.get(path).body().at("/spec/nodeName").asText()).isEmpty();

        var named = "{\"metadata\":{\"name\":\"" + name + "\"}," + target;
        assertThat(raw.post(path + "/binding", named).status()).isEqualTo(201);
        assertThat(raw.get(path).body().at("/spec/nodeName").asText()).isEqualTo("node-a");
        assertThat(raw.post(path + "/binding", named.replace("node-a", "node-b"))
                        .status())
                .isEqualTo(409);
        raw.delete(path + "?gracePeriodSeconds=0", "");
    }

    @Test
    void givesPodsTheirClassOfService() {
        assertThat(qosClass("{}")).isEqualTo("BestEffort");
        assertThat(qosClass("{\"requests\":{\"cpu\":\"1\"}}")).isEqualTo("Burstable");
        assertThat(qosClass("{\"limits\":{\"cpu\":\"1\"}}")).isEqualTo("Burstable");
        var both = "{\"cpu\":\"1\",\"memory\":\"1Gi\"}";
        assertThat(qosClass("{\"limits\":%s,\"requests\":%s}".formatted(both, both)))
                .isEqualTo("Guaranteed");
        assertThat(qosClass("{\"limits\":%s,\"requests\":{\"cpu\":\"500m\"}}".formatted(both)))
                .isEqualTo("Burstable");
    }

    private String qosClass(String resources) {
        var created = raw.post(PODS, """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s"},
             "spec":{"containers":[{"name":"main","image":"example/main:1","resources":%s}]}}\
            """.formatted(name, resources));
        raw.delete(PODS + "/" + name + "?gracePeriodSeconds=0", "");
        return created.body().at("/status/qosClass").asText();
    }

    /** Sluice changes annotations of pods this way, as a smaller right is enough for it. */
    @Test
    void takesAnnotationsOfAPodWithItsStatus() {
        raw.post(PODS, """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s"},
             "spec":{"containers":[{"name":"main","image":"example/main:1"}]}}\
            """.formatted(name));
        var path = PODS + "/" + name;

        var patched = raw.patch(path + "/status", MERGE_PATCH, """
            {"metadata":{"annotations":{"contract":"now"}},"spec":{"priority":7}}\
            """);

        assertThat(patched.body().at("/metadata/annotations/contract").asText()).isEqualTo("now");
        assertThat(patched.body().at("/spec/priority").asInt()).isNotEqualTo(7);
        raw.delete(path + "?gracePeriodSeconds=0", "");
    }

    @Test
    void keepsEventsAboutObjects() {
        var made = raw.post(EVENTS, event("default"));
        assertThat(made.status()).isEqualTo(201);

        var again = raw.patch(EVENTS + "/" + name, MERGE_PATCH, "{\"count\":2}");

        assertThat(again.body().path("count").asInt()).isEqualTo(2);
        assertThat(again.body().path("reason").asText()).isEqualTo("Denied");
        var about =
                raw.get(EVENTS + "?fieldSelector=involvedObject.name%3D" + name).body();
        assertThat(about.path("items")).hasSize(1);
        assertThat(raw.patch(EVENTS + "/" + name + "/status", MERGE_PATCH, "{}").status())
                .isEqualTo(404);
    }

    @Test
    void refusesAnEventAboutAnObjectOfAnotherNamespace() {
        assertThat(raw.post(EVENTS, event("elsewhere")).status()).isEqualTo(422);
    }

    @Test
    void makesUpANameFromItsBeginning() {
        var named = "\"name\":\"" + name + "\",\"namespace\"";
        var begun = "\"generateName\":\"" + name + ".\",\"namespace\"";

        var made = raw.post(EVENTS, event("default").replaceFirst(named, begun));

        assertThat(made.status()).isEqualTo(201);
        assertThat(made.body().at("/metadata/name").asText())
                .startsWith(name + ".")
                .hasSizeGreaterThan(name.length() + 1);
    }

    private JsonNode createMigration(String finalizers) {
        var created = raw.post(MIGRATIONS, """
            {"apiVersion":"vm.neon.tech/v1","kind":"VirtualMachineMigration",
             "metadata":{"name":"%s","labels":{"contract":"%s"},"finalizers":%s},
             "spec":{"vmName":"db","preventMigrationToSameHost":true,"completionTimeout":3600,"incremental":true,
               "autoConverge":true,"maxBandwidth":"1Gi","allowPostCopy":false}}\
            """.formatted(name, name, finalizers));
        assertThat(created.status()).isEqualTo(201);
        return created.body();
    }

    private String owners(boolean first, boolean second) {
        return "{\"metadata\":{\"ownerReferences\":[" + owner("u1", first) + "," + owner("u2", second) + "]}}";
    }

    private static String owner(String uid, boolean controller) {
        return """
            {"apiVersion":"vm.neon.tech/v1","kind":"VirtualMachine","name":"%s","uid":"%s","controller":%s}\
            """.formatted(uid, uid, controller);
    }

    private String event(String namespace) {
        return """
            {"apiVersion":"v1","kind":"Event","metadata":{"name":"%s","namespace":"default"},
             "involvedObject":{"apiVersion":"vm.neon.tech/v1","kind":"VirtualMachine","namespace":"%s","name":"%s"},
             "reason":"Denied","message":"short of room","type":"Normal","count":1,
             "source":{"component":"sluice"},
             "firstTimestamp":"2026-01-02T03:04:05Z","lastTimestamp":"2026-01-02T03:04:05Z"}\
            """.formatted(name, namespace, name);
    }
}
