package io.sluice.lab.core;

import io.sluice.lab.load.core.FileCachePlan;
import io.sluice.lab.load.core.MemoryModel;
import io.sluice.lab.load.core.ScenarioEvent;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The fleet: three nodes with four VMs each, all of the same bounds. The last node is smaller than the demand of its
 * VMs at their peaks, so requests are denied there, and it is above its watermark. Two of its VMs may be migrated, and
 * the other nodes have room for either. One VM allocates more than it may have from time to time, so that its monitor
 * sends an upscale request. One denies downscales for some time now and then. One needs little CPU, and memory for the
 * working set of its file cache. One ordinary pod is scaled in place, where the lab has pods.
 */
public final class FleetPlan {
    /** Bytes of a memory slot of each VM. */
    public static final long SLOT_BYTES = 1L << 30;

    /** The least size of each VM. */
    public static final Resources MIN = size(1);

    /** The largest size of each VM. */
    public static final Resources MAX = size(16);

    /** The initial size of each VM. */
    public static final Resources INITIAL = size(4);

    /** The sizes of a VM without other sizes. */
    public static final LabVmSizes SIZES = new LabVmSizes(MIN, MAX, MAX, INITIAL);

    /** How memory follows demand: far below what the CPU brings along, so that the CPU determines the goal. */
    public static final MemoryModel MEMORY = new MemoryModel(300L << 20, 256L << 20, 1L << 30);

    private static final String RDS_1 = "rds_cpu_utilization_cc0c53";
    private static final String RDS_2 = "rds_cpu_utilization_e47b3b";
    private static final String EC2_STEADY = "ec2_cpu_utilization_5f5533";
    private static final String EC2_BURSTS = "ec2_cpu_utilization_77c1ca";
    private static final String EC2_STEPS = "ec2_cpu_utilization_ac20cd";
    private static final String EC2_SPIKES = "ec2_cpu_utilization_fe7f93";

    private static final Duration REPEAT = Duration.ofSeconds(40);
    private static final int REPEATS = 180;
    private static final Duration ALLOCATES_AT = Duration.ofSeconds(15);
    private static final Duration ALLOCATES_FOR = Duration.ofSeconds(10);
    private static final long ALLOCATES_BYTES = 20L << 30;
    private static final Duration HOLDS_AT = Duration.ofSeconds(8);
    private static final Duration HOLDS_FOR = Duration.ofSeconds(20);
    private static final double HOLDS_SHARE = 0.8;

    /** The working set is between 4 and 14 units, twice in a day. */
    private static final FileCachePlan WORKING_SET = new FileCachePlan(3L << 30, 10L << 30, Duration.ofHours(12));

    private static final Set<String> MIGRATABLE = Set.of("feeds", "billing-db", "reports", "thumbnails");

    private FleetPlan() {}

    /** The nodes with their VMs. */
    public static List<LabNode> nodes() {
        var none = List.<ScenarioEvent>of();
        var allocates = repeated(at -> new ScenarioEvent.Allocation(at, ALLOCATES_FOR, ALLOCATES_BYTES), ALLOCATES_AT);
        var holds = repeated(at -> new ScenarioEvent.Hold(at, HOLDS_FOR, HOLDS_SHARE), HOLDS_AT);
        return List.of(
                new LabNode(
                        "node-a",
                        size(48),
                        List.of(
                                vm("orders-db", RDS_1, 10.6, 16, none),
                                vm("search", EC2_STEADY, 2, 0.4, none, Optional.of(WORKING_SET)),
                                vm("reports", EC2_BURSTS, 7.2, 3, none),
                                vm("mailer", EC2_SPIKES, 3, 8, none)),
                        Resources.NONE),
                new LabNode(
                        "node-b",
                        size(48),
                        List.of(
                                vm("users-db", RDS_2, 3.1, 8, none),
                                vm("catalog", EC2_STEPS, 1, 4, holds),
                                vm("sessions-db", RDS_1, 6.3, 12, allocates),
                                vm("thumbnails", EC2_BURSTS, 13, 3, none)),
                        Resources.NONE),
                new LabNode(
                        "node-c",
                        size(40),
                        List.of(
                                vm("billing-db", RDS_2, 8.4, 10, none),
                                vm("checkout", EC2_STEPS, 12.2, 4, none),
                                vm("feeds", EC2_STEADY, 5, 5, none),
                                vm("encoder", EC2_BURSTS, 8, 4, none)),
                        new Resources(500, SLOT_BYTES)));
    }

    /**
     * The VMs that arrive later. {@code analytics} is half of a node, and comes when the nodes are at their fullest: it
     * waits until VMs of some node need less.
     */
    public static List<LabArrival> arrivals() {
        var none = List.<ScenarioEvent>of();
        var half = new LabVmSizes(MIN, size(24), size(24), size(24));
        return List.of(
                new LabArrival(Duration.ofSeconds(10), vm("preview-1", EC2_STEPS, 4, 2, none)),
                new LabArrival(
                        Duration.ofSeconds(20),
                        vm("analytics", EC2_STEADY, 3, 2, none).sized(half)),
                new LabArrival(Duration.ofSeconds(35), vm("preview-2", EC2_STEPS, 9, 2, none)));
    }

    /** The ordinary pods: one, whose load rises and falls every few seconds. */
    public static List<LabPod> pods() {
        var sizes = new LabVmSizes(MIN, size(4), size(4), MIN);
        return List.of(new LabPod("redis-0", "node-a", EC2_BURSTS, Duration.ofDays(8), 1.5, sizes));
    }

    /** The size of so many compute units: 250m and 1Gi each. */
    private static Resources size(int units) {
        return new Resources(250, SLOT_BYTES).times(units);
    }

    private static LabVm vm(String name, String series, double offsetDays, double vCpus, List<ScenarioEvent> events) {
        return vm(name, series, offsetDays, vCpus, events, Optional.empty());
    }

    private static LabVm vm(
            String name,
            String series,
            double offsetDays,
            double vCpus,
            List<ScenarioEvent> events,
            Optional<FileCachePlan> fileCache) {
        return new LabVm(
                name,
                series,
                Duration.ofMinutes((long) (offsetDays * 24 * 60)),
                vCpus,
                MIGRATABLE.contains(name),
                events,
                SIZES,
                fileCache);
    }

    private static List<ScenarioEvent> repeated(Function<Duration, ScenarioEvent> event, Duration first) {
        var events = new ArrayList<ScenarioEvent>();
        for (int i = 0; i < REPEATS; i++) {
            events.add(event.apply(first.plus(REPEAT.multipliedBy(i))));
        }
        return events;
    }
}
