package io.sluice.lab.load.core;

import java.time.Duration;
import java.time.Instant;

/** An exceptional load of a guest for some time; times are real ones, counted from the guest's start. */
public sealed interface ScenarioEvent {
    /** When it begins. */
    Duration from();

    /** How long it lasts. */
    Duration lasts();

    /**
     * Allocates memory at once and frees it at once: its monitor sends an upscale request.
     *
     * @param bytes how much
     */
    record Allocation(Duration from, Duration lasts, long bytes) implements ScenarioEvent {
        public Allocation {
            check(from, lasts, bytes >= 0, "bytes");
        }
    }

    /**
     * Denies downscales: the monitor counts at least a share of the guest's whole memory as used, though its metrics
     * show it free. It simulates memory that programs released lazily, which only the control group still counts.
     *
     * @param share of the memory; below 0.85, the threshold of an upscale request
     */
    record Hold(Duration from, Duration lasts, double share) implements ScenarioEvent {
        public Hold {
            check(from, lasts, share >= 0 && share < 0.85, "share (0 to below 0.85)");
        }
    }

    /**
     * Needs this much CPU in addition to its series.
     *
     * @param vCpus how much
     */
    record Surge(Duration from, Duration lasts, double vCpus) implements ScenarioEvent {
        public Surge {
            check(from, lasts, vCpus >= 0 && vCpus < Double.POSITIVE_INFINITY, "vCpus");
        }
    }

    /** Whether it is active at a time, for a guest that started at another. */
    default boolean active(Instant start, Instant now) {
        var begins = start.plus(from());
        return !now.isBefore(begins) && now.isBefore(begins.plus(lasts()));
    }

    private static void check(Duration from, Duration lasts, boolean amountFits, String amount) {
        if (from.isNegative() || !lasts.isPositive()) {
            throw new IllegalArgumentException("an event begins at zero or later and lasts: " + from + ", " + lasts);
        }
        if (!amountFits) {
            throw new IllegalArgumentException("an event's " + amount + " is out of range");
        }
    }
}
