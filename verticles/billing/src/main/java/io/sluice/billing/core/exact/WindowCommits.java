package io.sluice.billing.core.exact;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/**
 * Commits that wait to be written, one for each window, so that the results of many windows need not be held at once.
 */
final class WindowCommits {
    /** Results beyond this number join the last commit. Where windows may grow, no more are closed. */
    private static final int MOST = 8;

    private final DueVms holdings;
    private final UsageMeters meters;
    private final InheritedGaps inheritedGaps;
    private final ObservationContinuity continuity;
    private final Deque<WindowCommit> whole = new ArrayDeque<>();

    WindowCommits(DueVms holdings, UsageMeters meters, InheritedGaps inheritedGaps, ObservationContinuity continuity) {
        this.holdings = holdings;
        this.meters = meters;
        this.inheritedGaps = inheritedGaps;
        this.continuity = continuity;
    }

    boolean isFull() {
        return whole.size() >= MOST;
    }

    /** Completes the commit of the window that was read; later results go to the next one. */
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
                inheritedGaps.takeChanged(),
                continuity.until(),
                meters.windowStart(),
                settled);
    }
}
