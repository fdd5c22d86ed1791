package io.sluice.simulation;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Assigns seeds in order, and counts what was played before the first seed that is still being played. */
final class RunProgress {
    private static final int WIDTH = 30;
    private static final long NANOS = 1_000_000_000L;

    private final long goal;
    private final RunState before;
    private final long startedAt = System.nanoTime();
    private final Map<Long, Optional<HistoryReport>> ahead = new HashMap<>();
    private RunState state;
    private long handedOut;

    RunProgress(RunState before, long goal) {
        this.before = before;
        this.state = before;
        this.handedOut = before.nextSeed();
        this.goal = goal;
    }

    synchronized long next() {
        return handedOut++;
    }

    synchronized boolean isOver() {
        return state.events() >= goal;
    }

    /** Waits until the run is over, or that long at most; returns whether it is over. */
    synchronized boolean awaitOver(Duration longest) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        for (long left = longest.toNanos(); !isOver() && left > 0; left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return isOver();
    }

    synchronized RunState state() {
        return state;
    }

    synchronized void played(long seed, Optional<HistoryReport> report) {
        ahead.put(seed, report);
        while (ahead.containsKey(state.nextSeed())) {
            var next = ahead.remove(state.nextSeed());
            state = new RunState(
                    state.firstSeed(),
                    state.nextSeed() + 1,
                    state.events() + next.map(HistoryReport::events).orElse(0L),
                    state.failures() + (next.isEmpty() ? 1 : 0),
                    before.seconds() + (System.nanoTime() - startedAt) / NANOS);
        }
        if (isOver()) {
            notifyAll();
        }
    }

    synchronized String bar() {
        double share = Math.min(1.0, (double) state.events() / goal);
        int full = (int) (share * WIDTH);
        double seconds = Math.max(1e-3, (System.nanoTime() - startedAt) / (double) NANOS);
        double pace = (state.events() - before.events()) / seconds;
        long left = pace > 0 ? (long) (Math.max(0, goal - state.events()) / pace) : 0;
        return String.format(
                "[%s%s] %5.1f %%  %d events  %.0f/s  %d:%02d:%02d left  seeds %d..%d  failures %d   ",
                "=".repeat(full),
                " ".repeat(WIDTH - full),
                share * 100,
                state.events(),
                pace,
                left / 3600,
                left / 60 % 60,
                left % 60,
                state.firstSeed(),
                state.nextSeed() - 1,
                state.failures());
    }
}
