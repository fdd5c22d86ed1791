package io.sluice.simulation.exhaustive;

import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.sluice.units.VmId;
import java.util.Optional;

/**
 * A VM: its object in the API server, and what its driver is doing.
 *
 * @param kind what stays the same for its whole life
 * @param node the node on which it runs
 * @param autoscaled whether it is scaled
 * @param version version of its object
 * @param spec the size that was patched last
 * @param status the size that it has
 * @param work the size that its driver is applying; empty while it is idle
 * @param target the revision that was patched last
 * @param shown the revision in its status
 * @param fence the annotation that patches test
 */
record VmState(
        Kind kind,
        String node,
        boolean autoscaled,
        long version,
        Resources spec,
        Resources status,
        Optional<Work> work,
        Revision target,
        Revision shown,
        String fence) {
    private static final String NAMESPACE = "x";
    private static final Optional<Endpoint> METRICS = Optional.of(new Endpoint("m", 1, "/"));
    private static final Optional<Endpoint> MONITOR = Optional.of(new Endpoint("m", 2, "/"));
    private static final long FIRST_VERSION = 10;

    /** The step of all sizes in this model. */
    static final Resources UNIT = new Resources(250, 1L << 30);

    /** The agent that scales it. */
    enum Agent {
        /** Our own runner. */
        STRICT,
        /** An agent of the reference, which names its last permit; it uses the gateway. */
        REFERENCE,
        /** An agent of the reference that does not name its last permit. */
        REFERENCE_SILENT
    }

    /**
     * What stays the same for its whole life.
     *
     * @param max its maximum, in units; the minimum is one
     */
    record Kind(String name, Agent agent, int max) {
        boolean reference() {
            return agent != Agent.STRICT;
        }
    }

    /** A size on its way from the object to the hypervisor. */
    record Work(Resources size, Revision revision) {}

    /** A VM at the start of a history. */
    static VmState of(Kind kind, String node, int spec, int status) {
        return new VmState(
                kind,
                node,
                true,
                FIRST_VERSION,
                UNIT.times(spec),
                UNIT.times(status),
                Optional.empty(),
                spec == status ? Revision.ZERO : new Revision(1, Revision.UP),
                Revision.ZERO,
                "");
    }

    VmId id() {
        return new VmId("neonvm", NAMESPACE, kind.name(), kind.name());
    }

    String pod() {
        return kind.name() + "@" + node;
    }

    /** The largest size that it uses, or comes to use by its object and driver. */
    Resources inUse() {
        var most = spec.max(status);
        return work.map(Work::size).map(most::max).orElse(most);
    }

    boolean atRest() {
        return work.isEmpty() && status.equals(spec) && shown.equals(target);
    }

    /** The driver starts to apply the object's size, or completes the size that it was applying. */
    VmState driven() {
        return work.map(done -> new VmState(
                        kind,
                        node,
                        autoscaled,
                        version + 1,
                        spec,
                        done.size(),
                        Optional.empty(),
                        target,
                        done.revision(),
                        fence))
                .orElseGet(() -> new VmState(
                        kind,
                        node,
                        autoscaled,
                        version,
                        spec,
                        status,
                        Optional.of(new Work(spec, target)),
                        target,
                        shown,
                        fence));
    }

    /** The VM with that owner's fence, unless it has one of that owner already. */
    VmState claimed(String owner) {
        return fence.startsWith(owner + "+")
                ? this
                : new VmState(
                        kind,
                        node,
                        autoscaled,
                        version + 1,
                        spec,
                        status,
                        work,
                        target,
                        shown,
                        owner + "+" + version + "/0");
    }

    /** The VM after a user has switched its autoscaling off. */
    VmState switchedOff() {
        return new VmState(kind, node, false, version + 1, spec, status, work, target, shown, fence);
    }

    ClaimReply claim() {
        return new ClaimReply.Claimed(
                fence, sizes(), atRest(), Optional.of(target).filter(reported -> !reported.equals(Revision.ZERO)));
    }

    /** Whether a patch would be applied now: an agent of the reference patches without a fence. */
    boolean lets(PatchVm patch) {
        return kind.reference() || patch.fence().equals(fence);
    }

    VmState patched(PatchVm patch) {
        return new VmState(
                kind,
                node,
                autoscaled,
                version + 1,
                patch.target(),
                status,
                work,
                patch.revision(),
                shown,
                kind.reference() ? fence : patch.nextFence());
    }

    PatchReply refusal(PatchVm patch) {
        return fence.equals(patch.nextFence()) && spec.equals(patch.target())
                ? new PatchReply.Patched(version)
                : new PatchReply.Conflict(spec, fence);
    }

    private VmSizes sizes() {
        return new VmSizes(UNIT, UNIT.times(kind.max()), spec, Optional.of(status), UNIT.memoryBytes());
    }

    /** The observation of it. */
    VmObserved observed() {
        return new VmObserved(
                id(),
                version,
                pod(),
                pod(),
                node,
                status.equals(spec) ? VmPhase.RUNNING : VmPhase.SCALING,
                autoscaled,
                true,
                false,
                sizes(),
                Overcommit.OFF,
                ScalingOverrides.NONE,
                shown.equals(Revision.ZERO) ? Optional.empty() : Optional.of(shown),
                Optional.empty(),
                fence,
                METRICS,
                Optional.empty(),
                MONITOR,
                VmTraits.NONE);
    }

    PodObserved podObserved() {
        return new PodObserved(pod(), NAMESPACE, pod(), node, kind.name(), 1, UNIT, 0);
    }

    /** The owner of a fence; each owner's fences are numbered. */
    static String owner(String fence) {
        return fence.substring(0, Math.max(0, fence.lastIndexOf('/')));
    }

    static String text(Resources amount) {
        boolean whole = amount.equals(UNIT.times(amount.milliCpu() / UNIT.milliCpu()));
        return whole ? Long.toString(amount.milliCpu() / UNIT.milliCpu()) : amount.toString();
    }

    @Override
    public String toString() {
        return kind.name() + " on " + node + " spec " + text(spec) + " status " + text(status)
                + work.map(at -> " becoming " + text(at.size())).orElse("") + (autoscaled ? "" : ", switched off");
    }
}
