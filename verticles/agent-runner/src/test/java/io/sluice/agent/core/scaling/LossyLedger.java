package io.sluice.agent.core.scaling;

import io.sluice.units.Resources;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * The scheduler as the strict promise needs to see it: one amount, changed by each question that arrives in its turn.
 * Late and repeated questions change nothing.
 */
final class LossyLedger {
    private final Random random;
    private final Resources unit;
    private final Map<Long, Resources> answers = new HashMap<>();
    private long newest;
    private Resources booked;

    LossyLedger(Random random, Resources unit, Resources booked) {
        this.random = random;
        this.unit = unit;
        this.booked = booked;
    }

    Resources booked() {
        return booked;
    }

    /** The permit; empty for a question that came out of turn. */
    Optional<Resources> ask(long seq, Resources target, boolean room) {
        if (seq > newest) {
            newest = seq;
            booked = new Resources(
                    ruled(booked.milliCpu(), target.milliCpu(), unit.milliCpu(), room),
                    ruled(booked.memoryBytes(), target.memoryBytes(), unit.memoryBytes(), room));
            answers.put(seq, booked);
        }
        return seq == newest ? Optional.of(answers.get(seq)) : Optional.empty();
    }

    private long ruled(long before, long target, long unit, boolean room) {
        if (target <= before) {
            return target;
        }
        long left = room ? Long.MAX_VALUE : random.nextInt(3) * unit;
        return before + Math.min(target - before, left);
    }
}
