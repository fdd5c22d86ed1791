package io.sluice.simulation.planted;

import io.sluice.simulation.BrokenHistory;
import io.sluice.simulation.Histories;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Plays histories on a product with a bug in it until an invariant is broken. A crash is none: a bug that makes the
 * product throw is found by anything at all, and proves nothing about the invariants.
 */
final class Search {
    private static final String SIMULATION = "io.sluice.simulation.";
    private static final String OURS = "io.sluice.";

    private final PlantedBug bug;
    private final Method play;
    private final Object shape;

    /**
     * How it ended.
     *
     * @param histories how many were played
     * @param broken the name of the invariant that was broken; empty if none was
     * @param crash what the product threw by itself in some history; empty if nothing
     */
    record Outcome(PlantedBug bug, int histories, Optional<String> broken, Optional<Throwable> crash) {
        String row() {
            return "| %s | `%s` | %s | %d |"
                    .formatted(bug.name(), bug.where(), broken.orElse("nothing broke"), histories);
        }
    }

    Search(PlantedBug bug) {
        this.bug = bug;
        var loader = Mutant.of(bug);
        try {
            var shapes = loader.loadClass(SIMULATION + "HistoryShape");
            this.shape = shapes.getMethod("standard").invoke(null);
            this.play = loader.loadClass(SIMULATION + "Histories").getMethod("play", long.class, shapes);
        } catch (ReflectiveOperationException missing) {
            throw new AssertionError("the simulation cannot be played", missing);
        }
    }

    Outcome within(long firstSeed, int histories) {
        var crash = Optional.<Throwable>empty();
        for (int played = 1; played <= histories; played++) {
            long seed = firstSeed + played - 1;
            var thrown = thrownBy(seed);
            var broken = thrown.filter(Search::isBreak).map(Search::invariant);
            if (broken.isPresent() && isSound(seed)) {
                return new Outcome(bug, played, broken, crash);
            }
            crash = crash.or(() -> thrown);
        }
        return new Outcome(bug, histories, Optional.empty(), crash);
    }

    /** Whether the history breaks nothing where nothing is planted; only then was it the bug that broke something. */
    private boolean isSound(long seed) {
        if (bug == PlantedBugs.NOTHING) {
            return true;
        }
        try {
            Histories.play(seed, Histories.standard());
            return true;
        } catch (BrokenHistory withoutTheBug) {
            return false;
        }
    }

    private Optional<Throwable> thrownBy(long seed) {
        try {
            play.invoke(null, seed, shape);
            return Optional.empty();
        } catch (InvocationTargetException thrown) {
            return Optional.of(thrown.getCause());
        } catch (IllegalAccessException hidden) {
            throw new AssertionError("the simulation cannot be played", hidden);
        }
    }

    /** Raised by the simulation, which came to it by itself and not by what the product threw. */
    private static boolean isBreak(Throwable thrown) {
        return Stream.iterate(thrown, cause -> cause != null, Throwable::getCause)
                .allMatch(cause -> cause instanceof AssertionError && isRaisedBySimulation(cause));
    }

    /** Asked of it by name, as its class is another one for each bug. */
    private static String invariant(Throwable broken) {
        try {
            return (String) broken.getClass().getMethod("invariant").invoke(broken);
        } catch (ReflectiveOperationException unnamed) {
            throw new AssertionError("a history broke without naming its invariant", broken);
        }
    }

    private static boolean isRaisedBySimulation(Throwable thrown) {
        return Arrays.stream(thrown.getStackTrace())
                .map(StackTraceElement::getClassName)
                .filter(name -> name.startsWith(OURS))
                .findFirst()
                .filter(name -> name.startsWith(SIMULATION))
                .isPresent();
    }
}
