package io.sluice.billing;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.sluice.billing.core.Gap;
import io.sluice.billing.outbox.ScopedMetrics;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.units.VmId;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What billing says of itself, in numbers. All on one context, but for being read. */
final class BillingMetrics implements AutoCloseable {
    private static final double MILLI = 1000;

    private final MeterRegistry meters;
    private final ScopedMetrics passing;
    private final MultiGauge current;
    private final Map<Gap.Cause, Counter> unbilledSeconds = new EnumMap<>(Gap.Cause.class);
    private final Map<Gap.Cause, Counter> unbilledCompute = new EnumMap<>(Gap.Cause.class);
    private final Map<VmId, Kind> kinds = new HashMap<>();
    private final Counter charges;
    private volatile Metering.Census census = new Metering.Census(0, Metering.Census.RESTART, 0, 0);
    private volatile boolean blocked;

    /** By what VMs are told apart, in the words of the reference. */
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
        current = MultiGauge.builder("autoscaling.agent.billing.vms.current")
                .description("VMs that are billed now")
                .register(meters);
        charges = Counter.builder("sluice.billing.charges")
                .description("Charges made: two events each")
                .register(meters);
        for (var cause : Gap.Cause.values()) {
            var word = cause.name().toLowerCase(Locale.ROOT);
            unbilledSeconds.put(
                    cause,
                    Counter.builder("sluice.billing.unbilled.seconds")
                            .description("Seconds of VMs that are not billed, as nobody knows what they used")
                            .tag("cause", word)
                            .register(meters));
            unbilledCompute.put(
                    cause,
                    Counter.builder("sluice.billing.unbilled.compute.seconds")
                            .description("vCPU-seconds that are not billed, by what the VMs had before")
                            .tag("cause", word)
                            .register(meters));
        }
        gauge("sluice.billing.vms.metered", "VMs that are metered, whoever bills them", it -> it.census.metered());
        gauge(
                "sluice.billing.missing",
                "1 while changes of VMs are not heard of, and nothing is billed",
                it -> it.census.missing().isEmpty() ? 0 : 1);
        gauge(
                "sluice.billing.vms.refused",
                "Facts about VMs that were not taken in, as there are too many",
                it -> it.census.refused());
        gauge(
                "sluice.billing.charges.given.up",
                "Charges that were given up since the start, as nobody took any for too long",
                it -> it.census.givenUp());
        gauge("sluice.billing.blocked", "1 while the outbox takes nothing, and windows grow", it -> it.blocked ? 1 : 0);
    }

    private void gauge(String name, String description, ToDoubleFunction<BillingMetrics> value) {
        passing.add(Gauge.builder(name, this, value).description(description).register(meters));
    }

    void seen(VmObserved vm, boolean billed) {
        if (billed) {
            kinds.put(vm.vm(), new Kind(!vm.traits().endpointId().isEmpty(), vm.autoscaled(), vm.phase()));
        } else {
            kinds.remove(vm.vm());
        }
    }

    void gone(VmId vm) {
        kinds.remove(vm);
    }

    /** All VMs were looked at once more. */
    void looked(Metering.Census now) {
        census = now;
        var counts = new HashMap<Kind, Integer>();
        kinds.values().forEach(kind -> counts.merge(kind, 1, Integer::sum));
        current.register(rows(counts), true);
        counts.forEach((kind, count) -> Counter.builder("autoscaling.agent.billing.vms.processed")
                .description("VMs that were looked at to bill them, each time")
                .tags(kind.tags())
                .register(meters)
                .increment(count));
    }

    private static List<MultiGauge.Row<?>> rows(Map<Kind, Integer> counts) {
        return counts.entrySet().stream()
                .<MultiGauge.Row<?>>map(
                        entry -> MultiGauge.Row.of(entry.getKey().tags(), entry.getValue()))
                .toList();
    }

    void charged(int count) {
        charges.increment(count);
    }

    void missed(Gap gap) {
        double seconds = gap.length().toNanos() / 1e9;
        unbilledSeconds.get(gap.cause()).increment(seconds);
        unbilledCompute.get(gap.cause()).increment(seconds * gap.milliCpu() / MILLI);
    }

    void blocked(boolean isBlocked) {
        blocked = isBlocked;
    }

    /** Nobody bills here any more; what was counted stays. */
    @Override
    public void close() {
        current.register(List.of(), true);
        passing.close();
    }
}
