package io.sluice.kube.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.KubeScheduler;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.neonvm.core.objects.PodReader;
import io.sluice.units.Resources;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Goal: a pod counts here at what Kubernetes counts it at, to the last milli-CPU and byte. Method: a pod runs on a node
 * with room for the counted amounts and a small pod besides. The kube-scheduler binds the small pod there, and does not
 * if the node has one milli-CPU or one byte less.
 */
@OnKubernetes
class PodsAsKubernetesCountsThemTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Resources SMALL = new Resources(100, 1L << 20);
    private static final Resources PLENTY = new Resources(64_000, 1L << 38);
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final Duration SCHEDULED_MAX = Duration.ofSeconds(180);

    private static ControlPlane plane;
    private static KubernetesClient client;
    private static KubeScheduler scheduler;

    /** How much smaller than needed a node is, and which resource the scheduler then finds insufficient. */
    private enum Room {
        FITS(Resources.NONE, ""),
        CPU(new Resources(1, 0), "Insufficient cpu"),
        MEMORY(new Resources(0, 1), "Insufficient memory");

        private final Resources missing;
        private final String complaint;

        Room(Resources missing, String complaint) {
            this.missing = missing;
            this.complaint = complaint;
        }
    }

    /**
     * A pod on its node.
     *
     * @param name name of the rule
     * @param spec spec of the pod, without its node
     * @param resized containers, or the pod's resources, after a resize; empty without one
     * @param status status as its kubelet writes it; empty without one
     * @param counts expected amounts in milli-CPU and MiB
     */
    private record Rule(String name, String spec, String resized, String status, long milliCpu, long mebi) {
        Resources counts() {
            return new Resources(milliCpu, mebi << 20);
        }

        @Override
        public String toString() {
            return name.replace('-', ' ');
        }
    }

    private static Rule rule(String name, long milliCpu, long mebi, String spec) {
        return new Rule(name, spec, "", "", milliCpu, mebi);
    }

    static Stream<Rule> rules() {
        return Stream.of(
                rule("no-requests", 0, 0, "'containers':[{'name':'a','image':'i'}]"),
                rule("containers-add-up", 350, 30, containers(c("a", "100m", 10), c("b", "0.25", 20))),
                rule(
                        "limits-stand-for-requests",
                        300,
                        16,
                        "'containers':[{'name':'a','image':'i','resources':{'limits':{'cpu':'300m','memory':'16Mi'}}}]"),
                rule(
                        "the-largest-init-container",
                        500,
                        30,
                        inits(c("i", "500m", 5), c("j", "400m", 30)) + "," + containers(c("a", "300m", 10))),
                rule(
                        "a-sidecar-beside-the-containers",
                        450,
                        15,
                        inits(sidecar("s", "150m", 5)) + "," + containers(c("a", "300m", 10))),
                rule(
                        "a-sidecar-beside-later-init-containers",
                        650,
                        15,
                        inits(sidecar("s", "150m", 5), c("i", "500m", 5)) + "," + containers(c("a", "100m", 10))),
                rule(
                        "no-sidecar-beside-earlier-init-containers",
                        500,
                        15,
                        inits(c("i", "500m", 5), sidecar("s", "150m", 5)) + "," + containers(c("a", "100m", 10))),
                rule(
                        "requests-of-the-pod-as-a-whole",
                        900,
                        40,
                        "'resources':{'requests':{'cpu':'900m'}}," + containers(c("a", "100m", 40))),
                rule(
                        "overhead-on-top",
                        1030,
                        47,
                        "'runtimeClassName':'heavy','resources':{'requests':{'cpu':'900m'}},"
                                + containers(c("a", "100m", 40))),
                new Rule(
                        "resized-up-and-not-done-yet",
                        containers(c("a", "100m", 10)),
                        containers(c("a", "700m", 30)),
                        "'containerStatuses':[" + status("a", "100m", 10, "100m", 10) + "]",
                        700,
                        30),
                new Rule(
                        "resized-up-and-waiting",
                        containers(c("a", "100m", 10)),
                        containers(c("a", "700m", 30)),
                        pending("Deferred") + ",'containerStatuses':[" + status("a", "100m", 10, "100m", 10) + "]",
                        700,
                        30),
                new Rule(
                        "resized-up-and-refused",
                        containers(c("a", "100m", 10)),
                        containers(c("a", "700m", 30)),
                        pending("Infeasible") + ",'containerStatuses':[" + status("a", "100m", 10, "100m", 10) + "]",
                        100,
                        10),
                new Rule(
                        "resized-down-and-not-in-force-yet",
                        containers(c("a", "700m", 30), c("b", "50m", 5)),
                        containers(c("a", "100m", 10), c("b", "50m", 5)),
                        "'containerStatuses':[" + status("a", "100m", 10, "600m", 25) + ","
                                + status("b", "50m", 5, "50m", 5) + "]",
                        650,
                        30),
                new Rule(
                        "resized-down-and-not-allocated-yet",
                        containers(c("a", "700m", 30)),
                        containers(c("a", "100m", 10)),
                        "'containerStatuses':[" + status("a", "700m", 30, "700m", 30) + "]",
                        700,
                        30),
                new Rule(
                        "a-sidecar-resized-up",
                        inits(sidecar("s", "150m", 5)) + "," + containers(c("a", "100m", 10)),
                        inits(sidecar("s", "250m", 5)) + "," + containers(c("a", "100m", 10)),
                        "'initContainerStatuses':[" + status("s", "150m", 5, "150m", 5) + "],'containerStatuses':["
                                + status("a", "100m", 10, "100m", 10) + "]",
                        350,
                        15),
                new Rule(
                        "the-pod-as-a-whole-not-resized-down-yet",
                        "'resources':{'requests':{'cpu':'400m'}}," + containers(c("a", "100m", 10)),
                        "",
                        "'resources':{'requests':{'cpu':'900m'}},'allocatedResources':{'cpu':'400m'}",
                        900,
                        10),
                new Rule("ended-well", containers(c("a", "700m", 30)), "", "'phase':'Succeeded'", 0, 0),
                new Rule("failed", containers(c("a", "700m", 30)), "", "'phase':'Failed'", 0, 0),
                rule("being-deleted", 700, 30, containers(c("a", "700m", 30))));
    }

    private static String containers(String... containers) {
        return "'containers':[" + String.join(",", containers) + "]";
    }

    private static String inits(String... containers) {
        return "'initContainers':[" + String.join(",", containers) + "]";
    }

    private static String c(String name, String cpu, int mebi) {
        return "{'name':'%s','image':'i',%s}".formatted(name, requests(cpu, mebi));
    }

    private static String sidecar(String name, String cpu, int mebi) {
        return "{'restartPolicy':'Always'," + c(name, cpu, mebi).substring(1);
    }

    private static String requests(String cpu, int mebi) {
        return "'resources':{'requests':{'cpu':'%s','memory':'%dMi'}}".formatted(cpu, mebi);
    }

    private static String status(String name, String allocated, int allocatedMebi, String inForce, int inForceMebi) {
        return """
            {'name':'%s','image':'i','imageID':'i','ready':true,'restartCount':0,
             'allocatedResources':{'cpu':'%s','memory':'%dMi'},%s}\
            """.formatted(name, allocated, allocatedMebi, requests(inForce, inForceMebi));
    }

    private static String pending(String reason) {
        return "'conditions':[{'type':'PodResizePending','status':'True','reason':'%s'}]".formatted(reason);
    }

    @BeforeAll
    static void start(@TempDir Path folder) {
        plane = ControlPlane.start(folder);
        client = KubernetesConnection.open(plane.admin());
        await().atMost(SCHEDULED_MAX)
                .ignoreExceptions()
                .until(() -> get("/api/v1/namespaces/default").has("metadata"));
        post("/apis/node.k8s.io/v1/runtimeclasses", """
            {'metadata':{'name':'heavy'},'handler':'h','overhead':{'podFixed':{'cpu':'130m','memory':'7Mi'}}}\
            """);
        rules().forEach(rule -> List.of(Room.values()).forEach(room -> set(rule, room)));
        scheduler = KubeScheduler.start(plane.admin(), folder);
    }

    @AfterAll
    static void stop() {
        scheduler.close();
        client.close();
        plane.close();
    }

    private static String node(Rule rule, Room room) {
        return rule.name + "-" + room.name().toLowerCase(Locale.ROOT);
    }

    /** Creates the pod on its node, bound by the test, and the small one that only that node may take. */
    private static void set(Rule rule, Room room) {
        var node = node(rule, room);
        post("/api/v1/nodes", """
            {'metadata':{'name':'%1$s','labels':{'only':'%1$s'}},
             'status':{'allocatable':%2$s,'conditions':[{'type':'Ready','status':'True'}]}}\
            """.formatted(node, allocatable(PLENTY)));
        post(PODS, "{'metadata':{'name':'%1$s'},'spec':{'nodeName':'%1$s',%2$s}}".formatted(node, rule.spec));
        var pod = PODS + "/" + node;
        if (!rule.resized.isEmpty()) {
            merge(pod, "/resize", "spec", rule.resized);
        }
        if (!rule.status.isEmpty()) {
            merge(pod, "/status", "status", rule.status);
        }
        if (rule.name.equals("being-deleted")) {
            client.raw(pod, "DELETE", null);
        }
        // Only now: the API server refuses resizes beyond what the node has.
        var left = rule.counts().plus(SMALL).minus(room.missing);
        merge("/api/v1/nodes/" + node, "/status", "status", "'allocatable':" + allocatable(left));
        post(PODS, """
            {'metadata':{'name':'small-%1$s'},'spec':{'nodeSelector':{'only':'%1$s'},'containers':[{'name':'a','image':'i',
             'resources':{'requests':{'cpu':'%2$dm','memory':'%3$d'}}}]}}\
            """.formatted(node, SMALL.milliCpu(), SMALL.memoryBytes()));
    }

    private static String allocatable(Resources size) {
        return "{'cpu':'%dm','memory':'%d','pods':'9'}".formatted(size.milliCpu(), size.memoryBytes());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rules")
    void countsAsTheScheduler(Rule rule) {
        assertThat(counted(get(PODS + "/" + node(rule, Room.FITS)))).isEqualTo(rule.counts());
        for (var room : Room.values()) {
            await(node(rule, room))
                    .atMost(SCHEDULED_MAX)
                    .until(() -> get(PODS + "/small-" + node(rule, room)), pod -> isDecided(pod, room));
        }
    }

    private static Resources counted(JsonNode pod) {
        return PodReader.counts(pod) ? PodReader.read(pod).observed().amounts() : Resources.NONE;
    }

    private static boolean isDecided(JsonNode pod, Room room) {
        boolean bound = pod.path("spec").has("nodeName");
        if (room == Room.FITS) {
            return bound;
        }
        assertThat(bound).as("bound, though it does not fit").isFalse();
        for (var condition : pod.path("status").path("conditions")) {
            if (condition.path("message").asText().contains(room.complaint)) {
                return true;
            }
        }
        return false;
    }

    private static void merge(String pod, String subresource, String field, String news) {
        var whole = (ObjectNode) get(pod);
        whole.withObject("/" + field).setAll((ObjectNode) json("{" + news + "}"));
        client.raw(pod + subresource, "PUT", whole.toString());
    }

    private static JsonNode get(String path) {
        return json(Optional.ofNullable(client.raw(path)).orElse("{}"));
    }

    private static void post(String path, String body) {
        client.raw(path, "POST", json(body).toString());
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text.startsWith("{\"") ? text : text.replace('\'', '"'));
        } catch (JsonProcessingException noJson) {
            throw new UncheckedIOException(noJson);
        }
    }
}
