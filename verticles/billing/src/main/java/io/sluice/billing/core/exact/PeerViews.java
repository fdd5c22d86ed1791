package io.sluice.billing.core.exact;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/** The latest changes of the set of established processes, for the next process. */
final class PeerViews {
    private static final int MOST = 16;

    private final Deque<Predecessor.View> views = new ArrayDeque<>();
    private Instant from = Instant.EPOCH;

    /** What was before this instant is left to other processes. */
    void from(Instant at) {
        from = at;
    }

    /** These processes are established now. */
    void observe(Set<String> settled, Instant now) {
        if (views.isEmpty()) {
            views.addLast(new Predecessor.View(from, settled));
        } else if (!views.getLast().settled().equals(settled)) {
            views.addLast(new Predecessor.View(now, settled));
        }
        if (views.size() > MOST) {
            views.removeFirst();
        }
    }

    /**
     * Returns the views, earliest first. Before the first one, it returns the given processes of an earlier checkpoint.
     */
    List<Predecessor.View> all(Set<String> before) {
        return views.isEmpty() ? List.of(new Predecessor.View(from, before)) : List.copyOf(views);
    }
}
