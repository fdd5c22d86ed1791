package io.sluice.cluster.roles;

import java.time.Duration;
import java.util.List;

/** A fault of one of two processes with a role, and how long VMs may then wait for their sizes. */
public enum ProcessFault {
    /** {@code kill -9}; started again afterwards. */
    KILL(Duration.ofSeconds(5), Duration.ofSeconds(15)) {
        @Override
        public void strike(RoleProcess victim) {
            victim.kill();
        }

        @Override
        public void undo(RoleProcess victim) {
            victim.start();
        }
    },
    /** SIGTERM; started again when it has ended. */
    RESTART(Duration.ofSeconds(5), Duration.ofSeconds(15)) {
        @Override
        public void strike(RoleProcess victim) {
            victim.stop();
            victim.start();
        }

        @Override
        public void undo(RoleProcess victim) {}
    },
    /** SIGSTOP for 15 s, then SIGCONT. */
    STOP(Duration.ofSeconds(10), Duration.ofSeconds(20)) {
        @Override
        public void strike(RoleProcess victim) {
            victim.freeze();
            last(STILL);
        }

        @Override
        public void undo(RoleProcess victim) {
            victim.thaw();
        }
    };

    private static final Duration STILL = Duration.ofSeconds(15);

    private final Duration median;
    private final Duration most;

    ProcessFault(Duration median, Duration most) {
        this.median = median;
        this.most = most;
    }

    /**
     * Returns when a fault has lasted that long. It waits for time alone, as the fault's length matters and no event
     * ends it.
     */
    public static void last(Duration length) {
        try {
            Thread.sleep(length);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a fault lasted", interrupted);
        }
    }

    /**
     * Returns the faults to play at a turn: all of them, or with {@code cluster.short} one, at the next turn the next.
     */
    public static List<ProcessFault> played(List<ProcessFault> faults, int turn) {
        return Boolean.getBoolean("cluster.short") ? List.of(faults.get(turn % faults.size())) : faults;
    }

    /** Injects the fault. */
    public abstract void strike(RoleProcess victim);

    /** Removes its cause. */
    public abstract void undo(RoleProcess victim);

    /** Goal of the median over VMs. */
    Duration median() {
        return median;
    }

    /** Goal of the slowest VM. */
    Duration most() {
        return most;
    }
}
