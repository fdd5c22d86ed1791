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
import io.sluice.placement.core.preemption.VictimChoice;
import io.sluice.placement.core.preemption.Victims;
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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: Sluice evicts the pods that kube-scheduler evicts, where the ledger has room for everything. Method: before a
 * real kube-scheduler evicts pods, it sends an extender the victims on each node. First the extender allows none of
 * them, and all nodes are compared; then it allows all, and the node that the pod gets and the pods that end are.
 */
@OnKubernetes
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class VictimsOnKubernetesTest {
    private static final int COMPARED = Integer.getInteger("victims.pods", 150);
    private static final int PLAYED = Integer.getInteger("victims.played", 25);
    private static final String NAME = "preempting";
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final Duration DECIDED_MAX = Duration.ofSeconds(120);
    private static final List<String> REQUIREMENTS = List.of(
            "",
            "",
            "'nodeSelector':{'zone':'z1'},",
            "'affinity':{'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{'topologyKey':"
                    + "'kubernetes.io/hostname','labelSelector':{'matchLabels':{'loud':'yes'}}}]}},",
            "'topologySpreadConstraints':[{'maxSkew':1,'topologyKey':'zone','whenUnsatisfiable':'DoNotSchedule',"
                    + "'labelSelector':{'matchLabels':{'app':'a1'}}}],",
            "'tolerations':[{'operator':'Exists'}],");

    private static ControlPlane plane;
    private static KubernetesClient client;
    private static RawApi api;
    private static RecordingExtender extender;
    private static KubeScheduler scheduler;
    private static VictimFleet fleet;

    private final Random random = new Random(Long.getLong("victims.seed", 5));

    @BeforeAll
    static void start(@TempDir Path folder) {
        plane = ControlPlane.start(folder);
        client = KubernetesConnection.open(plane.admin());
        api = new RawApi(client);
        fleet = new VictimFleet(api, new Random(Long.getLong("victims.seed", 5)));
        fleet.create();
        extender = new RecordingExtender();
        scheduler = KubeScheduler.preempting(plane.admin(), folder, NAME, extender.url());
    }

    @AfterAll
    static void stop() {
        scheduler.close();
        extender.close();
        client.close();
        plane.close();
    }

    @Test
    @Order(1)
    void findsTheVictimsOfKubeSchedulerOnEachNode() {
        var table = fleet.table();
        var differences = new ArrayList<String>();
        var counts = new HashMap<String, Integer>();
        for (int number = 0; number < COMPARED; number++) {
            var name = "asks-" + number;
            var pod = create(name, requirements(number));
            await().atMost(DECIDED_MAX).until(() -> isDecided(name));
            compare(pod, table, differences, counts);
            assertThat(api.delete(PODS + "/" + name, "{}").status()).isEqualTo(200);
        }
        assertThat(differences).isEmpty();
        assertThat(counts.getOrDefault("victims", 0)).as("%s", counts).isGreaterThan(5 * COMPARED);
        assertThat(counts.getOrDefault("over budget", 0)).as("%s", counts).isGreaterThan(COMPARED);
        assertThat(counts.getOrDefault("no victims", 0)).as("%s", counts).isGreaterThan(COMPARED);
        assertThat(counts.getOrDefault("policy", 0)).as("%s", counts).isGreaterThan(COMPARED / 20);
    }

    private static void compare(
            JsonNode pod, ClusterTable table, List<String> differences, Map<String, Integer> counts) {
        var choice = new VictimChoice(table);
        var pending = pending(pod);
        var expected = extender.victims(pending.spec().uid());
        if (choice.obstacle(pending).isPresent()) {
            counts.merge("policy", 1, Integer::sum);
            assertThat(expected).isEmpty();
            return;
        }
        var fitting = SchedulingRules.ofKubernetes().fitting(pending, table);
        var candidates = new HashSet<>(choice.candidates(pending, false, 0, VictimFleet.NODES));
        table.all().stream()
                .filter(node -> !fitting.get(node))
                .mapToObj(table::name)
                .forEach(node -> {
                    var found = candidates.contains(node)
                            ? choice.choose(pending, fleet.budgets(), Map.of(), List.of(node))
                            : Optional.<Victims>empty();
                    var text = found.map(VictimsOnKubernetesTest::text).orElse("none");
                    var theirs = expected.getOrDefault(node, "none");
                    if (!text.equals(theirs)) {
                        differences.add(pod.at("/metadata/name").asText() + " on " + node + ": " + text
                                + ", kube-scheduler " + theirs + ": " + pod.path("spec"));
                    }
                    counts.merge(found.isPresent() ? "victims" : "no victims", 1, Integer::sum);
                    found.filter(victims -> !victims.overBudget().isEmpty())
                            .ifPresent(over -> counts.merge("over budget", 1, Integer::sum));
                });
    }

    private static String text(Victims victims) {
        return victims.overBudget().size() + " "
                + victims.pods().stream().map(PodSpec::uid).toList();
    }

    @Test
    @Order(2)
    void choosesTheNodeThatKubeSchedulerChooses() {
        extender.allow();
        var differences = new ArrayList<String>();
        int compared = 0;
        for (int number = 0; number < PLAYED; number++) {
            var table = fleet.table();
            var before = uids();
            var name = "plays-" + number;
            var requirements = "'priorityClassName':'p20'," + REQUIREMENTS.get(number % REQUIREMENTS.size());
            var pod = create(name, requirements);
            var pending = pending(pod);
            var choice = new VictimChoice(table);
            var ours = choice.choose(
                    pending, fleet.budgets(), Map.of(), choice.candidates(pending, false, 0, VictimFleet.NODES));
            boolean fits =
                    !SchedulingRules.ofKubernetes().fitting(pending, table).isEmpty();
            await().atMost(DECIDED_MAX).until(() -> isBound(name) || !fits && ours.isEmpty() && isDecided(name));
            if (isBound(name)) {
                fleet.started(name);
            }
            if (!fits) {
                var ended = new TreeSet<>(before);
                ended.removeAll(uids());
                compared++;
                var node =
                        api.get(PODS + "/" + name).body().at("/spec/nodeName").asText("none");
                var theirs = node + " " + ended;
                var text = ours.map(victims -> victims.node() + " "
                                + victims.pods().stream()
                                        .map(PodSpec::uid)
                                        .collect(Collectors.toCollection(TreeSet::new)))
                        .orElse("none []");
                if (!text.equals(theirs)) {
                    differences.add(name + ": " + text + ", kube-scheduler " + theirs);
                }
            }
        }
        assertThat(differences).isEmpty();
        assertThat(compared).isGreaterThan(PLAYED / 2);
    }

    private String requirements(int number) {
        var priority = number % 10 == 9
                ? "never"
                : "p" + VictimFleet.PRIORITIES.get(1 + random.nextInt(VictimFleet.PRIORITIES.size() - 1));
        return "'priorityClassName':'" + priority + "'," + REQUIREMENTS.get(number % REQUIREMENTS.size());
    }

    private JsonNode create(String name, String spec) {
        var port = random.nextInt(4) == 0 ? "'ports':[{'containerPort':80,'hostPort':8080}]," : "";
        var made = api.post(
                PODS,
                ("{'metadata':{'name':'" + name + "','labels':{'app':'a1'}},'spec':{" + spec + "'schedulerName':'"
                                + NAME
                                + "','terminationGracePeriodSeconds':0,'containers':[{'name':'c','image':'none'," + port
                                + "'resources':{'requests':{'cpu':'" + (1_000 + random.nextInt(2_800))
                                + "m','memory':'" + (1 + random.nextInt(5)) + "Gi'}}}]}}")
                        .replace('\'', '"'));
        assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
        return made.body();
    }

    private static PendingPod pending(JsonNode pod) {
        return new PendingPod(SpecReader.pod(SchedulingFields.pod(pod), 0), Resources.NONE);
    }

    private static boolean isDecided(String name) {
        return api.get(PODS + "/" + name)
                .body()
                .at("/status/conditions")
                .findValuesAsText("type")
                .contains("PodScheduled");
    }

    private static boolean isBound(String name) {
        return api.get(PODS + "/" + name).body().at("/spec").has("nodeName");
    }

    private static Set<String> uids() {
        var uids = new HashSet<String>();
        api.get(PODS).body().path("items").forEach(pod -> {
            if (pod.at("/spec").has("nodeName")) {
                uids.add(pod.at("/metadata/uid").asText());
            }
        });
        return uids;
    }
}
