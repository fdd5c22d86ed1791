package io.sluice.billing.core.exact;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/** What waits to become durable, window by window, so that nobody has to hold all that was found in many at once. */
final class WindowCommits {
    /** What is found beyond so many is one with the last, or is not looked for where windows may grow. */
    private static final int MOST = 8;

    private final DueVms holdings;
    private final UsageMeters meters;
    private final InheritedGaps doubts;
    private final ObservationContinuity hearing;
    private final Deque<WindowCommit> whole = new ArrayDeque<>();

    WindowCommits(DueVms holdings, UsageMeters meters, InheritedGaps doubts, ObservationContinuity hearing) {
        this.holdings = holdings;
        this.meters = meters;
        this.doubts = doubts;
        this.hearing = hearing;
    }

    boolean isFull() {
        return whole.size() >= MOST;
    }

    /** What is found from now on is told after what there is of a window. */
    void next(Set<String> settled) {
        if (meters.hasRead() && !isFull()) {
            whole.addLast(last(settled));
        }
    }

    WindowCommit take(Set<String> settled) {
        return whole.isEmpty() ? last(settled) : whole.removeFirst();
    }

    boolean hasMore() {
        return !whole.isEmpty() || meters.hasRead();
    }

    private WindowCommit last(Set<String> settled) {
        return new WindowCommit(
                holdings.takeDue(),
                holdings.takeGaps(),
                meters.takeChanged(),
                doubts.takeChanged(),
                hearing.until(),
                meters.windowStart(),
                settled);
    }
}
