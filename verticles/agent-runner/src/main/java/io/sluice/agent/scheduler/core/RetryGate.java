package io.sluice.agent.scheduler.core;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Who was asked to wait by a scheduler, and until when; a scheduler is believed up to a minute. */
public final class RetryGate {
    static final Duration WAIT_MAX = Duration.ofSeconds(60);

    private final int membersMax;
    private final Map<String, Wait> waits = new LinkedHashMap<>();

    /**
     * Why somebody waits.
     *
     * @param until when it may be asked again
     * @param words of the scheduler
     */
    public record Wait(Instant until, String words) {}

    /** A gate that remembers so many; beyond, the one told first is let through early. */
    public RetryGate(int membersMax) {
        this.membersMax = membersMax;
    }

    /** The scheduler wants to hear no more of the member for so long. */
    public void told(String member, Duration wait, String words, Instant now) {
        waits.remove(member);
        waits.put(member, new Wait(now.plus(wait.compareTo(WAIT_MAX) > 0 ? WAIT_MAX : wait), words));
        if (waits.size() > membersMax) {
            waits.remove(waits.keySet().iterator().next());
        }
    }

    /** What the member waits for; empty if it may ask. */
    public Optional<Wait> waiting(String member, Instant now) {
        var wait = waits.get(member);
        if (wait != null && !now.isBefore(wait.until())) {
            waits.remove(member);
            return Optional.empty();
        }
        return Optional.ofNullable(wait);
    }
}
