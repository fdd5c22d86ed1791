package io.sluice.billing.core.exact;

import io.sluice.billing.core.DriverContinuity;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Commits that wait to be written, one for each window, so that the results of many windows need not be held at once.
 */
final class WindowCommits {
    /** While so many wait, no further window is closed. */
    private static final int MOST = 8;

    private final DueRecords due;
    private final UsageMeters meters;
    private final DriverContinuity continuity;
    private final Deque<WindowCommit> whole = new ArrayDeque<>();

    WindowCommits(DueRecords due, UsageMeters meters, DriverContinuity continuity) {
        this.due = due;
        this.meters = meters;
        this.continuity = continuity;
    }

    boolean isFull() {
        return whole.size() >= MOST;
    }

    /** Completes the commit of the window that was read; later results go to the next one. */
    void next() {
        if (meters.hasRead() && !isFull()) {
            whole.addLast(last());
        }
    }

    WindowCommit take() {
        return whole.isEmpty() ? last() : whole.removeFirst();
    }

    boolean hasMore() {
        return !whole.isEmpty() || meters.hasRead();
    }

    private WindowCommit last() {
        return new WindowCommit(
                due.takeCharges(), due.takeGaps(), meters.takeChanged(), continuity.until(), meters.windowStart());
    }
}
