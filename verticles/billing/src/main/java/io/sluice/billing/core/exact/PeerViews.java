package io.sluice.billing.core.exact;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/** Whom this one saw, the latest changes of it: for whoever goes on after it. */
final class PeerViews {
    private static final int MOST = 16;

    private final Deque<Predecessor.View> seen = new ArrayDeque<>();
    private Instant from = Instant.EPOCH;

    /** What was before is left to others. */
    void from(Instant at) {
        from = at;
    }

    /** These surely bill now. */
    void see(Set<String> settled, Instant now) {
        if (seen.isEmpty()) {
            seen.addLast(new Predecessor.View(from, settled));
        } else if (!seen.getLast().settled().equals(settled)) {
            seen.addLast(new Predecessor.View(now, settled));
        }
        if (seen.size() > MOST) {
            seen.removeFirst();
        }
    }

    /** The earliest first; before anybody was seen, those whom somebody else had seen. */
    List<Predecessor.View> all(Set<String> before) {
        return seen.isEmpty() ? List.of(new Predecessor.View(from, before)) : List.copyOf(seen);
    }
}
