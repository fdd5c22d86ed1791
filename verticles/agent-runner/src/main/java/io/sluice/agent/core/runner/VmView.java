package io.sluice.agent.core.runner;

import io.sluice.agent.core.scaling.CoreConfig;
import io.sluice.agent.core.scaling.ScalingConfig;
import io.sluice.agent.core.scaling.ScalingCore;
import io.sluice.agent.core.scaling.Stamped;
import io.sluice.agent.core.scaling.VmInfo;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmSeen;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Instant;
import java.util.Optional;

/**
 * What a runner knows of its VM's object.
 *
 * <p>Its status is taken from the claim's own answer, and later only from facts that show this runner's fence: an older
 * fact that comes late could show less than the VM came to have since, and the ledger would be told of it.
 */
final class VmView {
    private VmSeen seen;
    private Optional<String> fenceOwner = Optional.empty();
    private Optional<Resources> status = Optional.empty();
    private Optional<Revision> shown = Optional.empty();
    private Resources told = Resources.NONE;

    VmView(VmSeen seen) {
        this.seen = seen;
    }

    VmSeen seen() {
        return seen;
    }

    /** Tells whether the fact is not older than the last. */
    boolean take(VmSeen vm) {
        if (vm.version() < seen.version()) {
            return false;
        }
        seen = vm;
        if (fenceOwner.filter(owner -> vm.fence().startsWith(owner + "/")).isPresent()) {
            status = vm.sizes().status();
            shown = vm.currentRevision();
        }
        return true;
    }

    /**
     * The sizes as the write of the fence answered them; from now on only facts that show this very fence are believed.
     */
    void claimed(Fence fence, VmSizes sizes) {
        fenceOwner = Optional.of(fence.owner());
        status = sizes.status();
        told = sizes.spec();
    }

    /**
     * A core for the VM as it was when it was claimed. Its goals are numbered from the clock where that is beyond the
     * number that the status shows: the runner before may have handed out numbers that nobody has shown yet, and a
     * status that comes to show one of those must not be taken for an answer to this core's.
     */
    ScalingCore newCore(CoreConfig config, Instant now) {
        var reached = seen.currentRevision().orElse(Revision.ZERO);
        var beyond = new Revision(Math.max(reached.value(), now.toEpochMilli()), reached.flags());
        return new ScalingCore(config, info(told, config.scaling(), Optional.of(new Stamped(beyond, now))));
    }

    /** What the core is to be told of the VM. */
    VmInfo info(Resources using, ScalingConfig defaults, Instant now) {
        return info(using, defaults, shown.map(revision -> new Stamped(revision, now)));
    }

    /** Why what the VM's annotation says cannot be used, if so; the defaults are used then. */
    Optional<String> badOverrides(ScalingConfig defaults) {
        try {
            defaults.overlaid(seen.overrides());
            return Optional.empty();
        } catch (IllegalArgumentException invalid) {
            return Optional.of(invalid.getMessage());
        }
    }

    private VmInfo info(Resources using, ScalingConfig defaults, Optional<Stamped> reached) {
        var overrides = badOverrides(defaults).isEmpty() ? seen.overrides() : ScalingOverrides.NONE;
        var sizes = seen.sizes();
        return new VmInfo(sizes.min(), sizes.max(), using, sizes.slotBytes(), overrides, reached, status);
    }
}
