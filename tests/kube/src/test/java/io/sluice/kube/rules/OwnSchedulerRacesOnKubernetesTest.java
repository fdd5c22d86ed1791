package io.sluice.kube.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.kube.SchedulerProcess;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.Meddler;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.lab.api.RawApi;
import io.sluice.neonvm.api.KubernetesConnection;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: what the ledger does not count is not broken by a bind that a process sent before it was paused, and that
 * arrives when another process has placed other pods. Method: two processes of the distribution. For each rule the
 * first one sends the bind of a pod, which is held back on its way, and is frozen; the second one takes the Lease over
 * and places a pod that conflicts with it; then the bind arrives, and the first process goes on. Nothing but the touch
 * of pods that wait may stop that bind, so the second process is kept from writing reasons to them.
 */
@OnKubernetes
class OwnSchedulerRacesOnKubernetesTest {
    private static final Duration WITHIN = Duration.ofSeconds(120);
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String SCHEDULER = "sluice-own";
    private static final int CONFLICT = 409;
    private static final String PRIORITY = "before-others";
    private static final Duration SILENCE = Duration.ofSeconds(60);
    private static final JsonObject LEASE = new JsonObject().put("duration", "4s");
    private static final JsonObject PLACEMENT = new JsonObject().put("schedulerName", SCHEDULER);
    private static final String LEADS = "sluice_scheduler_leads 1.0";

    private static ControlPlane plane;
    private static KubernetesClient client;
    private static RawApi raw;
    private static List<Integer> late;

    /** A rule, and what each of two pods has so that they cannot be on one node together. */
    private enum Rule {
        HOST_PORT("", "", "'ports':[{'containerPort':80,'hostPort':8080}],"),
        ANTI_AFFINITY("'labels':{'app':'apart'}", """
            'affinity':{'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{'topologyKey':
              'kubernetes.io/hostname','labelSelector':{'matchLabels':{'app':'apart'}}}]}},\
            """, ""),
        SPREAD("'labels':{'app':'spread'}", """
            'topologySpreadConstraints':[{'whenUnsatisfiable':'DoNotSchedule','maxSkew':1,'nodeAffinityPolicy':'Ignore',
              'topologyKey':'kubernetes.io/hostname','labelSelector':{'matchLabels':{'app':'spread'}}}],\
            """, ""),
        ATTACH_LIMIT("", "'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'#pod'}}],", "");

        private final String metadata;
        private final String spec;
        private final String container;

        Rule(String metadata, String spec, String container) {
            this.metadata = metadata;
            this.spec = spec;
            this.container = container;
        }

        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        String node() {
            return "node-" + word();
        }

        String latePod() {
            return "late-" + word();
        }

        String firstPod() {
            return "first-" + word();
        }

        void create(String name, String more) {
            created(
                    PODS,
                    ("{'metadata':{'name':'" + name + "'" + (metadata.isEmpty() ? "" : "," + metadata) + "},'spec':{"
                                    + more + spec + "'schedulerName':'" + SCHEDULER + "','nodeSelector':{'only':'"
                                    + word() + "'},'containers':[{'name':'c'," + container
                                    + "'image':'none','resources':{'requests':{'cpu':'100m','memory':'100Mi'}}}]}}")
                            .replace("#pod", name));
        }
    }

    @BeforeAll
    static void playTheHistory(@TempDir Path folder) {
        plane = ControlPlane.start(folder);
        client = KubernetesConnection.open(plane.admin());
        raw = new RawApi(client);
        createObjects();
        try (var slow = new Meddler(plane.admin());
                var mute = new Meddler(plane.admin());
                var first = SchedulerProcess.placing(folder, slow.config(SILENCE), "127.0.0.2", PLACEMENT, LEASE)) {
            await().atMost(WITHIN).until(() -> first.ops("/metrics"), metrics -> metrics.contains(LEADS));
            slow.delay(line -> line.startsWith("POST ") && line.contains("/late-") && line.endsWith("/binding"));
            each().forEach(rule -> rule.create(rule.latePod(), ""));
            await().atMost(WITHIN).until(slow::delayed, delayed -> delayed.size() == Rule.values().length);
            first.pause();

            mute.refuse(uri -> uri.matches(".*/pods/late-[a-z-]+(\\?.*)?"), 500, "", Integer.MAX_VALUE);
            each().forEach(rule -> rule.create(rule.firstPod(), "'priorityClassName':'" + PRIORITY + "',"));
            try (var second = SchedulerProcess.placing(folder, mute.config(SILENCE), "127.0.0.3", PLACEMENT, LEASE)) {
                each().forEach(rule ->
                        await().atMost(WITHIN).until(() -> node(rule.firstPod()), node -> node.equals(rule.node())));
                late = slow.passDelayed();
                first.goOn();
                await().atMost(WITHIN)
                        .until(() -> first.hasEnded() || !first.ops("/metrics").contains(LEADS));
                mute.heal();
                each().map(Rule::latePod)
                        .forEach(pod -> await().atMost(WITHIN)
                                .until(() -> isReported(pod) || !node(pod).isEmpty()));
                assertThat(second.ops("/metrics")).contains(LEADS);
            }
        }
    }

    private static Stream<Rule> each() {
        return Stream.of(Rule.values());
    }

    @AfterAll
    static void stop() {
        client.close();
        plane.close();
    }

    @ParameterizedTest
    @EnumSource(Rule.class)
    void theLateBindOfAnEarlierTermIsRefused(Rule rule) {
        assertThat(late).hasSize(Rule.values().length).containsOnly(CONFLICT);
        assertThat(node(rule.firstPod())).isEqualTo(rule.node());
        assertThat(node(rule.latePod())).isEmpty();
    }

    private static void createObjects() {
        created("/apis/scheduling.k8s.io/v1/priorityclasses", "{'metadata':{'name':'" + PRIORITY + "'},'value':1000}");
        each().forEach(rule -> createNode(rule.node(), rule.word()));
        // Pods are spread over this one too, and none of them may run there.
        createNode("node-empty", "nothing");
        created(
                "/apis/storage.k8s.io/v1/csinodes",
                "{'metadata':{'name':'" + Rule.ATTACH_LIMIT.node() + "'},'spec':{'drivers':[{'name':'csi.example.com',"
                        + "'nodeID':'n','allocatable':{'count':1}}]}}");
        createVolume(Rule.ATTACH_LIMIT.latePod());
        createVolume(Rule.ATTACH_LIMIT.firstPod());
    }

    private static void createNode(String name, String only) {
        created(
                "/api/v1/nodes",
                "{'metadata':{'name':'" + name + "','labels':{'only':'" + only + "','kubernetes.io/hostname':'" + name
                        + "'}},'status':{'allocatable':{'cpu':'4','memory':'16Gi','pods':'110'},"
                        + "'conditions':[{'type':'Ready','status':'True'}]}}");
    }

    private static void createVolume(String name) {
        created(
                "/api/v1/persistentvolumes",
                "{'metadata':{'name':'" + name + "'},'spec':{'capacity':{'storage':'1Gi'},'accessModes':"
                        + "['ReadWriteOnce'],'claimRef':{'namespace':'default','name':'" + name
                        + "'},'csi':{'driver':'csi.example.com','volumeHandle':'h-" + name + "'}}}");
        created(
                "/api/v1/namespaces/default/persistentvolumeclaims",
                "{'metadata':{'name':'" + name + "'},'spec':{'accessModes':['ReadWriteOnce'],'storageClassName':'',"
                        + "'volumeName':'" + name + "','resources':{'requests':{'storage':'1Gi'}}}}");
    }

    private static void created(String path, String object) {
        var made = raw.post(path, object.replace('\'', '"'));
        assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
    }

    private static String node(String pod) {
        return raw.get(PODS + "/" + pod).body().at("/spec/nodeName").asText("");
    }

    private static boolean isReported(String pod) {
        return raw.get(PODS + "/" + pod)
                .body()
                .at("/status/conditions")
                .valueStream()
                .anyMatch(condition -> condition.path("reason").asText().equals("Unschedulable"));
    }
}
