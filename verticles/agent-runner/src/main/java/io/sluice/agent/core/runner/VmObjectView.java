package io.sluice.agent.core.runner;

import io.sluice.agent.core.scaling.CoreConfig;
import io.sluice.agent.core.scaling.ReachedRevision;
import io.sluice.agent.core.scaling.ScalingConfig;
import io.sluice.agent.core.scaling.ScalingCore;
import io.sluice.agent.core.scaling.VmInfo;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a runner knows of its VM's object.
 *
 * <p>Its status is taken from the claim's own answer, and later only from facts that show this runner's fence: an older
 * fact that comes late could show less than the VM came to have since, and the ledger would be told of it.
 *
 * <p>What its annotation says of the scaling config counts only where it makes a valid config together with the
 * agent's; until it does, what last did stays in force.
 */
final class VmObjectView {
    private final ScalingConfig defaults;
    private VmObserved seen;
    private ScalingOverrides overrides;
    private List<String> complaints = List.of();
    private Optional<String> fenceOwner = Optional.empty();
    private Optional<Resources> status = Optional.empty();
    private Optional<Revision> shown = Optional.empty();
    private Resources told = Resources.NONE;
    private Optional<Revision> target = Optional.empty();

    /** {@code overrides}: what last held of the VM's own scaling config, should what it says now be no good. */
    VmObjectView(VmObserved seen, ScalingConfig defaults, ScalingOverrides overrides) {
        this.seen = seen;
        this.defaults = defaults;
        this.overrides = overrides;
        weighOverrides();
    }

    VmObserved seen() {
        return seen;
    }

    /** Tells whether the fact is not older than the last. */
    boolean take(VmObserved vm) {
        if (vm.version() < seen.version()) {
            return false;
        }
        seen = vm;
        weighOverrides();
        if (fenceOwner.filter(owner -> vm.fence().startsWith(owner + "/")).isPresent()) {
            status = vm.sizes().status();
            shown = vm.currentRevision();
        }
        return true;
    }

    private void weighOverrides() {
        var found = new ArrayList<>(seen.traits().complaints());
        try {
            defaults.overlaid(seen.overrides());
            overrides = seen.overrides();
        } catch (IllegalArgumentException invalid) {
            found.add("its scaling config makes none together with the agent's: " + invalid.getMessage());
        }
        complaints = List.copyOf(found);
    }

    /** One sentence for each of its annotations that is no good. */
    List<String> complaints() {
        return complaints;
    }

    /** What counts of what its annotation said of the scaling config. */
    ScalingOverrides overrides() {
        return overrides;
    }

    /** What the write of the fence answered; from now on only facts that show this very fence are believed. */
    void claimed(Fence fence, ClaimReply.Claimed claim) {
        fenceOwner = Optional.of(fence.owner());
        status = claim.sizes().status();
        told = claim.sizes().spec();
        target = claim.target();
    }

    /**
     * A core for the VM as it was when it was claimed. Its goals are numbered beyond all that the VM was told or shows,
     * and from the clock where that is further: the runner before may have handed out numbers that nobody has shown
     * yet, and a status that comes to show one of those must not be taken for an answer to this core's. The clock alone
     * would not do, as that runner's may have been ahead of this one's.
     */
    ScalingCore newCore(CoreConfig config, Instant now) {
        var reached = seen.currentRevision().orElse(Revision.ZERO);
        long last = Math.max(reached.value(), target.map(Revision::value).orElse(0L));
        var beyond = new Revision(Math.max(last, now.toEpochMilli()), reached.flags());
        return new ScalingCore(config, info(told, Optional.of(new ReachedRevision(beyond, now))));
    }

    /** What answers now inside the VM; the file cache is asked only where {@code lfcCounts}. */
    VmSignals.Reach reach(boolean lfcCounts) {
        return new VmSignals.Reach(
                reachable(seen.metrics()),
                reachable(seen.fileCache()).filter(own -> lfcCounts),
                reachable(seen.monitor()));
    }

    /** What has no host cannot be reached yet. */
    static Optional<Endpoint> reachable(Optional<Endpoint> endpoint) {
        return endpoint.filter(it -> !it.host().isEmpty());
    }

    /** What the core is to be told of the VM. */
    VmInfo info(Resources using, Instant now) {
        return info(using, shown.map(revision -> new ReachedRevision(revision, now)));
    }

    private VmInfo info(Resources using, Optional<ReachedRevision> reached) {
        var sizes = seen.sizes();
        return new VmInfo(sizes.min(), sizes.max(), using, sizes.slotBytes(), overrides, reached, status);
    }
}
