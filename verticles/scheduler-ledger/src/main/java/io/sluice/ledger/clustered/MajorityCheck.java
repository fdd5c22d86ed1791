package io.sluice.ledger.clustered;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Whether this process hears most of those that keep books, by the monotonic clock of this process alone.
 *
 * <p>What counts is when a question was sent that was answered, not when the answer came: an answer that lay in a
 * buffer while this process was stopped proves nothing about now. Safe from any thread.
 */
final class MajorityCheck {
    /** Two questions a second are sent: one may be lost, and one answer late. */
    static final Duration HEARD_WITHIN = Duration.ofSeconds(2);

    private final int size;
    private final Map<UUID, Long> heard = new ConcurrentHashMap<>();

    /** @param size how many processes keep books in all */
    MajorityCheck(int size) {
        this.size = size;
    }

    /** How many make a majority, this one included. */
    int needed() {
        return size / 2 + 1;
    }

    /** A member of the same term, which has this process among its own members, answered a question. */
    void heard(UUID member, long sentNanos) {
        heard.merge(member, sentNanos, (before, sent) -> sent - before > 0 ? sent : before);
    }

    /** Whoever is no member any more has to be heard anew if it comes back. */
    void forgetAllBut(Collection<UUID> others) {
        heard.keySet().retainAll(others);
    }

    /**
     * How many others were heard lately.
     *
     * @param others that keep books and are members now
     */
    int present(Collection<UUID> others, long nowNanos) {
        int count = 0;
        for (var other : others) {
            var sent = heard.get(other);
            if (sent != null && nowNanos - sent <= HEARD_WITHIN.toNanos()) {
                count++;
            }
        }
        return count;
    }

    /** How many of these answered a request that was sent after that instant. */
    int heardSince(Collection<UUID> others, long nanos) {
        return (int) others.stream()
                .map(heard::get)
                .filter(sent -> sent != null && sent - nanos > 0)
                .count();
    }

    boolean holds(Collection<UUID> others, long nowNanos) {
        return size == 1 || 1 + present(others, nowNanos) >= needed();
    }
}
