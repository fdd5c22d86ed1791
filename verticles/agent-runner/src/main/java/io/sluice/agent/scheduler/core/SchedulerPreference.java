package io.sluice.agent.scheduler.core;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which schedulers a request may be sent to. Those that failed a moment ago come last, each time for twice as long
 * until they respond. An address that the directory does not list any more is dropped.
 */
public final class SchedulerPreference {
    static final Duration SHUNNED_FOR = Duration.ofSeconds(5);
    static final Duration SHUNNED_MAX = Duration.ofSeconds(40);

    private final Map<SchedulerAddress, Shun> shuns = new HashMap<>();

    private record Shun(Duration length, Instant until) {
        static Shun from(Instant now, Duration length) {
            return new Shun(length, now.plus(length));
        }

        boolean lasts(Instant now) {
            return now.isBefore(until);
        }

        Duration longer() {
            var twice = length.multipliedBy(2);
            return twice.compareTo(SHUNNED_MAX) > 0 ? SHUNNED_MAX : twice;
        }
    }

    /**
     * Those that a request may be sent to next: of the known ones that it was not sent to yet, those that did not fail
     * a moment ago; if there are none, those that did. All of them use TLS, or none does.
     *
     * @param known the directory's, the preferred one first
     * @param spread whether it may be sent to any of them, and not to the first alone
     * @param tried those that it was sent to already
     */
    public List<SchedulerAddress> candidates(
            List<SchedulerAddress> known, boolean spread, Set<SchedulerAddress> tried, Instant now) {
        shuns.keySet().retainAll(Set.copyOf(known));
        var untried = known.stream().filter(address -> !tried.contains(address)).toList();
        var awake = untried.stream().filter(address -> !isShunned(address, now)).toList();
        var eligible = awake.isEmpty() ? untried : awake;
        return eligible.stream()
                .filter(address -> address.tls() == eligible.getFirst().tls())
                .limit(spread ? eligible.size() : 1)
                .toList();
    }

    private boolean isShunned(SchedulerAddress address, Instant now) {
        var shun = shuns.get(address);
        return shun != null && shun.lasts(now);
    }

    /**
     * It did not respond, or reported that it cannot serve. Of many concurrent failures only the first makes the time
     * longer.
     */
    public void failed(SchedulerAddress address, Instant now) {
        shuns.compute(address, (same, shun) -> {
            if (shun == null) {
                return Shun.from(now, SHUNNED_FOR);
            }
            return shun.lasts(now) ? shun : Shun.from(now, shun.longer());
        });
    }

    /** It responded. */
    public void answered(SchedulerAddress address) {
        shuns.remove(address);
    }
}
