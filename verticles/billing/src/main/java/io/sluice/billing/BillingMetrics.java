package io.sluice.billing;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.sluice.billing.core.Gap;
import io.sluice.billing.outbox.ScopedMetrics;
import io.sluice.billing.replica.Replicator;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.units.VmId;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** The metrics of billing. All methods run on one context; gauges are read on any thread. */
final class BillingMetrics implements AutoCloseable {
    private static final double MILLI = 1000;

    private final MeterRegistry meters;
    private final ScopedMetrics passing;
    private final Set<Kind> shown = new HashSet<>();
    private final Map<Gap.Cause, Counter> unbilledSeconds = new EnumMap<>(Gap.Cause.class);
    private final Map<Gap.Cause, Counter> unbilledCompute = new EnumMap<>(Gap.Cause.class);
    private final Map<VmId, Kind> kinds = new HashMap<>();
    private final Counter charges;
    private final Counter tooMuch;
    private final Counter tooLittle;
    private volatile Map<Kind, Integer> current = Map.of();
    private volatile Metering.Census census = new Metering.Census(0, Metering.Census.RESTART, 0, 0);
    private volatile boolean blocked;
    private volatile boolean leads;
    private volatile long copiedBytes;
    private volatile int withoutCopy;
    private volatile boolean notCopied;

    /** The tags of a VM in the metrics of the reference. */
    private record Kind(boolean endpoint, boolean autoscaled, VmPhase phase) {
        Tags tags() {
            return Tags.of(
                    "is_endpoint",
                    Boolean.toString(endpoint),
                    "autoscaling_enabled",
                    Boolean.toString(autoscaled),
                    "phase",
                    word());
        }

        private String word() {
            return switch (phase) {
                case PENDING -> "Pending";
                case RUNNING -> "Running";
                case SCALING -> "Scaling";
                case PRE_MIGRATING -> "PreMigrating";
                case MIGRATING -> "Migrating";
                case ENDED -> "Ended";
            };
        }
    }

    BillingMetrics(MeterRegistry meters) {
        this.meters = meters;
        this.passing = new ScopedMetrics(meters);
        charges = Counter.builder("sluice.billing.records")
                .description("Usage records made; each becomes two events")
                .register(meters);
        tooMuch = late("too_much");
        tooLittle = late("too_little");
        for (var cause : EnumSet.of(Gap.Cause.RESTART, Gap.Cause.WATCH)) {
            var word = cause.name().toLowerCase(Locale.ROOT);
            unbilledSeconds.put(
                    cause,
                    Counter.builder("sluice.billing.unbilled.seconds")
                            .description("Seconds of VMs that are not billed because their use is unknown")
                            .tag("cause", word)
                            .register(meters));
            unbilledCompute.put(
                    cause,
                    Counter.builder("sluice.billing.unbilled.compute.seconds")
                            .description("vCPU-seconds that are not billed, estimated by the size before or after")
                            .tag("cause", word)
                            .register(meters));
        }
        gauge("sluice.billing.vms.metered", "VMs with a usage meter", it -> it.census.metered());
        gauge(
                "sluice.billing.missing",
                "1 while changes of VMs are not received, and nothing is billed",
                it -> it.census.missing().isEmpty() ? 0 : 1);
        gauge(
                "sluice.billing.vms.refused",
                "Observations of VMs that were refused because there are too many VMs",
                it -> it.census.refused());
        gauge(
                "sluice.billing.records.given.up",
                "Usage records and gaps given up since the start because no sink accepted any for too long",
                it -> it.census.givenUp());
        gauge(
                "sluice.billing.blocked",
                "1 while the outbox accepts nothing, and windows wait",
                it -> it.blocked ? 1 : 0);
        gaugesOfCopies();
    }

    private Counter late(String billed) {
        return Counter.builder("sluice.billing.late.compute.seconds")
                .description("vCPU-seconds billed too much or too little, because changes of VMs arrived late")
                .tag("billed", billed)
                .register(meters);
    }

    private void gaugesOfCopies() {
        gauge("sluice.billing.leads", "1 while this process bills", it -> it.leads ? 1 : 0);
        gauge(
                "sluice.billing.copies.bytes",
                "Bytes of windows that other processes have too, because a sink has not confirmed them",
                it -> it.copiedBytes);
        gauge(
                "sluice.billing.windows.without.copy",
                "Windows that no sink has confirmed, and that only this process's disk has",
                it -> it.withoutCopy);
        gauge(
                "sluice.billing.copies.failing",
                "1 while other processes cannot be given the checkpoint",
                it -> it.notCopied ? 1 : 0);
    }

    private void gauge(String name, String description, ToDoubleFunction<BillingMetrics> value) {
        passing.add(Gauge.builder(name, this, value).description(description).register(meters));
    }

    void clock(ClockOffset offset) {
        passing.add(Gauge.builder("sluice.billing.clock.ahead", offset, ClockOffset::seconds)
                .description("How far the clock of bills is ahead of the wall clock; negative where it is behind")
                .baseUnit("seconds")
                .strongReference(true)
                .register(meters));
    }

    void observed(VmObserved vm, boolean billed) {
        if (billed) {
            kinds.put(vm.vm(), new Kind(!vm.traits().endpointId().isEmpty(), vm.autoscaled(), vm.phase()));
        } else {
            kinds.remove(vm.vm());
        }
    }

    void gone(VmId vm) {
        kinds.remove(vm);
    }

    /** Counts the VMs after each tick. */
    void looked(Metering.Census now, boolean isLeader) {
        census = now;
        leads = isLeader;
        var counts = new HashMap<Kind, Integer>();
        (isLeader ? kinds.values() : List.<Kind>of()).forEach(kind -> counts.merge(kind, 1, Integer::sum));
        current = counts;
        counts.keySet().stream().filter(shown::add).forEach(this::gaugeOf);
        counts.forEach((kind, count) -> Counter.builder("autoscaling.agent.billing.vms.processed")
                .description("Billed VMs, added up over all ticks")
                .tags(kind.tags())
                .register(meters)
                .increment(count));
    }

    /** It stays, as a scrape fails that reads a gauge which is replaced meanwhile. */
    private void gaugeOf(Kind kind) {
        passing.add(Gauge.builder("autoscaling.agent.billing.vms.current", () -> current.getOrDefault(kind, 0))
                .description("VMs that are billed now")
                .tags(kind.tags())
                .register(meters));
    }

    void charged(int count) {
        charges.increment(count);
    }

    void missed(Gap gap) {
        double seconds = gap.length().toNanos() / 1e9;
        double compute = seconds * gap.milliCpu() / MILLI;
        if (gap.cause() == Gap.Cause.LATE) {
            (compute < 0 ? tooMuch : tooLittle).increment(Math.abs(compute));
        } else {
            unbilledSeconds.get(gap.cause()).increment(seconds);
            unbilledCompute.get(gap.cause()).increment(compute);
        }
    }

    void copied(Replicator copies) {
        copiedBytes = copies.bytes();
        withoutCopy = copies.withoutCopy();
        notCopied = copies.failure().isPresent();
    }

    void blocked(boolean isBlocked) {
        blocked = isBlocked;
    }

    /** Removes the gauges; counters stay. */
    @Override
    public void close() {
        passing.close();
    }
}
