package io.sluice.neonvm.core;

import io.sluice.units.VmId;
import java.time.Instant;
import java.util.Objects;

/**
 * Something that a person who looks at a VM should find there. One that comes again raises the count of the first.
 *
 * @param vm which VM
 * @param reason what kind of thing
 * @param name of the event, the same for all its repeats
 * @param message in words, as of the last time
 * @param count how many times it happened
 * @param first when it happened first
 * @param last when it happened last
 */
public record VmEvent(VmId vm, Reason reason, String name, String message, int count, Instant first, Instant last) {
    /** What kind of thing. */
    public enum Reason {
        /** The ledger granted less than was asked. */
        SCALING_DENIED("ScalingDenied", true),
        /** The VM's monitor has refused to shrink for long. */
        DOWNSCALE_VETOED("DownscaleVetoed", true),
        /** The VM is being moved. */
        MIGRATING("Migrating", false),
        /** The VM was moved. */
        MIGRATION_ENDED("MigrationEnded", false),
        /** The VM was to be moved and stays. */
        MIGRATION_FAILED("MigrationFailed", true),
        /** The VM was given a size long ago and does not have it. */
        SIZE_NOT_APPLIED("SizeNotApplied", true),
        /** An annotation of the VM is no good, and its last good value stays in force. */
        CONFIG_REFUSED("ConfigRefused", true);

        private final String word;
        private final boolean warning;

        Reason(String word, boolean warning) {
            this.word = word;
            this.warning = warning;
        }

        /** As it stands in events. */
        public String word() {
            return word;
        }

        /** Whether something is not as it should be. */
        public boolean warning() {
            return warning;
        }
    }

    public VmEvent {
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(first, "first");
        Objects.requireNonNull(last, "last");
    }

    /** Whether nothing was written of it yet. */
    public boolean isNew() {
        return count == 1;
    }
}
