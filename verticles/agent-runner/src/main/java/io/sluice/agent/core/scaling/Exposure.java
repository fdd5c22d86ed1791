package io.sluice.agent.core.scaling;

import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The most that a VM may come to use, per kind: its size as told, the size its status last showed, and every patch that
 * was sent and is not settled. The scheduler's books must never fall below this, whatever was lost on the way.
 *
 * <p>A patch is settled when it was certainly not applied, or when the status shows the revision of an acknowledged
 * patch that is this one or came after it: from then on the status alone tells what it left behind. Until then an
 * acknowledged patch for more counts even after one for less was acknowledged, as the driver may be at work on either.
 *
 * <p>A patch <em>in doubt</em> is one that nobody answered for. It may be applied at any time until a later patch is
 * acknowledged, which shuts it out (each patch passes only if its predecessor's fence still stands), and may have been
 * applied before that; so it then settles with that later patch. The status showing the lost patch's own revision does
 * not settle it: the size as told would then be wrong, and only another patch sets that right.
 *
 * <p>Status shows a CPU rounded up to whole ones where the driver can plug nothing less. Such an amount stands for the
 * largest of the amounts that it can be the rounding of, among those that the VM was told and the last settled one; at
 * the start, for what it was told then.
 */
final class Exposure {
    /** Beyond this many, the two oldest are counted as one that settles with the younger. */
    private static final int MOST_UNSETTLED = 16;

    private static final long NONE = -1;

    /** An amount that settles when the status shows its revision, or only with a later patch where it has none. */
    private record Reported(Resources target, Resources most, OptionalLong revision) {}

    private final Deque<Reported> unsettled = new ArrayDeque<>();
    private Optional<Resources> doubtful = Optional.empty();
    private Optional<Resources> status;
    private Resources settled = Resources.NONE;
    private long shown;

    /**
     * A VM found on its way from one size to another may still have either after it was told a third; nothing of the
     * kind is assumed while there is no status at all.
     */
    Exposure(VmInfo vm) {
        status = vm.status();
        settled =
                status.map(size -> counted(size, vm.using(), Optional.empty())).orElse(vm.using());
        shown = vm.currentRevision().map(reached -> reached.revision().value()).orElse(0L);
        if (!vm.using().equals(settled)) {
            tell(new Reported(vm.using(), vm.using(), OptionalLong.empty()));
        }
    }

    /** A VM without a status, as between two of its lives, may be what it last was. */
    void vmUpdated(VmInfo vm) {
        status = vm.status().or(() -> status);
        vm.currentRevision()
                .ifPresent(reached -> shown = Math.max(shown, reached.revision().value()));
        settle();
    }

    /** The driver holds the patch. What was in doubt before it can no longer be applied, but may have been. */
    void acknowledged(Resources target, Revision revision) {
        Resources most = doubtful.map(target::max).orElse(target);
        doubtful = Optional.empty();
        tell(new Reported(target, most, OptionalLong.of(revision.value())));
        settle();
    }

    /** Nobody knows whether the patch was or will be applied. */
    void lost(Resources target) {
        doubtful = Optional.of(doubtful.map(target::max).orElse(target));
    }

    /** Somebody else told the VM this size. */
    void toldByAnother(Resources size) {
        tell(new Reported(size, size, OptionalLong.empty()));
    }

    boolean inDoubt() {
        return doubtful.isPresent();
    }

    /** Whether the status shows this revision or a later one. */
    boolean shows(Revision revision) {
        return shown >= revision.value();
    }

    /** Asked at each query of every VM: hence no streams. */
    Resources of(Resources using, Optional<Resources> underWay) {
        var most = underWay.map(using::max).orElse(using);
        most = doubtful.map(most::max).orElse(most);
        for (var told : unsettled) {
            most = most.max(told.most());
        }
        return status.isEmpty() ? most : most.max(counted(status.get(), using, underWay));
    }

    private void tell(Reported told) {
        unsettled.addLast(told);
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

    private boolean isShown(Reported told) {
        return told.revision().isPresent() && told.revision().getAsLong() <= shown;
    }

    private Resources counted(Resources size, Resources using, Optional<Resources> underWay) {
        long cpu = Math.max(roundedTo(size, using), roundedTo(size, settled));
        cpu = Math.max(cpu, underWay.map(told -> roundedTo(size, told)).orElse(NONE));
        cpu = Math.max(cpu, doubtful.map(told -> roundedTo(size, told)).orElse(NONE));
        for (var told : unsettled) {
            cpu = Math.max(cpu, roundedTo(size, told.target()));
        }
        return cpu == NONE ? size : new Resources(cpu, size.memoryBytes());
    }

    /** The CPU that was told, where the size shows it rounded up; else {@link #NONE}. */
    private static long roundedTo(Resources size, Resources told) {
        return Math.ceilDiv(told.milliCpu(), 1_000) * 1_000 == size.milliCpu() ? told.milliCpu() : NONE;
    }
}
