package io.sluice.agent.core.scaling;

import io.sluice.units.Resources;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * The part of a scheduler that the strict guarantee needs: one amount, changed by each permit request in sequence. Late
 * and repeated requests change nothing.
 */
final class LossyLedger {
    private final Random random;
    private final Resources unit;
    private final Map<Long, Resources> answers = new HashMap<>();
    private long newest;
    private Resources reserved;

    LossyLedger(Random random, Resources unit, Resources reserved) {
        this.random = random;
        this.unit = unit;
        this.reserved = reserved;
    }

    Resources reserved() {
        return reserved;
    }

    /** The permit; empty for a request out of sequence. */
    Optional<Resources> request(long seq, Resources target, boolean room) {
        if (seq > newest) {
            newest = seq;
            reserved = new Resources(
                    ruled(reserved.milliCpu(), target.milliCpu(), unit.milliCpu(), room),
                    ruled(reserved.memoryBytes(), target.memoryBytes(), unit.memoryBytes(), room));
            answers.put(seq, reserved);
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
