package io.sluice.placement.core.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.ledger.grant.GrantChange;
import io.sluice.messages.ledger.grant.NearestGrant;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Goal: where taints, a cordon or a node selector alone keep a pod from a node, all of them are named and nothing else.
 */
class ExcludedAloneTest {
    /** Both c and d have what the pod needs; e has a taint too, but no room. */
    @Test
    void namesANodeThatOneRuleAloneExcludes() {
        var cluster = new Cluster()
                .node("a", "")
                .node("c", "'taints':[{'key':'k','value':'v','effect':'NoSchedule'}]")
                .node("d", "'unschedulable':true")
                .node("e", "'taints':[{'key':'k','effect':'NoSchedule'}]")
                .placed("one", "a", "'requests':{'cpu':3500}")
                .placed("two", "e", "'requests':{'cpu':3500}");

        assertThat(cluster.excludedAlone("'requests':{'cpu':1250}"))
                .isEqualTo("it would be granted with a toleration of the taint k=v of c");
        assertThat(cluster.excludedAlone("'requests':{'cpu':1250},'tolerations':[{'key':'k','value':'v'}]"))
                .as("c can take it")
                .isEmpty();
        cluster.placed("three", "c", "'requests':{'cpu':3500}");
        assertThat(cluster.excludedAlone("'requests':{'cpu':1250}")).isEqualTo("it would be granted with d uncordoned");
        assertThat(cluster.excludedAlone("'requests':{'cpu':250},'nodeSelector':{'disk':'tape'}"))
                .as("no node has that label")
                .isEmpty();
        cluster.node("f", "'labels':{'disk':'tape'}").placed("four", "f", "'requests':{'cpu':4000}");
        assertThat(cluster.excludedAlone("'requests':{'cpu':250},'nodeSelector':{'disk':'tape'}"))
                .isEqualTo("it would be granted with a node selector and affinity that allow a");
        assertThat(cluster.excludedAlone("'requests':{'cpu':9000}")).isEmpty();
    }

    /**
     * Nodes with taints, cordons and labels by chance: with what is named, and no less of it, the node takes the pod.
     */
    @Test
    void allThatItNamesIsNeededAndEnough() {
        var random = new Random(7);
        int named = 0;
        for (int round = 0; round < 5_000; round++) {
            var nodes = Stream.of("a", "b", "c")
                    .map(name -> ChancedNode.of(name, random))
                    .toList();
            var pod = "'requests':{'cpu':1000}" + (random.nextBoolean() ? ",'nodeSelector':{'disk':'tape'}" : "");
            var nearest = ChancedNode.cluster(nodes).nearest(pod);
            for (var change : nearest.changes()) {
                named++;
                var changed = ChancedNode.cluster(nodes.stream()
                        .map(node -> node.with(nearest.changes(), change.node()))
                        .toList());
                var allowed = change.kind() == GrantChange.Kind.NODE_ALLOWED ? "'requests':{'cpu':1000}" : pod;
                assertThat(changed.fitting(allowed)).contains(change.node());
            }
            if (nearest.sufficiency() == NearestGrant.Sufficiency.ALL) {
                nearest.changes().forEach(change -> {
                    var others = nearest.changes().stream()
                            .filter(other -> other != change)
                            .toList();
                    assertThat(ChancedNode.cluster(nodes.stream()
                                            .map(node -> node.with(others, change.node()))
                                            .toList())
                                    .fitting(pod))
                            .doesNotContain(change.node());
                });
            }
        }
        assertThat(named).isGreaterThan(1_000);
    }

    /** A node by chance: some of three taints, perhaps a cordon, a label and room. */
    private record ChancedNode(String name, Set<String> taints, boolean cordoned, boolean labelled, boolean full) {
        static ChancedNode of(String name, Random random) {
            var taints = Stream.of("x=1", "y=2", "z=3")
                    .filter(taint -> random.nextInt(4) == 0)
                    .collect(Collectors.toSet());
            return new ChancedNode(name, taints, random.nextInt(3) == 0, random.nextInt(3) > 0, random.nextInt(3) == 0);
        }

        static Cluster cluster(List<ChancedNode> nodes) {
            var cluster = new Cluster();
            nodes.forEach(node -> node.addTo(cluster));
            return cluster;
        }

        /** The same after changes, if it is that node. */
        ChancedNode with(List<GrantChange> changes, String node) {
            if (!node.equals(name)) {
                return this;
            }
            var left = new HashSet<>(taints);
            changes.forEach(change -> left.remove(change.subject()));
            boolean uncordoned = changes.stream().anyMatch(change -> change.kind() == GrantChange.Kind.UNCORDONED);
            return new ChancedNode(name, left, cordoned && !uncordoned, labelled, full);
        }

        private void addTo(Cluster cluster) {
            var text = taints.stream()
                    .map(taint -> taint.split("="))
                    .map(taint -> "{'key':'" + taint[0] + "','value':'" + taint[1] + "','effect':'NoSchedule'}")
                    .collect(Collectors.joining(","));
            cluster.node(
                    name,
                    "'taints':[" + text + "],'unschedulable':" + cordoned
                            + (labelled ? ",'labels':{'disk':'tape'}" : ""));
            if (full) {
                cluster.placed("on-" + name, name, "'requests':{'cpu':3500}");
            }
        }
    }
}
