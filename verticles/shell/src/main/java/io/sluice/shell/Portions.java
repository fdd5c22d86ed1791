package io.sluice.shell;

import io.sluice.units.Resources;
import java.util.Objects;

/**
 * A part of an amount of CPU and memory, each kind by itself.
 *
 * @param cpu the part of the CPU
 * @param memory the part of the memory
 */
public record Portions(Portion cpu, Portion memory) {
    /** Nothing of either kind. */
    public static final Portions NOTHING = new Portions(Portion.NOTHING, Portion.NOTHING);

    public Portions {
        Objects.requireNonNull(cpu, "cpu");
        Objects.requireNonNull(memory, "memory");
    }

    /** A fixed amount of each kind. */
    public static Portions amounts(Resources amounts) {
        return new Portions(new Portion.Amount(amounts.milliCpu()), new Portion.Amount(amounts.memoryBytes()));
    }

    /** The part of the given amount. */
    public Resources of(Resources whole) {
        return new Resources(cpu.of(whole.milliCpu()), memory.of(whole.memoryBytes()));
    }

    /** The CPU as in config: {@code 500m} or {@code 20%}. */
    public String cpuText() {
        return switch (cpu) {
            case Portion.Amount(var milli) -> Quantities.cpuText(milli);
            case Portion.Share share -> share.toString();
        };
    }

    /** The memory as in config: {@code 1Gi} or {@code 10%}. */
    public String memoryText() {
        return switch (memory) {
            case Portion.Amount(var bytes) -> Quantities.memoryText(bytes);
            case Portion.Share share -> share.toString();
        };
    }

    /** Equal portions have equal texts, however they were written. */
    @Override
    public String toString() {
        return cpuText() + "/" + memoryText();
    }
}
