package io.sluice.agent;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.agent.core.RunnerHealth;
import io.sluice.shell.LogKeys;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runners that are stuck by the rules of Neon's agent: it counts them by cause, and logs what changes. One whose
 * permits fail is counted alone: a denial counts as a failure there, and a runner that waits for room is well.
 */
final class UnhealthyRunners {
    private static final Logger LOG = LoggerFactory.getLogger(UnhealthyRunners.class);
    private static final double MILLIS = 1_000;
    private static final Duration LONG = Duration.ofMinutes(1);

    private volatile Map<RunnerHealth.Cause, Integer> counts = Map.of();
    private volatile Denial longestDenied = new Denial("", Duration.ZERO);
    private Set<VmId> stuck = Set.of();

    /**
     * For how long a guest has denied every downscale.
     *
     * @param vm its VM
     */
    private record Denial(String vm, Duration lasting) {}

    UnhealthyRunners(MeterRegistry meters) {
        for (var cause : RunnerHealth.Cause.values()) {
            Gauge.builder("sluice.agent.runners.stuck", () -> counts.getOrDefault(cause, 0))
                    .description("Runners whose monitor is silent, or whose requests fail too often, by cause")
                    .tag("cause", word(cause))
                    .register(meters);
        }
        Gauge.builder(
                        "sluice.agent.downscales.denied.longest",
                        () -> longestDenied.lasting().toMillis() / MILLIS)
                .description("For how long a guest has denied every downscale, of all guests the longest")
                .baseUnit("seconds")
                .register(meters);
    }

    /** Counts anew; one line of log for all runners that became stuck since the last time. */
    void look(Collection<RunnerHost> hosts, Instant now) {
        var counted = new EnumMap<RunnerHealth.Cause, Integer>(RunnerHealth.Cause.class);
        var stuckNow = new HashSet<VmId>();
        var denied = new Denial("", Duration.ZERO);
        Optional<String> first = Optional.empty();
        for (var host : hosts) {
            if (host.health().isEmpty()) {
                continue;
            }
            var health = host.health().get();
            var causes = health.stuck(now);
            causes.forEach(cause -> counted.merge(cause, 1, Integer::sum));
            causes.remove(RunnerHealth.Cause.SCHEDULER);
            if (!causes.isEmpty()) {
                stuckNow.add(host.vm());
                if (!stuck.contains(host.vm())) {
                    first = first.or(() -> Optional.of(host.vm().label() + ": " + causes));
                }
            }
            var lasting = health.deniedFor(now);
            denied = lasting.compareTo(denied.lasting()) > 0
                    ? new Denial(host.vm().label(), lasting)
                    : denied;
        }
        counts = counted;
        longestDenied = denied;
        log(stuckNow.size(), first);
        stuck = stuckNow;
    }

    /** The guest that has denied downscales for longest, if that is long; a guest under load denies some. */
    Optional<String> trouble() {
        var longest = longestDenied;
        return longest.lasting().compareTo(LONG) < 0
                ? Optional.empty()
                : Optional.of("the guest of " + longest.vm() + " has denied every downscale for "
                        + longest.lasting().toSeconds() + " s");
    }

    private void log(int count, Optional<String> first) {
        first.ifPresent(reason -> LOG.atWarn()
                .addKeyValue(LogKeys.COUNT, count)
                .addKeyValue(LogKeys.REASON, reason)
                .log("Runners are stuck."));
        if (count == 0 && !stuck.isEmpty()) {
            LOG.atInfo().log("No runner is stuck any more.");
        }
    }

    /** Whether the VM's runner is stuck, as of the last look. */
    boolean has(VmId vm) {
        return stuck.contains(vm);
    }

    private static String word(RunnerHealth.Cause cause) {
        return cause.name().toLowerCase(Locale.ROOT);
    }
}
