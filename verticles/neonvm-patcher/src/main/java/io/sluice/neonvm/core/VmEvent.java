package io.sluice.neonvm.core;

import io.sluice.units.VmId;
import java.time.Instant;
import java.util.Objects;

/**
 * A Kubernetes Event on a VM. A repeated one raises the count of the first.
 *
 * @param vm which VM
 * @param reason its reason
 * @param name of the Event, the same for all its repeats
 * @param message of the last occurrence
 * @param count how many times it occurred
 * @param first when it occurred first
 * @param last when it occurred last
 */
public record VmEvent(VmId vm, Reason reason, String name, String message, int count, Instant first, Instant last) {
    /** The reason of an Event. */
    public enum Reason {
        /** The ledger granted less than was requested. */
        SCALING_DENIED("ScalingDenied", true),
        /** The VM's monitor has denied a downscale for long. */
        DOWNSCALE_DENIED("DownscaleDenied", true),
        /** The VM is migrating. */
        MIGRATING("Migrating", false),
        /** The VM has migrated. */
        MIGRATION_ENDED("MigrationEnded", false),
        /** The VM was to migrate and stays. */
        MIGRATION_FAILED("MigrationFailed", true),
        /** A size was set long ago and is not applied. */
        SIZE_NOT_APPLIED("SizeNotApplied", true),
        /** An annotation of the VM is invalid, and its last valid value stays in force. */
        CONFIG_REFUSED("ConfigRefused", true);

        private final String word;
        private final boolean warning;

        Reason(String word, boolean warning) {
            this.word = word;
            this.warning = warning;
        }

        /** The word as written in Events. */
        public String word() {
            return word;
        }

        /** Whether it is a warning. */
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

    /** Whether it was not written yet. */
    public boolean isNew() {
        return count == 1;
    }
}
