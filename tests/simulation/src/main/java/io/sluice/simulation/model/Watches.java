package io.sluice.simulation.model;

import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Seconds;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The watches of one process: the changes of each kind arrive in order, some time after they were made. A watch that
 * breaks misses changes, and then reads everything anew.
 */
final class Watches {
    private static final long LAG = Seconds.of(3);
    private static final long QUICK = Seconds.ofMillis(60);

    /** The kinds of objects that are watched. */
    enum Kind {
        NODES,
        PODS,
        VMS,
        MOVES
    }

    private final World world;
    private final Chance chance;
    private final Consumer<Kind> readAnew;
    private final Map<Kind, Long> due = new EnumMap<>(Kind.class);
    private final Map<Kind, Boolean> broken = new EnumMap<>(Kind.class);
    private int life;

    Watches(World world, Consumer<Kind> readAnew) {
        this.world = world;
        this.chance = world.faults().chance("watches");
        this.readAnew = readAnew;
    }

    /** Drops the changes under way, as the process has ended. */
    void reset() {
        life++;
        due.clear();
        broken.clear();
    }

    /** Delivers a change some time later. */
    void made(Kind kind, Runnable reported) {
        if (broken.getOrDefault(kind, false)) {
            return;
        }
        boolean slow = chance.oneIn(8) && world.faults().happens(chance, chance.drawn(), "slow");
        long at = Math.max(due.getOrDefault(kind, 0L), world.time().now() + 1 + chance.below(slow ? LAG : QUICK));
        due.put(kind, at);
        int mine = life;
        world.time().in(at - world.time().now(), () -> {
            if (mine == life) {
                reported.run();
            }
        });
    }

    /** Breaks a watch for that long. */
    void tear(Kind kind, long nanos) {
        if (broken.getOrDefault(kind, false)) {
            return;
        }
        broken.put(kind, true);
        int mine = life;
        world.time().in(nanos, () -> {
            if (mine == life) {
                broken.put(kind, false);
                readAnew.accept(kind);
            }
        });
    }
}
