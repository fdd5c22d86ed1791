package io.sluice.agent.core.runner;

import io.sluice.agent.core.revision.ReachedRevision;
import io.sluice.agent.core.scaling.CoreConfig;
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
 * A runner's view of its VM's object.
 *
 * <p>The status is that of the claim's reply, and later only of observations that show this runner's fence: an older
 * observation that arrives late could show less than the VM has by now, and the ledger would get that number.
 *
 * <p>Overrides in its annotation count only if they make a valid config together with the agent's; until they do, the
 * last valid ones stay in force.
 */
final class VmObjectView {
    private final ScalingConfig defaults;
    private VmObserved observed;
    private ScalingOverrides overrides;
    private List<String> complaints = List.of();
    private Optional<String> fenceOwner = Optional.empty();
    private Optional<Resources> status = Optional.empty();
    private Optional<Revision> shown = Optional.empty();
    private Resources spec = Resources.NONE;
    private Optional<Revision> target = Optional.empty();

    /** {@code overrides}: the last valid ones, used if the present ones are not valid. */
    VmObjectView(VmObserved observed, ScalingConfig defaults, ScalingOverrides overrides) {
        this.observed = observed;
        this.defaults = defaults;
        this.overrides = overrides;
        weighOverrides();
    }

    VmObserved observed() {
        return observed;
    }

    /** Stores an observation. Returns false if it is older than the last. */
    boolean take(VmObserved vm) {
        if (vm.version() < observed.version()) {
            return false;
        }
        observed = vm;
        weighOverrides();
        if (fenceOwner.filter(owner -> vm.fence().startsWith(owner + "/")).isPresent()) {
            status = vm.sizes().status();
            shown = vm.currentRevision();
        }
        return true;
    }

    private void weighOverrides() {
        var found = new ArrayList<>(observed.traits().complaints());
        try {
            defaults.overlaid(observed.overrides());
            overrides = observed.overrides();
        } catch (IllegalArgumentException invalid) {
            found.add("its scaling config is not valid together with the agent's: " + invalid.getMessage());
        }
        complaints = List.copyOf(found);
    }

    /** One sentence for each of its invalid annotations. */
    List<String> complaints() {
        return complaints;
    }

    /** The overrides that are in force. */
    ScalingOverrides overrides() {
        return overrides;
    }

    /** The reply to the claim; from now on only observations that show this very fence count. */
    void claimed(Fence fence, ClaimReply.Claimed claim) {
        fenceOwner = Optional.of(fence.owner());
        status = claim.sizes().status();
        spec = claim.sizes().spec();
        target = claim.target();
    }

    /**
     * A core for the VM as it was when it was claimed. Its goals are numbered above all numbers in the VM's spec and
     * status, and from the clock where that is higher: the earlier runner may have handed out numbers that are not
     * shown yet, and a status that shows one of them must not count as a reply to this core's. The clock alone is not
     * enough, as the earlier runner's clock may have been ahead.
     */
    ScalingCore newCore(CoreConfig config, Instant now) {
        var reached = observed.currentRevision().orElse(Revision.ZERO);
        long last = Math.max(reached.value(), target.map(Revision::value).orElse(0L));
        var beyond = new Revision(Math.max(last, now.toEpochMilli()), reached.flags());
        return new ScalingCore(config, info(spec, Optional.of(new ReachedRevision(beyond, now))));
    }

    /** The endpoints that can be reached in the VM; the file cache's only if {@code lfcCounts}. */
    VmSignals.Reach reach(boolean lfcCounts) {
        return new VmSignals.Reach(
                reachable(observed.metrics()),
                reachable(observed.fileCache()).filter(own -> lfcCounts),
                reachable(observed.monitor()));
    }

    /** An endpoint without a host cannot be reached yet. */
    static Optional<Endpoint> reachable(Optional<Endpoint> endpoint) {
        return endpoint.filter(it -> !it.host().isEmpty());
    }

    /** The VM's data for the core. */
    VmInfo info(Resources using, Instant now) {
        return info(using, shown.map(revision -> new ReachedRevision(revision, now)));
    }

    private VmInfo info(Resources using, Optional<ReachedRevision> reached) {
        var sizes = observed.sizes();
        return new VmInfo(sizes.min(), sizes.max(), using, sizes.slotBytes(), overrides, reached, status);
    }
}
