package io.sluice.sharing;

import io.sluice.bus.Bus;
import io.sluice.bus.Tap;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** The writes to one VM, as the driver replied to them, in the order of the versions of its object. */
final class Writes {
    private final List<Claim> claims = new CopyOnWriteArrayList<>();
    private final List<Patch> patches = new CopyOnWriteArrayList<>();

    /**
     * A fence that was written.
     *
     * @param owner the fence without its number
     * @param over the version of the object over which it was written
     */
    record Claim(String owner, long over) {
        /** The process that the runner belongs to. */
        String process() {
            return owner.substring(0, owner.lastIndexOf('-'));
        }
    }

    /**
     * A size that was written.
     *
     * @param owner owner of the fence that it tested
     * @param version version of the object after it
     */
    record Patch(String owner, long version) {}

    Writes(Bus bus) {
        bus.tap().listen(this::passed);
    }

    private void passed(Tap.Passage passage) {
        if (passage.kind() != Tap.Kind.REPLY || passage.direction() != Tap.Direction.OUT) {
            return;
        }
        var answer = passage.message().orElse("");
        if (passage.address().equals(VmAddresses.CLAIM.name()) && answer instanceof ClaimReply.Claimed claimed) {
            var owner = owner(claimed.fence());
            claims.add(new Claim(owner, Long.parseLong(owner.substring(owner.lastIndexOf('+') + 1))));
        } else if (passage.request().orElse("") instanceof PatchVm patch && answer instanceof PatchReply.Patched done) {
            patches.add(new Patch(owner(patch.fence()), done.version()));
        }
    }

    private static String owner(String fence) {
        return fence.substring(0, fence.lastIndexOf('/'));
    }

    List<Claim> claims() {
        return claims.stream().sorted(Comparator.comparingLong(Claim::over)).toList();
    }

    List<Patch> patches() {
        return List.copyOf(patches);
    }

    /** The patches that were applied although another runner had claimed the VM after theirs. */
    List<Patch> byOlderRunners() {
        return patches.stream()
                .filter(patch -> claimAfter(patch.owner())
                        .filter(next -> next.over() < patch.version())
                        .isPresent())
                .toList();
    }

    private Optional<Claim> claimAfter(String owner) {
        return claims().stream()
                .dropWhile(claim -> !claim.owner().equals(owner))
                .filter(claim -> !claim.owner().equals(owner))
                .findFirst();
    }
}
