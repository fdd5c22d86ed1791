package io.sluice.agent.core.runner;

import io.sluice.messages.vm.ClaimVm;
import java.util.Objects;
import java.util.Optional;

/**
 * The fence that a runner holds on its VM, written {@code owner/n}.
 *
 * <p>No number is ever written twice. While it is unknown whether a patch was applied, the VM's fence may be the one
 * that the patch tested or the one that it wrote, and the next patch tests the old one. If that test passes, the lost
 * patch can never be applied any more. If not, the conflict has the VM's current fence, and its number identifies the
 * patch that wrote it.
 *
 * @param owner the claim that wrote it, with the version at which the driver wrote it: a claim that is carried out
 *     twice leaves two fences, or its second time would let in a patch that the fences in between had excluded
 * @param current the number that the next patch tests
 * @param drawn the highest number handed out
 */
record Fence(String owner, long current, long drawn) {
    private static final long UNREADABLE = -1;

    /** Separates the name of a claim from the version at which the driver wrote it. */
    private static final String WRITTEN_AT = "+";

    /** What a conflict shows about the fence. */
    sealed interface Outcome {
        /**
         * The fence is this runner's: a patch whose reply was lost was applied.
         *
         * @param fence the fence that the runner holds from now on
         */
        record Ours(Fence fence) implements Outcome {}

        /**
         * No runner that serves the VM wrote it: an earlier claim of this runner was applied late, or the reclaimer
         * wrote it, as no runner served the VM.
         */
        record Nobodys() implements Outcome {}

        /** Another runner wrote it. */
        record Foreign() implements Outcome {}
    }

    Fence {
        Objects.requireNonNull(owner, "owner");
    }

    /** The fence in the reply to a claim with this {@code owner}; empty if it has another owner. */
    static Optional<Fence> claimed(String owner, String read) {
        int slash = read.lastIndexOf('/');
        boolean ours = slash >= 0 && (read.startsWith(owner + "/") || read.startsWith(owner + WRITTEN_AT));
        long number = ours ? number(read.substring(slash + 1)) : UNREADABLE;
        return number == UNREADABLE
                ? Optional.empty()
                : Optional.of(new Fence(read.substring(0, slash), number, number));
    }

    String text() {
        return owner + "/" + current;
    }

    Fence drawNext() {
        return new Fence(owner, current, drawn + 1);
    }

    String nextText() {
        return owner + "/" + drawn;
    }

    /** The patch that was to write {@code number} was applied. */
    Fence wrote(long number) {
        return new Fence(owner, number, drawn);
    }

    /**
     * Classifies the fence that was read after a conflict.
     *
     * @param runnerId the prefix of the owners of all of this runner's fences
     */
    Outcome weigh(String read, String runnerId) {
        int slash = read.lastIndexOf('/');
        var readOwner = slash < 0 ? "" : read.substring(0, slash);
        if (!readOwner.equals(owner)) {
            boolean nobodys = readOwner.startsWith(runnerId + ".") || ClaimVm.byReclaimer(readOwner);
            return nobodys ? new Outcome.Nobodys() : new Outcome.Foreign();
        }
        long number = number(read.substring(slash + 1));
        return number >= current && number <= drawn ? new Outcome.Ours(wrote(number)) : new Outcome.Nobodys();
    }

    /**
     * Whether a fence that an observation shows was claimed after this one. Only the versions decide: an observation
     * from before this claim also has a fence of another owner.
     */
    boolean isOlderThan(String observed) {
        long own = claimedAt(text());
        return own != UNREADABLE && claimedAt(observed) > own;
    }

    /** The version at which a fence was claimed; {@link #UNREADABLE} if it has none. */
    private static long claimedAt(String fence) {
        int slash = fence.lastIndexOf('/');
        int plus = fence.lastIndexOf(WRITTEN_AT, slash);
        return plus < 0 ? UNREADABLE : number(fence.substring(plus + WRITTEN_AT.length(), slash));
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException notANumber) {
            // A number that was never drawn: the caller handles the fence as one that was given up.
            return UNREADABLE;
        }
    }
}
