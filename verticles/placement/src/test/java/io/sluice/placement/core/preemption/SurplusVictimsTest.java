package io.sluice.placement.core.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.placement.core.Given;
import io.sluice.placement.core.gangs.GangKey;
import io.sluice.placement.core.gangs.GangMember;
import io.sluice.placement.core.gangs.GangSpec;
import io.sluice.placement.core.gangs.Gangs;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.ReservedShare;
import io.sluice.placement.core.rules.Cluster;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.spec.PodSpec;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which members of gangs are evicted for another gang. Two nodes of 4 CPUs are full with pods of 1 CPU. */
class SurplusVictimsTest {
    private static final Resources CPU = Given.cpus(1);

    private final Cluster cluster = new Cluster();
    private final Gangs gangs = new Gangs();
    private final Map<String, Resources> charges = new HashMap<>();

    @BeforeEach
    void fill() {
        for (var node : List.of("a", "b")) {
            cluster.node(node, "'labels':{'host':'" + node + "'}");
            cluster.table.observed(NodeSnapshot.of(Given.node(node, 4, 4)));
        }
    }

    private static GangKey key(String name) {
        return new GangKey(GangKey.Kind.X_K8S, "ns", name);
    }

    private static String uid(String name) {
        return "uid-" + name;
    }

    private void declared(String gang, int minMember) {
        gangs.observed(new GangSpec(key(gang), minMember, Instant.EPOCH));
    }

    private void member(String name, String gang, int priority, String node) {
        gangs.observed(new GangMember(
                uid(name), "default", name, key(gang), priority, node, false, GangMember.End.NONE, !node.isEmpty()));
    }

    private void runs(String name, String gang, int priority, String node) {
        cluster.placed(name, node, "'priority':" + priority + ",'requests':{'cpu':1000}");
        charges.put(uid(name), CPU);
        member(name, gang, priority, node);
    }

    /** A gang of 2 and of priority 10, each of whose members takes so many CPUs. */
    private Optional<SurplusVictims> choose(int cpus) {
        declared("high", 2);
        var members = List.of("h1", "h2").stream()
                .map(name -> {
                    member(name, "high", 10, "");
                    return new PendingPod(spec(name, cpus), Given.cpus(cpus));
                })
                .toList();
        var high = gangs.find(key("high")).orElseThrow();
        return SurplusVictims.choose(
                high, members, gangs, gang -> false, charges, cluster.table, new ReservedShare(0.5, 0.8, 0));
    }

    private static PodSpec spec(String name, int cpus) {
        return Cluster.pod(name, "'priority':10,'requests':{'cpu':" + cpus * 1_000 + "}");
    }

    private static List<String> names(SurplusVictims victims) {
        return victims.pods().stream().map(pod -> pod.id().name()).sorted().toList();
    }

    @Test
    @DisplayName(
            "G12: only what a gang of lower priority has beyond its minimum is evicted, and no more than is needed")
    void evictsTheSurplus() {
        declared("low", 2);
        List.of("l1", "l2", "l3", "l4").forEach(pod -> runs(pod, "low", 0, "a"));
        declared("same", 1);
        List.of("s1", "s2", "s3", "s4").forEach(pod -> runs(pod, "same", 10, "b"));

        var victims = choose(1).orElseThrow();
        assertThat(victims.pods()).hasSize(2).allMatch(pod -> pod.id().name().startsWith("l"));
        assertThat(victims.choices())
                .hasSize(2)
                .allMatch(choice -> choice.node().equals("a"));
        assertThat(cluster.table.podsOn("a")).as("the table is as before").hasSize(4);
        assertThat(choose(1).map(SurplusVictimsTest::names)).contains(names(victims));
    }

    @Test
    @DisplayName("G12: nothing is evicted where the whole gang would not fit even then")
    void evictsNothingInVain() {
        declared("low", 3);
        List.of("l1", "l2", "l3", "l4").forEach(pod -> runs(pod, "low", 0, "a"));
        declared("other", 3);
        List.of("o1", "o2", "o3").forEach(pod -> runs(pod, "other", 0, "b"));
        assertThat(choose(1)).isEmpty();
        assertThat(cluster.table.podsOn("a")).hasSize(4);
    }

    @Test
    @DisplayName("G12: a surplus on several nodes counts only as far as each gang keeps its minimum")
    void keepsEachMinimum() {
        declared("low", 3);
        List.of("l1", "l2").forEach(pod -> runs(pod, "low", 0, "a"));
        List.of("l3", "l4").forEach(pod -> runs(pod, "low", 0, "b"));
        assertThat(choose(2)).as("two members of each node would have to go").isEmpty();
    }

    @Test
    void aGangThatIsBeingPlacedAndPodsThatTheLedgerDoesNotCountStay() {
        declared("low", 1);
        List.of("l1", "l2", "l3", "l4").forEach(pod -> runs(pod, "low", 0, "a"));
        assertThat(choose(1)).isPresent();
        charges.keySet().removeAll(Set.of(uid("l2"), uid("l3"), uid("l4")));
        assertThat(choose(1)).isEmpty();
    }
}
