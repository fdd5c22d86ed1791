package io.sluice.billing.core.exact;

import java.time.Instant;

/** What a checkpoint has of one VM. */
public sealed interface MeterEntry {
    /** The VM has a usage meter. */
    record Running(UsageMeterState state) implements MeterEntry {}

    /**
     * The usage meter ended a short time ago. Another process may observe the VM's earlier versions again.
     *
     * @param version the last version that was observed
     * @param at the instant of its end
     */
    record Ended(long version, Instant at) implements MeterEntry {}

    /** The checkpoint has nothing of the VM any more. */
    record Forgotten() implements MeterEntry {}
}
