package io.sluice.simulation;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Plays histories on several threads until a number of events is reached, and prints its progress. It stores its
 * progress from time to time, so that a later run continues there.
 */
public final class LongRun {
    private static final long EVENTS = 200_000_000L;
    private static final long FIRST_SEED = 1_000_000L;
    private static final int EXPLAINED_MAX = 3;
    private static final Duration SHOWN_EVERY = Duration.ofSeconds(2);

    private final Path file;
    private final RunProgress progress;
    private int explained;

    private LongRun(long goal, Path file, RunState state) {
        this.file = file;
        this.progress = new RunProgress(state, goal);
    }

    /** Runs; exits with status 1 if an invariant broke. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        long goal = Long.getLong("sluice.simulation.events", EVENTS);
        int threads = Integer.getInteger(
                "sluice.simulation.threads", Runtime.getRuntime().availableProcessors());
        var file = Path.of(System.getProperty("sluice.simulation.dir", "target"), "simulation.state");
        long first = Long.getLong("sluice.simulation.firstSeed", FIRST_SEED);
        var state = RunState.read(file).orElseGet(() -> RunState.beginning(first));
        System.exit(new LongRun(goal, file, state).run(threads) ? 0 : 1);
    }

    private boolean run(int threads) throws IOException, InterruptedException {
        var workers = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            workers[i] = Thread.ofPlatform().name("simulation-" + i).start(this::work);
        }
        while (!progress.awaitOver(SHOWN_EVERY)) {
            progress.state().write(file);
            System.err.print("\r" + progress.bar());
        }
        for (var worker : workers) {
            worker.join();
        }
        var state = progress.state();
        state.write(file);
        System.err.println("\r" + progress.bar());
        System.out.println(state.summary());
        return state.failures() == 0;
    }

    private void work() {
        while (!progress.isOver()) {
            long seed = progress.next();
            progress.played(seed, play(seed));
        }
    }

    /** Plays the history of one seed; empty if it broke. */
    private Optional<HistoryReport> play(long seed) {
        try {
            return Optional.of(Histories.play(seed, Histories.standard()));
        } catch (BrokenHistory broken) {
            explain(seed, broken);
            return Optional.empty();
        }
    }

    private void explain(long seed, BrokenHistory broken) {
        boolean inFull;
        synchronized (this) {
            inFull = explained++ < EXPLAINED_MAX;
        }
        var text = inFull
                ? Histories.explain(seed, Histories.standard())
                        .map(Explanation::toString)
                        .orElseGet(broken::getMessage)
                : broken.getMessage();
        synchronized (this) {
            System.out.println(System.lineSeparator() + text);
        }
    }
}
