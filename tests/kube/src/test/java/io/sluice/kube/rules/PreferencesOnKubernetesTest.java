package io.sluice.kube.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.KubeScheduler;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.lab.api.RawApi;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.neonvm.core.objects.SchedulingFields;
import io.sluice.placement.core.rules.ClusterTable;
import io.sluice.placement.core.rules.SchedulingRules;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.spec.PodSpec;
import io.sluice.placement.core.spec.SpecReader;
import io.sluice.units.Resources;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: what pods prefer ranks nodes as in kube-scheduler. Method: a real kube-scheduler that scores by preferences
 * alone binds seeded pods, one after another. Each must be on a node that Sluice ranks first, or as near to it as
 * kube-scheduler's rounding to whole points makes them equal.
 */
@OnKubernetes
class PreferencesOnKubernetesTest {
    private static final int PODS = Integer.getInteger("rules.preferring.pods", 200);
    private static final int DECISIVE_MIN = PODS / 40;
    private static final String NAME = "preferring";
    private static final String PATH = "/api/v1/namespaces/default/pods";
    private static final Duration BOUND_MAX = Duration.ofSeconds(60);
    private static final Duration LOOK_EVERY = Duration.ofMillis(20);

    /** A hundredth for each of the weights 3, 2, 2 and 2. */
    private static final double ROUNDED = 0.09;

    /** What a pod may prefer, with the placeholders of {@link PodRule}. */
    private static final Map<String, String> PREFERENCES = Map.of(
            "node",
            "'spec':{'affinity':{'nodeAffinity':{'preferredDuringSchedulingIgnoredDuringExecution':[{'weight':#99,"
                + "'preference':{'matchExpressions':[{'key':'zone','operator':'In','values':['#z']}]}},{'weight':#99,"
                + "'preference':{'matchExpressions':[{'key':'disk','operator':'In','values':['ssd']}]}}]}}}",
            "near",
            "'spec':{'affinity':{'podAffinity':{'preferredDuringSchedulingIgnoredDuringExecution':[{'weight':#99,"
                + "'podAffinityTerm':{'topologyKey':'rack','labelSelector':{'matchLabels':{'app':'#a'}}}},{'weight':#99,"
                + "'podAffinityTerm':{'topologyKey':'kubernetes.io/hostname','namespaceSelector':{},'labelSelector':"
                + "{'matchLabels':{'v':'#v'}}}}]}}}",
            "apart",
            "'spec':{'affinity':{'podAntiAffinity':{'preferredDuringSchedulingIgnoredDuringExecution':[{'weight':#99,"
                + "'podAffinityTerm':{'topologyKey':'zone','labelSelector':{'matchLabels':{'rare':'#9'}}}},{'weight':#99,"
                + "'podAffinityTerm':{'topologyKey':'rack','namespaces':['team-x'],'labelSelector':{'matchLabels':"
                + "{'app':'#a'}}}}]}}}",
            "drawn",
            "'metadata':{'labels':{'drawn':'#3'}}",
            "spread",
            "'spec':{'topologySpreadConstraints':[{'whenUnsatisfiable':'ScheduleAnyway','maxSkew':#3,'topologyKey':'zone',"
                + "'labelSelector':{'matchLabels':{'app':'#a'}}},{'whenUnsatisfiable':'ScheduleAnyway','maxSkew':#2,"
                + "'topologyKey':'rack','nodeTaintsPolicy':'Honor','labelSelector':{'matchLabels':{'v':'#v'}}}]}",
            "spread-hosts",
            "'spec':{'topologySpreadConstraints':[{'whenUnsatisfiable':'ScheduleAnyway','maxSkew':#3,'topologyKey':"
                    + "'kubernetes.io/hostname','labelSelector':{'matchLabels':{'app':'#a'}}}]}",
            "taints",
            "'spec':{'tolerations':[]}");

    private static ControlPlane plane;
    private static KubernetesClient client;
    private static RawApi api;
    private static KubeScheduler scheduler;
    private static ClusterTable table;

    private final Random random = new Random(Long.getLong("rules.seed", 11));

    @BeforeAll
    static void start(@TempDir Path folder) {
        plane = ControlPlane.start(folder);
        client = KubernetesConnection.open(plane.admin());
        api = new RawApi(client);
        var fleet = new RuleFleet(api, new Random(Long.getLong("rules.seed", 11)));
        fleet.create();
        scheduler = KubeScheduler.preferring(plane.admin(), folder, NAME);
        table = fleet.table();
    }

    @AfterAll
    static void stop() {
        scheduler.close();
        client.close();
        plane.close();
    }

    @Test
    void ranksFirstWhatKubeSchedulerChooses() {
        var kinds = PREFERENCES.keySet().stream().sorted().toList();
        var differences = new ArrayList<String>();
        var decisive = new HashMap<String, Integer>();
        for (int number = 0; number < PODS; number++) {
            var drawn = new ArrayList<>(List.of(kinds.get(number % kinds.size())));
            if (random.nextInt(3) == 0) {
                drawn.add(kinds.get(random.nextInt(kinds.size())));
            }
            var pod = create(number, drawn);
            var pending = new PendingPod(spec(pod), Resources.NONE);
            var fitting = SchedulingRules.ofKubernetes().fitting(pending, table);
            var first = SchedulingRules.preferred(pending, table, fitting, ROUNDED);
            var bound = awaitBound(pod);
            var node = bound.at("/spec/nodeName").asText();
            if (first.stream().mapToObj(table::name).noneMatch(node::equals)) {
                differences.add("%s on %s, and Sluice prefers %s: %s"
                        .formatted(
                                drawn,
                                node,
                                first.stream().mapToObj(table::name).toList(),
                                pod.path("spec")));
            }
            if (drawn.size() == 1 && first.cardinality() < fitting.cardinality()) {
                decisive.merge(drawn.getFirst(), 1, Integer::sum);
            }
            table.placed(spec(bound));
        }
        assertThat(differences).isEmpty();
        assertThat(kinds)
                .allSatisfy(kind -> assertThat(decisive.getOrDefault(kind, 0))
                        .as("pods for which %s ranked only some nodes first", kind)
                        .isGreaterThanOrEqualTo(DECISIVE_MIN));
    }

    private JsonNode create(int number, List<String> kinds) {
        var pod = SchedulingRulesOnKubernetesTest.read(
                "{\"metadata\":{\"name\":\"p-" + number
                        + "\",\"labels\":{\"app\":\"t\"}},\"spec\":{\"schedulerName\":\"" + NAME
                        + "\",\"tolerations\":[{\"operator\":\"Exists\"}],\"containers\":[{\"name\":\"c\",\"image\":\"none\"}]}}");
        kinds.stream()
                .distinct()
                .forEach(
                        kind -> SchedulingRulesOnKubernetesTest.add(PodRule.drawn(PREFERENCES.get(kind), random), pod));
        var made = api.post(PATH, pod.toString());
        assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
        return made.body();
    }

    private static PodSpec spec(JsonNode pod) {
        return SpecReader.pod(SchedulingFields.pod(pod), 0);
    }

    private static JsonNode awaitBound(JsonNode pod) {
        var path = PATH + "/" + pod.at("/metadata/name").asText();
        return await().atMost(BOUND_MAX)
                .pollInterval(LOOK_EVERY)
                .until(
                        () -> api.get(path).body(),
                        read -> !read.at("/spec/nodeName").asText("").isEmpty());
    }
}
