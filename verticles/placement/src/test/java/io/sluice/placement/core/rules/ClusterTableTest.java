package io.sluice.placement.core.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Seeded histories of nodes and pods: the table that was kept up must decide as one that is filled at once. */
class ClusterTableTest {
    private static final int STEPS = 400;
    private static final List<String> KINDS = List.of(
            "'labels':{'app':'db'}",
            "'labels':{'app':'web'},'requests':{'cpu':700,'example.com/gpu':1}",
            "'hostPorts':[{'hostPort':80}]",
            "'labels':{'app':'db'},'podAntiAffinity':[{'topologyKey':'host','labelSelector':{'matchLabels':{'app':'db'}}}]",
            "'labels':{'app':'web'},'podAffinity':[{'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'db'}}}]",
            "'labels':{'app':'web'},'topologySpreadConstraints':[{'whenUnsatisfiable':'DoNotSchedule','maxSkew':1,"
                    + "'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'web'}}}]",
            "'nodeSelector':{'zone':'z1'}",
            "'labels':{'app':'db'},'terminating':true");

    private final Map<String, String> nodes = new HashMap<>();
    private final Map<String, String[]> pods = new HashMap<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void decidesAsATableThatIsFilledAtOnce(long seed) {
        var random = new Random(seed);
        var kept = new Cluster();
        int decisions = 0;
        for (int step = 0; step < STEPS; step++) {
            change(kept, random);
            var pod = KINDS.get(random.nextInt(KINDS.size()));
            var expected = filled().fitting(pod);
            decisions += expected.isEmpty() || expected.size() == nodes.size() ? 0 : 1;
            assertThat(kept.fitting(pod)).as("step %d: %s", step, pod).isEqualTo(expected);
        }
        assertThat(decisions).isGreaterThan(STEPS / 10);
    }

    private void change(Cluster kept, Random random) {
        var node = "n" + random.nextInt(12);
        var pod = "p" + random.nextInt(40);
        switch (random.nextInt(8)) {
            case 0 -> {
                nodes.remove(node);
                kept.table.nodeGone(node);
            }
            case 1, 2, 3 -> {
                nodes.put(node, node(node, random));
                kept.node(node, nodes.get(node));
            }
            case 4, 5, 6 -> {
                pods.put(pod, new String[] {node, KINDS.get(random.nextInt(KINDS.size()))});
                kept.placed(pod, node, pods.get(pod)[1]);
            }
            default -> {
                pods.remove(pod);
                kept.table.podGone("uid-" + pod);
            }
        }
    }

    private static String node(String name, Random random) {
        return "'labels':{'host':'" + name + "','zone':'z" + random.nextInt(3) + "'}"
                + (random.nextInt(4) == 0 ? ",'taints':[{'key':'k','effect':'NoSchedule'}]" : "")
                + (random.nextBoolean() ? ",'allocatable':{'cpu':2000,'pods':4,'example.com/gpu':2}" : "");
    }

    private Cluster filled() {
        var cluster = new Cluster();
        pods.forEach((name, pod) -> cluster.placed(name, pod[0], pod[1]));
        nodes.forEach(cluster::node);
        return cluster;
    }
}
