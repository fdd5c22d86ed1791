package io.sluice.messages.vm;

import io.sluice.messages.cluster.VmSizes;
import io.sluice.units.Revision;
import java.util.Objects;
import java.util.Optional;

/** The driver's answer to {@link ClaimVm}. */
public sealed interface ClaimReply {
    /**
     * The fence is written.
     *
     * @param fence the whole fence, to be handed back with the first patch
     * @param sizes the VM's sizes as the same write answered them
     * @param settled whether the same write showed that the driver had nothing left to do: the VM is what it was told
     *     to be, and shows the goal that it was told last
     * @param target the goal that it was told last, whether reached or not; the next one is numbered above it. Empty
     *     where it was told none
     */
    record Claimed(String fence, VmSizes sizes, boolean settled, Optional<Revision> target) implements ClaimReply {
        public Claimed {
            Objects.requireNonNull(fence, "fence");
            Objects.requireNonNull(sizes, "sizes");
            Objects.requireNonNull(target, "target");
        }
    }

    /**
     * The fence was not written, or it is not known whether it was; claiming again is safe.
     *
     * @param reason in words
     */
    record Failed(String reason) implements ClaimReply {
        public Failed {
            Objects.requireNonNull(reason, "reason");
        }
    }
}
