package io.sluice.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.ledger.core.state.NodeState;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LedgerMetricsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final LedgerMetrics metrics = new LedgerMetrics(registry);

    @Test
    void moreNodesThanAClusterHasHaveNoGauges() {
        IntStream.rangeClosed(1, LedgerMetrics.NODES_MAX + 2).forEach(this::show);

        assertGauges(LedgerMetrics.NODES_MAX, 2);

        metrics.forget("node-1");
        metrics.forget("node-" + (LedgerMetrics.NODES_MAX + 1));
        assertGauges(LedgerMetrics.NODES_MAX - 1, 1);

        show(LedgerMetrics.NODES_MAX + 2);
        assertGauges(LedgerMetrics.NODES_MAX, 0);
    }

    private void show(int node) {
        metrics.show(NodeState.blank("node-" + node));
    }

    private void assertGauges(int with, int without) {
        assertThat(registry.find("sluice.ledger.node.ready").gauges()).hasSize(with);
        assertThat(registry.find("autoscaling_plugin_reserve_should_deny_total").counters())
                .hasSize(with);
        assertThat(registry.get("sluice.ledger.nodes.without.gauges").gauge().value())
                .isEqualTo(without);
    }
}
