package io.sluice.messages.vm;

import io.sluice.messages.cluster.VmSizes;
import io.sluice.units.Revision;
import java.util.Objects;
import java.util.Optional;

/** The driver's reply to {@link ClaimVm}. */
public sealed interface ClaimReply {
    /**
     * The fence is written.
     *
     * @param fence the whole fence, to be sent with the first patch
     * @param sizes the VM's sizes in the reply to the same write
     * @param settled whether that reply shows that the driver has nothing left to do: the VM has the size of its spec,
     *     and its status shows the last requested goal
     * @param target the last requested goal, whether reached or not; the next one is numbered above it. Empty where
     *     there was none
     */
    record Claimed(String fence, VmSizes sizes, boolean settled, Optional<Revision> target) implements ClaimReply {
        public Claimed {
            Objects.requireNonNull(fence, "fence");
            Objects.requireNonNull(sizes, "sizes");
            Objects.requireNonNull(target, "target");
        }
    }

    /**
     * The fence was not written, or it is not known whether it was; another claim is safe.
     *
     * @param reason in words
     */
    record Failed(String reason) implements ClaimReply {
        public Failed {
            Objects.requireNonNull(reason, "reason");
        }
    }
}
