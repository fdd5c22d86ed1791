package io.sluice.lab.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.neonvm.api.KubernetesConnection;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an API server does with requests and limits of a pod: what the driver of pods relies on. */
public abstract class PodResizeContract {
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String JSON_PATCH = "application/json-patch+json";
    private static final String SIZE = """
        {"requests":{"cpu":"%1$s","memory":"128Mi"},"limits":{"cpu":"%2$s","memory":"256Mi"}}\
        """;
    private static final String FENCE = "/metadata/annotations/fence";

    private KubernetesClient client;
    private RawApi raw;
    private String path;
    private JsonNode made;

    @BeforeEach
    void create(KubernetesConfig server) {
        client = KubernetesConnection.open(server);
        raw = new RawApi(client);
        raw.post("/api/v1/nodes", """
            {"apiVersion":"v1","kind":"Node","metadata":{"name":"no-kubelet"},
             "status":{"capacity":{"cpu":"2","memory":"4Gi"},"allocatable":{"cpu":"2","memory":"4Gi"}}}\
            """);
        var name = "resized-" + UUID.randomUUID().toString().substring(0, 8);
        path = PODS + "/" + name;
        var answer = raw.post(PODS, """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","annotations":{"fence":"r1/1"}},
             "spec":{"nodeName":"no-kubelet","containers":[
               {"name":"main","image":"example/main:1","resources":%s},
               {"name":"side","image":"example/side:1","resources":{"requests":{"cpu":"10m","memory":"16Mi"}}}]}}\
            """.formatted(name, SIZE.formatted("100m", "200m")));
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(201);
        made = answer.body();
    }

    @AfterEach
    void close() {
        client.close();
    }

    private JsonNode present() {
        return raw.get(path).body();
    }

    private RawApi.Reply resize(String operations) {
        return raw.patch(path + "/resize", JSON_PATCH, "[" + operations + "]");
    }

    private static String test(String at, String value) {
        return "{\"op\":\"test\",\"path\":\"%s\",\"value\":\"%s\"}".formatted(at, value);
    }

    private static String replace(String resources) {
        return "{\"op\":\"replace\",\"path\":\"/spec/containers/0/resources\",\"value\":%s}".formatted(resources);
    }

    private static String cpus(JsonNode pod) {
        var resources = pod.at("/spec/containers/0/resources");
        return resources.at("/requests/cpu").asText() + " "
                + resources.at("/limits/cpu").asText();
    }

    @Test
    void aResizeTakesRequestsAndLimitsAndNothingElse() {
        var answer = resize(test(
                        "/metadata/resourceVersion",
                        made.at("/metadata/resourceVersion").asText())
                + "," + test(FENCE, "r1/1")
                + "," + replace(SIZE.formatted("150m", "300m"))
                + ",{\"op\":\"replace\",\"path\":\"" + FENCE + "\",\"value\":\"r1/2\"}"
                + ",{\"op\":\"add\",\"path\":\"/metadata/labels\",\"value\":{\"one\":\"more\"}}"
                + ",{\"op\":\"replace\",\"path\":\"/spec/containers/0/image\",\"value\":\"example/main:2\"}");

        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        assertThat(present()).isEqualTo(answer.body());
        assertThat(cpus(present())).isEqualTo("150m 300m");
        assertThat(present().at("/metadata/annotations/fence").asText()).isEqualTo("r1/1");
        assertThat(present().at("/metadata/labels").isMissingNode()).isTrue();
        assertThat(present().at("/spec/containers/0/image").asText()).isEqualTo("example/main:1");
        assertThat(present().at("/metadata/resourceVersion")).isNotEqualTo(made.at("/metadata/resourceVersion"));
        assertThat(present().at("/metadata/generation").asLong())
                .isEqualTo(made.at("/metadata/generation").asLong() + 1);
        assertThat(present().at("/status/qosClass").asText()).isEqualTo("Burstable");
    }

    @ParameterizedTest
    @CsvSource({"/metadata/resourceVersion, 1", "/metadata/uid, another", FENCE + ", r2/1"})
    void aResizeOfAPodThatIsNotAsItWasReadIsRefused(String at, String value) {
        var answer = resize(test(at, value) + "," + replace(SIZE.formatted("150m", "300m")));

        assertThat(answer.status()).isEqualTo(422);
        assertThat(present()).isEqualTo(made);
    }

    @Test
    void anotherWriteChangesTheVersionThatAResizeTests() {
        var version = made.at("/metadata/resourceVersion").asText();
        raw.patch(path, JSON_PATCH, "[{\"op\":\"replace\",\"path\":\"" + FENCE + "\",\"value\":\"r1/2\"}]");

        assertThat(resize(test("/metadata/resourceVersion", version) + "," + replace(SIZE.formatted("150m", "300m")))
                        .status())
                .isEqualTo(422);
        assertThat(cpus(present())).isEqualTo("100m 200m");
    }

    @Test
    void aPatchTestsTheGenerationThatAResizeMade() {
        resize(replace(SIZE.formatted("150m", "300m")));
        var generation = present().at("/metadata/generation");
        var next = "{\"op\":\"replace\",\"path\":\"" + FENCE + "\",\"value\":\"r1/2\"}";

        var answer = raw.patch(
                path,
                JSON_PATCH,
                "[{\"op\":\"test\",\"path\":\"/metadata/generation\",\"value\":" + generation + "}," + next + "]");

        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    }

    @Test
    void aResizeBeyondTheNodeIsForbidden() {
        var answer = resize(replace(SIZE.formatted("1995m", "3")));

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.body().path("message").asText())
                .contains("node didn't have enough allocatable resources: cpu, requested: 2005, allocatable: 2000");
        assertThat(present()).isEqualTo(made);
    }

    @Test
    void anOrdinaryPatchChangesNoSize() {
        var answer = raw.patch(path, JSON_PATCH, "[" + replace(SIZE.formatted("150m", "300m")) + "]");

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.body().path("message").asText()).contains("pod updates may not change fields other than");
        assertThat(present()).isEqualTo(made);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{} | Pod QOS Class may not change as a result of resizing",
                "{\"requests\":{\"cpu\":\"300m\",\"memory\":\"128Mi\"},\"limits\":{\"cpu\":\"200m\",\"memory\":\"256Mi\"}}"
                    + " | must be less than or equal to cpu limit",
                "{\"requests\":{\"cpu\":\"100m\",\"memory\":\"128Mi\",\"ephemeral-storage\":\"1Gi\"},"
                        + "\"limits\":{\"cpu\":\"200m\",\"memory\":\"256Mi\"}}"
                        + " | only cpu and memory resources are mutable"
            })
    void aSizeThatNoPodMayBecomeIsRefused(String resources, String reason) {
        var answer = raw.patch(
                path + "/resize",
                JSON_PATCH,
                "[" + replace(resources)
                        + ",{\"op\":\"replace\",\"path\":\"/spec/containers/1/resources\",\"value\":%s}]"
                                .formatted(resources.equals("{}") ? "{}" : made.at("/spec/containers/1/resources")));

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.body().path("message").asText()).contains(reason);
        assertThat(present()).isEqualTo(made);
    }
}
