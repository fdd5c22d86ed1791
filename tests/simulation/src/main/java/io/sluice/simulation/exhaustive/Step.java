package io.sluice.simulation.exhaustive;

/**
 * One step of a history.
 *
 * @param kind what happens
 * @param of the message, VM, pod, node or process that it concerns
 */
record Step(Kind kind, int of) {
    private static final int OF_BITS = 8;

    /** The kinds of steps. */
    enum Kind {
        ARRIVES,
        ARRIVES_AND_STAYS,
        TIMES_OUT,
        HANGS_UP,
        DRIVER_WORKS,
        LEDGER_OBSERVES,
        RUNNER_OBSERVES,
        OBSERVATION_WAITS,
        LOAD_FALLS,
        LOAD_RISES,
        RUNNER_CRASHES,
        RUNNER_STARTS,
        IS_SWITCHED_OFF,
        RECLAIM_BEGINS,
        FULL_LIST_BEGINS,
        SHORT_TIME_PASSES,
        LONG_TIME_PASSES,
        STATE_IS_LOST,
        LEDGER_DIES,
        LEDGER_IS_CUT_OFF,
        LEDGER_COPIES,
        STALE_LEDGER_RETURNS,
        ATTEMPT_BEGINS,
        HOLD_IS_LEFT_OVER,
        PLACER_CRASHES,
        LEDGER_OBSERVES_POD,
        POD_ENDS
    }

    short code() {
        return (short) (kind.ordinal() << OF_BITS | of);
    }

    static Step of(short code) {
        return new Step(Kind.values()[code >> OF_BITS], code & (1 << OF_BITS) - 1);
    }
}
