package io.sluice.agent.scheduler.core;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The pods for which a scheduler required a wait, and until when; at most a minute counts. */
public final class RetryGate {
    static final Duration WAIT_MAX = Duration.ofSeconds(60);

    private final int reservationsMax;
    private final Map<String, Wait> waits = new LinkedHashMap<>();

    /**
     * A required wait.
     *
     * @param until when requests may be sent again
     * @param words of the scheduler
     */
    public record Wait(Instant until, String words) {}

    /** A gate for so many pods; beyond, the pod whose wait was required first is dropped. */
    public RetryGate(int membersMax) {
        this.reservationsMax = membersMax;
    }

    /** A scheduler accepts no requests for the pod for so long. */
    public void refused(String pod, Duration wait, String words, Instant now) {
        waits.remove(pod);
        waits.put(pod, new Wait(now.plus(wait.compareTo(WAIT_MAX) > 0 ? WAIT_MAX : wait), words));
        if (waits.size() > reservationsMax) {
            waits.remove(waits.keySet().iterator().next());
        }
    }

    /** The wait of the pod; empty if requests may be sent. */
    public Optional<Wait> waiting(String pod, Instant now) {
        var wait = waits.get(pod);
        if (wait != null && !now.isBefore(wait.until())) {
            waits.remove(pod);
            return Optional.empty();
        }
        return Optional.ofNullable(wait);
    }
}
