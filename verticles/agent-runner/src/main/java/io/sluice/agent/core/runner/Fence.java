package io.sluice.agent.core.runner;

import io.sluice.messages.vm.ClaimVm;
import java.util.Objects;
import java.util.Optional;

/**
 * The fence that a runner believes to stand on its VM, written {@code owner/n}.
 *
 * <p>No number is ever written twice: while it is not known whether a patch was applied, the fence that stands may be
 * the one the patch tested or the one it wrote, and the next patch tests the old one. If that passes, the lost patch
 * can never be applied any more; if not, the conflict names the fence that stands, and by its number the patch that
 * wrote it.
 *
 * @param owner who wrote it, with the version at which the driver did: a claim that is carried out twice leaves two
 *     fences, or its second time would let in a patch that the fences between had shut out
 * @param standing the number that the next patch tests
 * @param drawn the highest number handed out
 */
record Fence(String owner, long standing, long drawn) {
    private static final long UNREADABLE = -1;

    /** What stands between the name that a claim gave and the version at which the driver wrote it. */
    private static final String WRITTEN_AT = "+";

    /** What a conflict says about the fence. */
    sealed interface Verdict {
        /**
         * It is this runner's, and stands as given here: a patch whose answer was lost had been applied.
         *
         * @param fence what is believed from now on
         */
        record Ours(Fence fence) implements Verdict {}

        /**
         * It is nobody's who speaks for the VM: an earlier claim of this runner was applied late, or what was booked
         * for the VM was settled, as nobody had spoken for it yet.
         */
        record Nobodys() implements Verdict {}

        /** It is somebody else's. */
        record Foreign() implements Verdict {}
    }

    Fence {
        Objects.requireNonNull(owner, "owner");
    }

    /** The fence that a claim in the name of {@code owner} answered; empty if it is not that owner's. */
    static Optional<Fence> claimed(String owner, String read) {
        int slash = read.lastIndexOf('/');
        boolean ours = slash >= 0 && (read.startsWith(owner + "/") || read.startsWith(owner + WRITTEN_AT));
        long number = ours ? number(read.substring(slash + 1)) : UNREADABLE;
        return number == UNREADABLE
                ? Optional.empty()
                : Optional.of(new Fence(read.substring(0, slash), number, number));
    }

    String text() {
        return owner + "/" + standing;
    }

    Fence drawNext() {
        return new Fence(owner, standing, drawn + 1);
    }

    String nextText() {
        return owner + "/" + drawn;
    }

    /** The patch that was to write {@code number} was applied. */
    Fence wrote(long number) {
        return new Fence(owner, number, drawn);
    }

    /**
     * Weighs the fence that was read after a conflict.
     *
     * @param runnerId what the owners of all of this runner's fences begin with
     */
    Verdict weigh(String read, String runnerId) {
        int slash = read.lastIndexOf('/');
        var readOwner = slash < 0 ? "" : read.substring(0, slash);
        if (!readOwner.equals(owner)) {
            boolean nobodys = readOwner.startsWith(runnerId + ".") || ClaimVm.bySettler(readOwner);
            return nobodys ? new Verdict.Nobodys() : new Verdict.Foreign();
        }
        long number = number(read.substring(slash + 1));
        return number >= standing && number <= drawn ? new Verdict.Ours(wrote(number)) : new Verdict.Nobodys();
    }

    /**
     * Whether a fence that the VM was seen to carry was claimed after this one. Only the versions tell: a fact from
     * before this claim carries a fence that is another's, too.
     */
    boolean isOlderThan(String seen) {
        long own = claimedAt(text());
        return own != UNREADABLE && claimedAt(seen) > own;
    }

    /** The version that a fence was first written over; {@link #UNREADABLE} where it names none. */
    private static long claimedAt(String fence) {
        int slash = fence.lastIndexOf('/');
        int plus = fence.lastIndexOf(WRITTEN_AT, slash);
        return plus < 0 ? UNREADABLE : number(fence.substring(plus + WRITTEN_AT.length(), slash));
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException notANumber) {
            // No number that was ever drawn: the caller takes the fence for one that was given up.
            return UNREADABLE;
        }
    }
}
