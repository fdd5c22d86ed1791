package io.sluice.simulation.exhaustive;

import java.util.List;

/** Explores each setup for its part of the time, and prints its progress and what is broken. */
public final class Exhaustive {
    private static final int SECONDS = 600;
    private static final int DEEPEST = 200;
    private static final long MOST_STATES = 100_000_000L;
    private static final long SHOWN_EVERY_MILLIS = 2_000;
    private static final double NANOS = 1e9;

    private Exhaustive() {}

    /** Runs; exits with status 1 if a promise is broken. */
    public static void main(String[] arguments) throws InterruptedException {
        int threads = Integer.getInteger(
                "sluice.exhaustive.threads", Runtime.getRuntime().availableProcessors());
        int seconds = Integer.getInteger("sluice.exhaustive.seconds", SECONDS);
        int depth = Integer.getInteger("sluice.exhaustive.depth", DEEPEST);
        long most = Long.getLong("sluice.exhaustive.states", MOST_STATES);
        var wanted = System.getProperty("sluice.exhaustive.setup", "");
        var setups = wanted.isEmpty() ? Setup.all() : List.of(Setup.named(wanted));
        boolean kept = true;
        for (var setup : setups) {
            kept &= explore(setup, threads, depth, most, seconds / setups.size());
        }
        System.exit(kept ? 0 : 1);
    }

    private static boolean explore(Setup setup, int threads, int depth, long most, int seconds)
            throws InterruptedException {
        long begun = System.nanoTime();
        long end = begun + (long) (seconds * NANOS);
        var exploration = new Exploration(setup);
        var shown = Thread.ofPlatform().daemon().start(() -> show(setup, exploration, begun));
        boolean complete = true;
        while (exploration.goesOn() && exploration.depth() < depth && complete) {
            exploration.deepen(threads, () -> System.nanoTime() > end || exploration.states() > most);
            complete = System.nanoTime() <= end && exploration.states() <= most;
        }
        shown.interrupt();
        shown.join();
        double took = (System.nanoTime() - begun) / NANOS;
        System.err.print("\r");
        System.out.printf(
                "%s: %,d states, every history of %d steps%s; %,d steps tried, %.0f s, %,.0f states/s (%s)%n",
                setup.name(),
                exploration.states(),
                exploration.depth() - (complete ? 0 : 1),
                exploration.goesOn()
                        ? (complete ? "" : ", and some that are longer")
                        : ", and there are no longer ones",
                exploration.tried(),
                took,
                exploration.states() / took,
                exploration.sizes());
        exploration.broken().values().forEach(example -> System.out.println(example.text()));
        return exploration.broken().isEmpty();
    }

    private static void show(Setup setup, Exploration exploration, long begun) {
        try {
            while (true) {
                Thread.sleep(SHOWN_EVERY_MILLIS);
                System.err.printf(
                        "\r%s: depth %d, %,d states, %,.0f a second ",
                        setup.name(),
                        exploration.depth() + 1,
                        exploration.states(),
                        exploration.states() * NANOS / (System.nanoTime() - begun));
            }
        } catch (InterruptedException done) {
            // The exploration has ended, so the display thread ends.
        }
    }
}
