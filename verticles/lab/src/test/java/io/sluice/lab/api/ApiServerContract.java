package io.sluice.lab.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * What Sluice needs of an API server, independent of the server's implementation. A subclass that provides a client of
 * another server runs the same tests there.
 */
public abstract class ApiServerContract extends ApiKindsContract {
    private static final String VMS = "/apis/vm.neon.tech/v1/namespaces/default/virtualmachines";
    private static final String JSON_PATCH = "application/json-patch+json";
    private static final String FENCE = "/metadata/annotations/internal.autoscaling.sluice.io~1fence";
    private static final ResourceDefinitionContext VM = new ResourceDefinitionContext.Builder()
            .withGroup("vm.neon.tech")
            .withVersion("v1")
            .withPlural("virtualmachines")
            .withKind("VirtualMachine")
            .withNamespaced(true)
            .build();

    @Test
    void createsAnObjectWithUidVersionAndTime() {
        var created = create("{}");

        assertThat(created.at("/metadata/uid").asText()).isNotEmpty();
        assertThat(created.at("/metadata/creationTimestamp").asText()).endsWith("Z");
        assertThat(version(created)).isPositive();
        assertThat(raw.get(path()).body()).isEqualTo(created);
    }

    @Test
    void refusesASecondObjectOfTheSameName() {
        create("{}");

        var again = raw.post(VMS, vm("{}"));

        assertThat(again.status()).isEqualTo(409);
        assertThat(again.body().path("reason").asText()).isEqualTo("AlreadyExists");
    }

    @Test
    void answersNotFoundForWhatIsNotThere() {
        assertThat(raw.get(path()).status()).isEqualTo(404);
        assertThat(raw.patch(path(), MERGE_PATCH, "{}").status()).isEqualTo(404);
        assertThat(raw.delete(path(), "").status()).isEqualTo(404);
    }

    @Test
    void givesEachChangeAHigherVersionAndAListTheHighest() {
        long first = version(create("{}"));
        long second =
                version(raw.patch(path(), MERGE_PATCH, annotation("a", "1")).body());
        var list = raw.get(VMS);

        assertThat(second).isGreaterThan(first);
        assertThat(list.status()).isEqualTo(200);
        assertThat(version(list.body())).isGreaterThanOrEqualTo(second);
        assertThat(list.body().path("items"))
                .anyMatch(item -> name.equals(item.at("/metadata/name").asText()));
    }

    @Test
    void writesNothingForAChangeThatChangesNothing() {
        long before = version(create("{\"a\":\"1\"}"));

        assertThat(version(raw.patch(path(), MERGE_PATCH, annotation("a", "1")).body()))
                .isEqualTo(before);
    }

    @Test
    void refusesAnUpdateOfAnOlderVersion() {
        var read = create("{}");
        raw.patch(path(), MERGE_PATCH, annotation("a", "1"));

        var late = raw.put(path(), read.toString());

        assertThat(late.status()).isEqualTo(409);
        assertThat(raw.get(path()).body().at("/metadata/annotations/a").asText())
                .isEqualTo("1");
    }

    @Test
    void takesAJsonPatchWhenItsTestsHold() {
        var created = create("{\"internal.autoscaling.sluice.io/fence\":\"r/0\"}");
        var uid = created.at("/metadata/uid").asText();

        var patched = raw.patch(path(), JSON_PATCH, """
            [{"op":"test","path":"/metadata/uid","value":"%s"},
             {"op":"test","path":"%s","value":"r/0"},
             {"op":"add","path":"%s","value":"r/1"},
             {"op":"add","path":"/spec/guest/cpus/use","value":"750m"},
             {"op":"add","path":"/spec/targetRevision","value":
               {"revision":{"value":3,"flags":1},"updatedAt":"2026-01-02T03:04:05Z"}}]\
            """.formatted(uid, FENCE, FENCE));

        assertThat(patched.status()).isEqualTo(200);
        assertThat(patched.body().at(FENCE).asText()).isEqualTo("r/1");
        assertThat(patched.body().at("/spec/guest/cpus/use").asText()).isEqualTo("750m");
        assertThat(patched.body().at("/spec/targetRevision/revision/value").asLong())
                .isEqualTo(3);
        assertThat(version(patched.body())).isGreaterThan(version(created));
    }

    @Test
    void refusesAJsonPatchWithAFailingTestAndChangesNothing() {
        var created = create("{\"internal.autoscaling.sluice.io/fence\":\"r/0\"}");

        var refused = raw.patch(path(), JSON_PATCH, """
            [{"op":"add","path":"/spec/guest/cpus/use","value":"750m"},
             {"op":"test","path":"%s","value":"other/0"}]\
            """.formatted(FENCE));

        assertThat(refused.status()).isEqualTo(422);
        assertThat(raw.get(path()).body()).isEqualTo(created);
    }

    @Test
    void refusesAJsonPatchIntoAParentThatIsNotThere() {
        var created = create("");

        var refused =
                raw.patch(path(), JSON_PATCH, "[{\"op\":\"add\",\"path\":\"%s\",\"value\":\"r/0\"}]".formatted(FENCE));

        assertThat(refused.status()).isEqualTo(422);
        assertThat(raw.get(path()).body()).isEqualTo(created);
    }

    @Test
    void takesATestForNullWhereThereIsNothing() {
        create("");

        var parent = raw.patch(path(), JSON_PATCH, """
            [{"op":"test","path":"/metadata/annotations","value":null},
             {"op":"add","path":"/metadata/annotations","value":{}},
             {"op":"test","path":"%s","value":null},
             {"op":"add","path":"%s","value":"r/0"}]\
            """.formatted(FENCE, FENCE));
        var again =
                raw.patch(path(), JSON_PATCH, "[{\"op\":\"test\",\"path\":\"%s\",\"value\":null}]".formatted(FENCE));

        assertThat(parent.status()).isEqualTo(200);
        assertThat(parent.body().at(FENCE).asText()).isEqualTo("r/0");
        assertThat(again.status()).isEqualTo(422);
    }

    @Test
    void letsReplaceSetAnAbsentKeyOfAMapThatIsThere() {
        create("{}");

        var patched = raw.patch(path(), JSON_PATCH, """
            [{"op":"replace","path":"/spec/targetRevision","value":
               {"revision":{"value":1,"flags":0},"updatedAt":"2026-01-02T03:04:05Z"}}]\
            """);

        assertThat(patched.status()).isEqualTo(200);
        assertThat(patched.body().at("/spec/targetRevision/revision/value").asLong())
                .isEqualTo(1);
    }

    @Test
    void keepsSpecAndStatusApart() {
        create("{}");
        var statusAndSpec = "{\"spec\":{\"guest\":{\"cpus\":{\"use\":2}}},\"status\":{\"phase\":\"Running\"}}";

        var main = raw.patch(path(), MERGE_PATCH, statusAndSpec).body();
        assertThat(main.at("/spec/guest/cpus/use").asText()).isEqualTo("2");
        assertThat(main.at("/status/phase").asText()).isEmpty();

        var status = raw.patch(path() + "/status", MERGE_PATCH, statusAndSpec.replace("\"use\":2", "\"use\":4"))
                .body();
        assertThat(status.at("/spec/guest/cpus/use").asText()).isEqualTo("2");
        assertThat(status.at("/status/phase").asText()).isEqualTo("Running");
    }

    @Test
    void deletesOnlyTheObjectWithTheUidThatIsMeant() {
        var uid = create("{}").at("/metadata/uid").asText();

        assertThat(raw.delete(path(), "{\"preconditions\":{\"uid\":\"another\"}}")
                        .status())
                .isEqualTo(409);
        assertThat(raw.delete(path(), "{\"preconditions\":{\"uid\":\"%s\"}}".formatted(uid))
                        .status())
                .isEqualTo(200);
        assertThat(raw.get(path()).status()).isEqualTo(404);
    }

    @Test
    void refusesWhatIsNoJson() {
        create("{}");

        assertThat(raw.patch(path(), JSON_PATCH, "[{").status()).isEqualTo(400);
        assertThat(raw.patch(path(), JSON_PATCH, "{}").status()).isEqualTo(400);
        assertThat(raw.post(VMS, "{").status()).isEqualTo(400);
    }

    @Test
    void goesOnWithAWatchWhereAnotherStopped() {
        long from = version(create("{}"));
        raw.patch(path(), MERGE_PATCH, annotation("a", "1"));
        raw.patch(path(), MERGE_PATCH, annotation("a", "2"));
        var observed = new Recorder();

        var watch = vms().watch(from(from), observed);
        try {
            await().untilAsserted(() -> assertThat(observed.mine()).containsExactly("MODIFIED 1", "MODIFIED 2"));
            raw.patch(path(), MERGE_PATCH, annotation("a", "3"));
            raw.delete(path(), "");
            await().untilAsserted(() ->
                    assertThat(observed.mine()).containsExactly("MODIFIED 1", "MODIFIED 2", "MODIFIED 3", "DELETED 3"));
        } finally {
            watch.close();
        }
        assertThat(observed.versions).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void repliesGoneToAWatchFromBeforeItsMemory() {
        create("{}");
        var observed = new Recorder();

        var watch = vms().watch(from(1), observed);
        try {
            await().until(() -> Optional.ofNullable(observed.closed.get())
                    .filter(WatcherException::isHttpGone)
                    .isPresent());
        } finally {
            watch.close();
        }
    }

    @Test
    void watchesOverPlainHttpToo() {
        long from = version(create("{}"));

        var lines = raw.stream(VMS + "?watch=true&resourceVersion=" + from);
        raw.patch(path(), MERGE_PATCH, annotation("a", "1"));

        await().untilAsserted(
                        () -> assertThat(lines).anyMatch(line -> line.contains("\"MODIFIED\"") && line.contains(name)));
    }

    @Test
    void listsByFieldAndLabel() {
        create("{}");
        raw.patch(
                path(),
                MERGE_PATCH,
                "{\"metadata\":{\"labels\":{\"autoscaling.neon.tech/enabled\":\"%s\"}}}".formatted(name));

        var byName =
                raw.get(VMS + "?fieldSelector=metadata.name%3D" + name).body().path("items");
        var byLabel = raw.get(VMS + "?labelSelector=autoscaling.neon.tech%2Fenabled%3D" + name)
                .body()
                .path("items");

        assertThat(byName).hasSize(1);
        assertThat(byLabel).hasSize(1);
        assertThat(raw.get(VMS + "?labelSelector=autoscaling.neon.tech%2Fenabled%3Dother-" + name)
                        .body()
                        .path("items"))
                .isEmpty();
    }

    @Test
    void listsInPagesThatShowOneInstant() {
        var label = "{\"metadata\":{\"labels\":{\"paged\":\"%s\"}}}".formatted(name);
        for (var each : List.of(name + "-a", name + "-b", name + "-c")) {
            raw.post(VMS, vm("{}").replace(name, each));
            raw.patch(VMS + "/" + each, MERGE_PATCH, label);
        }
        var query = VMS + "?limit=2&labelSelector=paged%3D" + name;

        var first = raw.get(query).body();
        raw.delete(VMS + "/" + name + "-c", "");
        var next = first.at("/metadata/continue").asText();
        var second = raw.get(query + "&continue=" + URLEncoder.encode(next, StandardCharsets.UTF_8))
                .body();

        assertThat(names(first)).containsExactly(name + "-a", name + "-b");
        assertThat(names(second)).containsExactly(name + "-c");
        assertThat(version(second)).isEqualTo(version(first));
        assertThat(second.at("/metadata/continue").asText()).isEmpty();
    }

    private static List<String> names(JsonNode list) {
        return list.path("items")
                .valueStream()
                .map(item -> item.at("/metadata/name").asText())
                .toList();
    }

    private MixedOperation<
                    GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            vms() {
        return client.genericKubernetesResources(VM);
    }

    private static ListOptions from(long version) {
        return new ListOptionsBuilder()
                .withResourceVersion(Long.toString(version))
                .build();
    }

    /** @param annotations as JSON; empty for no annotations at all */
    private JsonNode create(String annotations) {
        var created = raw.post(VMS, vm(annotations));
        assertThat(created.status()).isEqualTo(201);
        return created.body();
    }

    private String vm(String annotations) {
        return """
            {"apiVersion":"vm.neon.tech/v1","kind":"VirtualMachine","metadata":{"name":"%s"%s},
             "spec":{"schedulerName":"autoscale-scheduler","guest":{
               "cpus":{"min":"250m","max":4,"use":"250m"},
               "memorySlots":{"min":1,"max":16,"use":1},"memorySlotSize":"1Gi"}}}\
            """.formatted(name, annotations.isEmpty() ? "" : ",\"annotations\":" + annotations);
    }

    private static String annotation(String key, String value) {
        return "{\"metadata\":{\"annotations\":{\"%s\":\"%s\"}}}".formatted(key, value);
    }

    private String path() {
        return VMS + "/" + name;
    }

    private static long version(JsonNode object) {
        return Long.parseLong(object.at("/metadata/resourceVersion").asText());
    }

    /** The events of a watch about this test's object. */
    private final class Recorder implements Watcher<GenericKubernetesResource> {
        private final List<String> events = new CopyOnWriteArrayList<>();
        private final List<Long> versions = new CopyOnWriteArrayList<>();
        private final AtomicReference<WatcherException> closed = new AtomicReference<>();

        @Override
        public void eventReceived(Action action, GenericKubernetesResource vm) {
            if (name.equals(vm.getMetadata().getName())) {
                events.add(action + " " + vm.getMetadata().getAnnotations().get("a"));
                versions.add(Long.parseLong(vm.getMetadata().getResourceVersion()));
            }
        }

        @Override
        public void onClose(WatcherException cause) {
            closed.set(cause);
        }

        List<String> mine() {
            return List.copyOf(events);
        }
    }
}
