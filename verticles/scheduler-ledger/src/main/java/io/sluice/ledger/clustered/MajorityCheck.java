package io.sluice.ledger.clustered;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Whether a majority of the ledger processes has replied lately, by the monotonic clock of this process.
 *
 * <p>The time that counts is when an answered request was sent, not when its reply came. A reply that lay in a buffer
 * while this process stood still proves nothing about now. Safe from any thread.
 */
final class MajorityCheck {
    /** Two requests a second are sent: one may be lost, and one reply may be late. */
    static final Duration CONTACT_WITHIN = Duration.ofSeconds(2);

    private final int size;
    private final Map<UUID, Long> contacted = new ConcurrentHashMap<>();

    /** @param size the number of ledger processes */
    MajorityCheck(int size) {
        this.size = size;
    }

    /** The number of members in a majority, this one included. */
    int needed() {
        return size / 2 + 1;
    }

    /** Records a reply of a member of the same term that has this process in its member list. */
    void contacted(UUID member, long sentNanos) {
        contacted.merge(member, sentNanos, (before, sent) -> sent - before > 0 ? sent : before);
    }

    /** Forgets all other members. One that comes back has to reply again. */
    void forgetAllBut(Collection<UUID> others) {
        contacted.keySet().retainAll(others);
    }

    /**
     * The number of others that replied lately.
     *
     * @param others the other data members that are in the member list now
     */
    int present(Collection<UUID> others, long nowNanos) {
        int count = 0;
        for (var other : others) {
            var sent = contacted.get(other);
            if (sent != null && nowNanos - sent <= CONTACT_WITHIN.toNanos()) {
                count++;
            }
        }
        return count;
    }

    /** The number of these that replied to a request sent after that instant. */
    int contactedSince(Collection<UUID> others, long nanos) {
        return (int) others.stream()
                .map(contacted::get)
                .filter(sent -> sent != null && sent - nanos > 0)
                .count();
    }

    boolean holds(Collection<UUID> others, long nowNanos) {
        return size == 1 || 1 + present(others, nowNanos) >= needed();
    }
}
