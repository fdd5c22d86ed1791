package io.sluice.messages.vm;

import io.sluice.units.Resources;
import java.util.Objects;

/** The driver's reply to {@link PatchVm}. No reply at all means the same as {@link InDoubt}. */
public sealed interface PatchReply {
    /** Which reply it is, as a word for metrics and traces. */
    default String word() {
        return switch (this) {
            case Patched _ -> "patched";
            case Conflict _ -> "conflict";
            case Refused _ -> "refused";
            case InDoubt _ -> "in_doubt";
        };
    }

    /**
     * The VM object has the new size and the new fence.
     *
     * @param version of the VM object after the patch
     */
    record Patched(long version) implements PatchReply {}

    /**
     * The VM has another fence; its size is unchanged.
     *
     * @param size the size in the VM's spec, as read after the conflict
     * @param fence the VM's fence
     */
    record Conflict(Resources size, String fence) implements PatchReply {
        public Conflict {
            Objects.requireNonNull(size, "size");
            Objects.requireNonNull(fence, "fence");
        }
    }

    /**
     * The patch was certainly not applied.
     *
     * @param status HTTP status, or 0 where it was never sent
     * @param reason in words
     */
    record Refused(int status, String reason) implements PatchReply {
        public Refused {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /**
     * It is not known whether the patch was or will be applied.
     *
     * @param reason in words
     */
    record InDoubt(String reason) implements PatchReply {
        public InDoubt {
            Objects.requireNonNull(reason, "reason");
        }
    }
}
