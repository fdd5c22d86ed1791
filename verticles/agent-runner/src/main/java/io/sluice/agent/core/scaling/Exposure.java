package io.sluice.agent.core.scaling;

import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The most that a VM may come to use, per kind: the size of its spec, the size its status last showed, and every patch
 * that was sent and is not settled. The scheduler's reservation must never be below this, whatever message was lost.
 *
 * <p>A patch is settled when it was certainly not applied, or when the status shows the revision of an acknowledged
 * patch that is this one or a later one: from then on the status alone shows what it left behind. Until then an
 * acknowledged patch for more counts even after one for less was acknowledged, as the driver may be at work on either.
 *
 * <p>A patch <em>in doubt</em> is one without a reply. It may be applied at any time until a later patch is
 * acknowledged, which excludes it (each patch passes only if the VM still has its predecessor's fence), and may have
 * been applied before that; so it settles with that later patch. A status that shows the lost patch's own revision does
 * not settle it: the size that the core counts for the spec would then be wrong, and only another patch corrects that.
 *
 * <p>The status shows a CPU rounded up to whole ones where the driver can plug nothing less. Such an amount counts as
 * the largest of the amounts that it can be the rounding of, among those that the VM was patched to and the last
 * settled one; at the start, as that of its spec. What a pod shows is what it has.
 */
final class Exposure {
    /** Beyond this many, the two oldest are counted as one that settles with the younger. */
    private static final int MOST_UNSETTLED = 16;

    private static final long NONE = -1;

    /** An amount that settles when the status shows its revision, or only with a later patch if it has none. */
    private record Reported(Resources target, Resources most, OptionalLong revision) {}

    private final Deque<Reported> unsettled = new ArrayDeque<>();
    private final boolean rounds;
    private Optional<Resources> doubtful = Optional.empty();
    private Optional<Resources> leastInDoubt = Optional.empty();
    private Optional<Resources> status;
    private Resources settled = Resources.NONE;
    private long shown;

    /**
     * A VM that is changing from one size to another may still have either after a patch to a third; without a status
     * no such change is assumed.
     */
    Exposure(VmInfo vm) {
        rounds = vm.hasWholeCpus();
        status = vm.status();
        settled =
                status.map(size -> counted(size, vm.using(), Optional.empty())).orElse(vm.using());
        shown = vm.currentRevision().map(reached -> reached.revision().value()).orElse(0L);
        if (!vm.using().equals(settled)) {
            patched(new Reported(vm.using(), vm.using(), OptionalLong.empty()));
        }
    }

    /** A VM without a status, as between two of its starts, may still have its last one. */
    void vmUpdated(VmInfo vm) {
        status = vm.status().or(() -> status);
        vm.currentRevision()
                .ifPresent(reached -> shown = Math.max(shown, reached.revision().value()));
        settle();
    }

    /**
     * The driver has acknowledged the patch. What was in doubt before it can no longer be applied, but may have been.
     */
    void acknowledged(Resources target, Revision revision) {
        Resources most = doubtful.map(target::max).orElse(target);
        doubtful = Optional.empty();
        leastInDoubt = Optional.empty();
        patched(new Reported(target, most, OptionalLong.of(revision.value())));
        settle();
    }

    /** It is unknown whether the patch was or will be applied. */
    void lost(Resources target) {
        doubtful = Optional.of(doubtful.map(target::max).orElse(target));
        leastInDoubt = Optional.of(leastInDoubt.map(target::min).orElse(target));
    }

    /** The least of the patches in doubt, per kind. */
    Optional<Resources> leastInDoubt() {
        return leastInDoubt;
    }

    /** Another component patched the VM to this size. */
    void patchedByAnother(Resources size) {
        patched(new Reported(size, size, OptionalLong.empty()));
    }

    boolean inDoubt() {
        return doubtful.isPresent();
    }

    /** Whether the status shows this revision or a later one. */
    boolean shows(Revision revision) {
        return shown >= revision.value();
    }

    /** Called at each query of every VM: hence no streams. */
    Resources of(Resources using, Optional<Resources> underWay) {
        var most = underWay.map(using::max).orElse(using);
        most = doubtful.map(most::max).orElse(most);
        for (var reported : unsettled) {
            most = most.max(reported.most());
        }
        return status.isEmpty() ? most : most.max(counted(status.get(), using, underWay));
    }

    private void patched(Reported reported) {
        unsettled.addLast(reported);
        if (unsettled.size() > MOST_UNSETTLED) {
            Reported oldest = unsettled.removeFirst();
            Reported next = unsettled.removeFirst();
            unsettled.addFirst(new Reported(next.target(), next.most().max(oldest.most()), next.revision()));
        }
    }

    private void settle() {
        boolean some = unsettled.stream().anyMatch(this::isShown);
        while (some) {
            Reported first = unsettled.removeFirst();
            settled = first.target();
            some = unsettled.stream().anyMatch(this::isShown);
        }
    }

    private boolean isShown(Reported reported) {
        return reported.revision().isPresent() && reported.revision().getAsLong() <= shown;
    }

    private Resources counted(Resources size, Resources using, Optional<Resources> underWay) {
        if (!rounds) {
            return size;
        }
        long cpu = Math.max(roundedTo(size, using), roundedTo(size, settled));
        cpu = Math.max(cpu, underWay.map(reported -> roundedTo(size, reported)).orElse(NONE));
        cpu = Math.max(cpu, doubtful.map(reported -> roundedTo(size, reported)).orElse(NONE));
        for (var reported : unsettled) {
            cpu = Math.max(cpu, roundedTo(size, reported.target()));
        }
        return cpu == NONE ? size : new Resources(cpu, size.memoryBytes());
    }

    /** The patched CPU, if the size shows it rounded up; else {@link #NONE}. */
    private static long roundedTo(Resources size, Resources reported) {
        return Math.ceilDiv(reported.milliCpu(), 1_000) * 1_000 == size.milliCpu() ? reported.milliCpu() : NONE;
    }
}
