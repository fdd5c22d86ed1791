package io.sluice.gateway.core.console.fleet;

import static io.sluice.gateway.core.console.fleet.ConsoleFeed.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.MigrationGone;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.shell.explain.Explanation;
import io.sluice.units.VmId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Readers that apply the deltas they received, each at its own pace, always have the current state. */
class FleetViewHistoryTest {
    private static final int STEPS = 4_000;
    private static final int NAMES = 12;

    private final FleetView fleet = new FleetView(NAMES - 2, 3);
    private int fulls;

    /** A client that keeps a fleet from deltas. */
    private final class Reader {
        private long mark = -1;
        private final Map<String, VmView> vms = new HashMap<>();
        private final Map<String, NodeLedgerView> nodes = new HashMap<>();
        private List<MigrationEntry> migrations = List.of();
        private final List<Explanation> decisions = new ArrayList<>();

        void read() {
            var delta = mark < 0 ? null : fleet.since(mark, NOW).orElse(null);
            if (delta == null) {
                start(fleet.all(NOW));
                return;
            }
            mark = delta.mark();
            delta.nodesGone().forEach(nodes::remove);
            delta.vmsGone().forEach(vms::remove);
            delta.nodes().forEach(node -> nodes.put(node.node(), node));
            delta.vms().forEach(vm -> vms.put(vm.key(), vm));
            migrations = delta.migrations().orElse(migrations);
            decisions.addAll(delta.decisions());
            decisions.subList(0, Math.max(0, decisions.size() - 100)).clear();
        }

        private void start(FleetState all) {
            fulls++;
            mark = all.mark();
            vms.clear();
            nodes.clear();
            decisions.clear();
            all.vms().forEach(vm -> vms.put(vm.key(), vm));
            all.nodes().forEach(node -> nodes.put(node.node(), node));
            migrations = all.migrations();
            decisions.addAll(all.decisions());
        }

        void mustObserve(FleetState all, String when) {
            assertThat(vms.values()).as(when).containsExactlyInAnyOrderElementsOf(all.vms());
            assertThat(nodes.values()).as(when).containsExactlyInAnyOrderElementsOf(all.nodes());
            assertThat(migrations).as(when).isEqualTo(all.migrations());
            assertThat(decisions).as(when).isEqualTo(all.decisions());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 20261121})
    void whatReadersPutTogetherIsWhatIs(long seed) {
        var random = new Random(seed);
        var readers = IntStream.range(0, 4).mapToObj(number -> new Reader()).toList();
        for (int step = 0; step < STEPS; step++) {
            happens(random, step);
            for (int number = 0; number < readers.size(); number++) {
                if (random.nextInt(1 + number * 30) == 0) {
                    readers.get(number).read();
                    readers.get(number).mustObserve(fleet.all(NOW), "seed " + seed + " step " + step);
                }
            }
        }
        assertThat(fulls).as("some reader was away for too long").isGreaterThan(readers.size());
    }

    private void happens(Random random, int step) {
        var name = "vm-" + random.nextInt(NAMES);
        var node = "node-" + random.nextInt(4);
        var now = NOW.plusSeconds(step);
        // Half of the observations arrive late, and each name is used by one VM after the other.
        long version = random.nextBoolean() ? step : random.nextInt(step + 1);
        var id = new VmId("neonvm", "default", name, "uid-" + name + (step / 50 + random.nextInt(2)));
        switch (random.nextInt(10)) {
            case 0, 1 ->
                fleet.take(
                        ConsoleFeed.vm(id, node, version, VmPhase.RUNNING, ConsoleFeed.cu(1 + random.nextInt(8))), now);
            case 2 -> fleet.take(new VmGone(id, version));
            case 3, 4 ->
                fleet.take(
                        ConsoleFeed.status(id, Waiting.values()[random.nextInt(Waiting.values().length)], 0, ""), now);
            case 5, 6 -> fleet.take(ConsoleFeed.node(node, random.nextInt(40)));
            case 7 -> fleet.take(new NodeGone(node, version));
            case 8 -> fleet.take(Explanation.of(ConsoleFeed.denied(name, node), now));
            case 9 -> rarely(random, name, node, version, now.plusSeconds(1));
            default -> throw new AssertionError();
        }
    }

    private void rarely(Random random, String name, String node, long version, Instant now) {
        switch (random.nextInt(4)) {
            case 0 -> fleet.take(ConsoleFeed.migration(name, version, MigrationPhase.RUNNING, node));
            case 1 ->
                fleet.take(new MigrationGone("default", "schedplugin-" + name + "-0", "m-" + name, name, version));
            case 2 -> fleet.take(new Snapshot(List.of(ConsoleFeed.node(node, random.nextInt(40)))));
            case 3 -> fleet.forgetSilent(now, before -> {});
            default -> throw new AssertionError();
        }
    }
}
