package io.sluice.messages.vm;

import io.sluice.messages.cluster.VmSizes;
import java.util.Objects;

/** The driver's answer to {@link ClaimVm}. */
public sealed interface ClaimReply {
    /**
     * The fence is written.
     *
     * @param fence the whole fence, to be handed back with the first patch
     * @param sizes the VM's sizes as the same write answered them
     * @param settled whether the same write showed that the driver had nothing left to do: the VM is what it was told
     *     to be, and shows the goal that it was told last
     */
    record Claimed(String fence, VmSizes sizes, boolean settled) implements ClaimReply {
        public Claimed {
            Objects.requireNonNull(fence, "fence");
            Objects.requireNonNull(sizes, "sizes");
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
