package io.sluice.simulation.planted;

import io.sluice.simulation.BrokenHistory;
import io.sluice.simulation.Histories;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Plays histories on a product with a bug until an invariant breaks. A crash does not count: any test finds a bug that
 * makes the product throw, so it proves nothing about the invariants.
 */
final class Search {
    private static final String SIMULATION = "io.sluice.simulation.";
    private static final String OURS = "io.sluice.";

    private final PlantedBug bug;
    private final Method play;
    private final Object shape;

    /**
     * The result of a search.
     *
     * @param histories number of histories that were played
     * @param broken the name of the broken invariant; empty if none broke
     * @param crash what the product itself threw in some history; empty if nothing
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
            var standard = shapes.getMethod("standard").invoke(null);
            var pods = shapes.getMethod("withPods", int.class).invoke(standard, bug.pods());
            var gangs = shapes.getMethod("withGangs", int.class).invoke(pods, bug.gangs());
            var scaled = shapes.getMethod("withScaledPods", int.class).invoke(gangs, bug.scaledPods());
            this.shape =
                    bug.gatewayPauses() ? shapes.getMethod("withGatewayPauses").invoke(scaled) : scaled;
            this.play = loader.loadClass(SIMULATION + "Histories").getMethod("play", long.class, shapes);
        } catch (ReflectiveOperationException missing) {
            throw new AssertionError("the simulation cannot be played", missing);
        }
    }

    Outcome within(int histories) {
        var crash = Optional.<Throwable>empty();
        for (int played = 1; played <= histories; played++) {
            long seed = bug.firstSeed() + played - 1;
            var thrown = thrownBy(seed);
            var broken = thrown.filter(Search::isBreak).map(Search::invariant);
            if (broken.isPresent() && isSound(seed)) {
                return new Outcome(bug, played, broken, crash);
            }
            crash = crash.or(() -> thrown);
        }
        return new Outcome(bug, histories, Optional.empty(), crash);
    }

    /** Whether the same history breaks nothing without a bug; otherwise the bug did not break it. */
    private boolean isSound(long seed) {
        if (bug == PlantedBugs.NOTHING) {
            return true;
        }
        try {
            Histories.play(seed, bug.shape());
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

    /** Whether the simulation itself raised it, and not the product. */
    private static boolean isBreak(Throwable thrown) {
        return Stream.iterate(thrown, cause -> cause != null, Throwable::getCause)
                .allMatch(cause -> cause instanceof AssertionError && isRaisedBySimulation(cause));
    }

    /** The name of the broken invariant, read by reflection, as its class is another one for each bug. */
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
