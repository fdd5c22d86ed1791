package io.sluice.placement.core.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.Utilisation;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.utilisation.NodeMetrics;
import io.sluice.placement.core.utilisation.UtilisationRules;
import io.sluice.placement.core.utilisation.UtilisationTable;
import io.sluice.shell.load.LoadScore;
import io.sluice.shell.load.NodeUse;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The own scheduler by what was measured on nodes. */
class UtilisationInSchedulingTest {
    private static final Resources TOTAL = new Resources(4_000, 4_000);
    private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");

    private final Cluster cluster = new Cluster();
    private final UtilisationTable table = new UtilisationTable();
    private final SchedulingRules rules = SchedulingRules.withLedger();

    @BeforeEach
    void nodes() {
        for (var node : List.of("a", "b", "c")) {
            cluster.node(node, "");
            cluster.table.observed(new NodeSnapshot(
                    node,
                    true,
                    NodeReadiness.READY,
                    TOTAL,
                    TOTAL,
                    Resources.NONE,
                    NodeUse.NONE,
                    List.of(),
                    FixedAmounts.NONE,
                    FixedAmounts.NONE));
        }
        table.look(NOW);
    }

    private Utilisation utilisation(int cpuThreshold, boolean rejectStale) {
        var utilisation = new Utilisation(
                new UtilisationRules(
                        new UtilisationRules.Weights(5, 10, 3),
                        new LoadScore.Spread(),
                        Duration.ofSeconds(30),
                        rejectStale,
                        new UtilisationRules.Thresholds(cpuThreshold, 0),
                        List.of(),
                        false,
                        50),
                table,
                true,
                Optional.empty());
        cluster.table.excludeByUse(Optional.of(utilisation));
        return utilisation;
    }

    private void measured(String node, double cpu, Instant at) {
        table.measured(List.of(new NodeMetrics(node, at, cpu, 0)));
    }

    /** One that is expected to use 10 percent of a node. */
    private static PendingPod pod(String name) {
        return new PendingPod(Cluster.pod(name, ""), new Resources(267, 1));
    }

    private String best(PendingPod pod, Utilisation utilisation) {
        return cluster.table.name(
                SchedulingRules.best(pod, cluster.table, rules.fitting(pod, cluster.table), utilisation));
    }

    @Test
    @DisplayName("AT-S7 in the own scheduler: the idle node wins though it is the last by name")
    void choosesTheIdleNode() {
        measured("a", 60, NOW);
        measured("b", 60, NOW);
        measured("c", 5, NOW);

        assertThat(best(pod("p"), utilisation(0, false))).isEqualTo("c");
    }

    @Test
    @DisplayName("AT-S5 in the own scheduler: pods that were not measured yet count where they went")
    void spreadsPodsThatWereNotMeasuredYet() {
        measured("a", 20, NOW);
        measured("b", 20, NOW);
        var utilisation = utilisation(0, true);
        var counts = new HashMap<String, Integer>();

        for (int i = 0; i < 10; i++) {
            var pod = pod("p" + i);
            var node = best(pod, utilisation);
            table.placed(node, pod.spec().uid(), utilisation.expected(pod), NOW);
            counts.merge(node, 1, Integer::sum);
        }
        assertThat(counts).containsExactlyInAnyOrderEntriesOf(Map.of("a", 5, "b", 5));
    }

    @Test
    @DisplayName("AT-S8 in the own scheduler: the reason names threshold and nodes without new metrics")
    void namesWhyNodesAreTooBusy() {
        measured("a", 61, NOW);
        measured("b", 64, NOW);
        utilisation(65, true);
        var pod = pod("p");

        assertThat(rules.fitting(pod, cluster.table).isEmpty()).isTrue();
        assertThat(rules.reason(pod, cluster.table))
                .isEqualTo("0/3 nodes are available: 2 beyond a threshold of use: UTIL_THRESHOLD(cpu 71>65), "
                        + "1 without new metrics");
    }
}
