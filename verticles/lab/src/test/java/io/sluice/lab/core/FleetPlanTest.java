package io.sluice.lab.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.lab.load.SeriesLibrary;
import io.sluice.lab.load.core.FileCacheLoad;
import io.sluice.lab.load.core.GuestLoad;
import io.sluice.lab.load.core.LoadPlan;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The fleet's demand, second by second, with the defaults of the agent and of the ledger. */
class FleetPlanTest {
    private static final double WATERMARK = 0.9;
    private static final double LOAD_OF_A_UNIT = 0.9 * 0.25;
    private static final int SECONDS = 60;
    private static final int UNITS_MAX = 16;

    private final List<LabNode> nodes = FleetPlan.nodes();
    private static final double SHARE_OF_THE_CACHE = 0.75;
    private static final double SPEED = 24 * 60;

    private final Map<String, GuestLoad> loads = new HashMap<>();
    private final Map<String, FileCacheLoad> caches = new HashMap<>();

    @BeforeEach
    void begin() throws IOException {
        for (var node : nodes) {
            for (var vm : node.vms()) {
                var series = SeriesLibrary.read(vm.series());
                var plan = new LoadPlan(
                        series, vm.offset(), Duration.ofSeconds(SECONDS), vm.vCpus(), FleetPlan.MEMORY, List.of());
                loads.put(vm.name(), new GuestLoad(plan, Instant.EPOCH));
                vm.fileCache()
                        .ifPresent(cache -> caches.put(vm.name(), new FileCacheLoad(cache, SPEED, Instant.EPOCH)));
            }
        }
    }

    @Test
    void aNodeRunsFullOfWhatCanBeMovedToAnother() {
        int moves = 0;
        for (int second = 1; second <= SECONDS; second++) {
            advance(second);
            for (var node : nodes) {
                if (requested(node) > watermark(node) && someVmFitsElsewhere(node)) {
                    moves++;
                }
            }
        }
        assertThat(moves).isGreaterThan(SECONDS / 4);
    }

    @Test
    void requestsAreRefusedThereEvenWithoutTheVmThatCouldGoFirst() {
        int refusals = 0;
        for (int second = 1; second <= SECONDS; second++) {
            advance(second);
            for (var node : nodes) {
                long first = node.vms().stream()
                        .filter(LabVm::migratable)
                        .mapToLong(this::units)
                        .min()
                        .orElse(0);
                if (requested(node) - first > units(node)) {
                    refusals++;
                }
            }
        }
        assertThat(refusals).isGreaterThan(3);
    }

    @Test
    void oneVmIsSizedByWhatItWorksWithInItsFileCacheAndNotByItsLoad() {
        assertThat(caches).hasSize(1);
        var vm = nodes.stream()
                .flatMap(node -> node.vms().stream())
                .filter(each -> each.fileCache().isPresent())
                .findFirst()
                .orElseThrow();
        var sizes = new TreeSet<Long>();
        for (int second = 1; second <= SECONDS; second++) {
            advance(second);
            sizes.add(units(vm));
            assertThat(loadUnits(vm)).isLessThan(units(vm));
        }
        assertThat(sizes.getLast() - sizes.getFirst()).isGreaterThan(6);
    }

    @Test
    void thePodsNeedMoreAndLessEverySoOften() throws IOException {
        for (var pod : FleetPlan.pods()) {
            assertThat(nodes).extracting(LabNode::name).contains(pod.node());
            var plan = new LoadPlan(
                    SeriesLibrary.read(pod.series()),
                    pod.offset(),
                    Duration.ofSeconds(SECONDS),
                    pod.vCpus(),
                    FleetPlan.MEMORY,
                    List.of());
            var load = new GuestLoad(plan, Instant.EPOCH);
            var units = new TreeSet<Long>();
            for (int second = 1; second <= SECONDS / 4; second++) {
                load.advance(Instant.EPOCH.plusSeconds(second));
                units.add((long) Math.ceil(load.demand() / LOAD_OF_A_UNIT));
            }
            assertThat(units.getFirst()).isLessThanOrEqualTo(1);
            assertThat(units.getLast()).isGreaterThanOrEqualTo(3);
        }
    }

    private boolean someVmFitsElsewhere(LabNode full) {
        return full.vms().stream()
                .filter(LabVm::migratable)
                .anyMatch(vm -> nodes.stream()
                        .filter(node -> node != full)
                        .anyMatch(node -> requested(node) + units(vm) <= watermark(node)));
    }

    private void advance(int second) {
        loads.values().forEach(load -> load.advance(Instant.EPOCH.plusSeconds(second)));
        caches.values().forEach(cache -> cache.advance(Instant.EPOCH.plusSeconds(second), 1L << 30));
    }

    private long requested(LabNode node) {
        return node.others().milliCpu() / FleetPlan.MIN.milliCpu()
                + node.vms().stream().mapToLong(this::units).sum();
    }

    private long units(LabVm vm) {
        var cache = caches.get(vm.name());
        if (cache == null) {
            return loadUnits(vm);
        }
        double bytes = (double) cache.reading(1L << 30).windowPages().getLast() * FileCacheLoad.PAGE_BYTES;
        long wanted = (long) Math.ceil(bytes / SHARE_OF_THE_CACHE / FleetPlan.SLOT_BYTES);
        return Math.clamp(wanted, loadUnits(vm), UNITS_MAX);
    }

    private long loadUnits(LabVm vm) {
        return Math.clamp((long) Math.ceil(loads.get(vm.name()).load1() / LOAD_OF_A_UNIT), 1, UNITS_MAX);
    }

    private static long units(LabNode node) {
        return node.allocatable().milliCpu() / FleetPlan.MIN.milliCpu();
    }

    private static double watermark(LabNode node) {
        return WATERMARK * units(node);
    }
}
