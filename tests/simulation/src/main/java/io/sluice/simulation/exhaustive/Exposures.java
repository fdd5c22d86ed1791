package io.sluice.simulation.exhaustive;

import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.vm.BindPod;
import io.sluice.placement.core.PlacementAttempt;
import io.sluice.units.Resources;
import java.util.Optional;

/** What VMs may really come to use, computed from all state of the system. */
final class Exposures {
    static final String NEVER_TWICE = "nothing is promised twice";
    static final String COVERED = "reservations cover exposures";

    private final Model model;

    Exposures(Model model) {
        this.model = model;
    }

    /**
     * What the VM uses, what patches under way may still apply, and what its runner may do with a permit that it has or
     * that is on its way to it.
     */
    Resources of(SystemState state, int vm) {
        var object = model.vm(state, vm);
        var most = object.inUse();
        for (int i = 0; i < state.messages(); i++) {
            switch (model.message(state.message(i))) {
                case Message.ToPatch patch
                when patch.vm() == vm && object.lets(patch.patch()) ->
                    most = most.max(patch.patch().target());
                case Message.Reply reply
                when reply.vm() == vm && reply.content() instanceof PermitReply.Ruled ruled ->
                    most = most.max(permitOnItsWay(state, vm, reply, ruled));
                default -> {}
            }
        }
        return mayPatch(state, vm) ? most.max(permit(state, vm)) : most;
    }

    /** Whether the runner's patches would pass the current fence. */
    private boolean mayPatch(SystemState state, int vm) {
        var object = model.vm(state, vm);
        var scaling = model.runner(state, vm).scaling();
        return scaling.isPresent()
                && (object.kind().reference()
                        || VmState.owner(scaling.get().fence()).equals(VmState.owner(object.fence())));
    }

    /**
     * The permit of the VM's runner. An agent of the reference sends no patch beyond what it is requesting; only a
     * reply lowers its permit.
     */
    private Resources permit(SystemState state, int vm) {
        var core = model.runner(state, vm).scaling().orElseThrow().core().orElseThrow();
        var permit = core.effectivePermit(RunnerHost.instant(state.clock())).orElse(Resources.NONE);
        boolean reference = model.vm(state, vm).kind().reference();
        return core.requested().filter(requested -> reference).map(permit::min).orElse(permit);
    }

    private Resources permitOnItsWay(SystemState state, int vm, Message.Reply reply, PermitReply.Ruled ruled) {
        boolean ofGateway = model.vm(state, vm).kind().reference();
        if (ofGateway) {
            return model.runner(state, vm).awaitsGateway() ? ruled.permit() : Resources.NONE;
        }
        if (!mayPatch(state, vm)) {
            return Resources.NONE;
        }
        boolean lapsed = state.clock() >= reply.requestedAt() + Timing.PERMIT_VALID_FOR.toSeconds();
        var core = model.runner(state, vm).scaling().orElseThrow().core().orElseThrow();
        return lapsed ? ruled.permit().min(core.exposure()) : ruled.permit();
    }

    /** Checks a reply with a permit: it raises no exposure so that more may be used of a node than the node has. */
    void requireRoom(SystemState before, SystemState after, int vm) {
        var raised = of(after, vm);
        var from = of(before, vm);
        if (!raised.exceeds(from)) {
            return;
        }
        var why = "a reply raises what " + model.vm(after, vm).kind().name() + " may use from " + VmState.text(from)
                + " to " + VmState.text(raised);
        requireRoom(after, model.vm(after, vm).node(), why);
    }

    /** Checks a reply to a hold in the same way. */
    void requireRoom(SystemState before, SystemState after, String node) {
        for (int pod = 0; pod < model.setup().pods().size(); pod++) {
            if (ofPod(after, pod, node).exceeds(ofPod(before, pod, node))) {
                requireRoom(
                        after, node, "a reply lets pod " + model.pod(after, pod).name() + " be bound");
            }
        }
    }

    private void requireRoom(SystemState after, String node, String why) {
        var sum = Resources.NONE;
        var each = new StringBuilder();
        for (int other = 0; other < Setup.VMS; other++) {
            if (model.vm(after, other).node().equals(node)) {
                var exposure = of(after, other);
                sum = sum.plus(exposure);
                each.append(' ').append(model.vm(after, other).kind().name());
                each.append('=').append(VmState.text(exposure));
            }
        }
        for (int pod = 0; pod < model.setup().pods().size(); pod++) {
            var exposure = ofPod(after, pod, node);
            sum = sum.plus(exposure);
            each.append(' ').append(model.pod(after, pod).name());
            each.append('=').append(VmState.text(exposure));
        }
        int total = Setup.total(node);
        if (sum.exceeds(VmState.UNIT.times(total))) {
            throw new BrokenPromise(
                    NEVER_TWICE, why + ", and then" + each + " may be used of the " + total + " of " + node);
        }
    }

    /** What the pod takes of a node: if it is bound there, or a Binding that was or will be sent would still pass. */
    Resources ofPod(SystemState state, int pod, String node) {
        var object = model.pod(state, pod);
        if (object.isBoundTo(node)) {
            return object.amounts();
        }
        for (int at = 0; object.waits() && at < state.messages(); at++) {
            boolean binds = switch (model.message(state.message(at))) {
                case Message.OfPlacer request ->
                    request.request() instanceof BindPod bind && isLetTo(object, bind, node);
                case Message.ToPlacer reply ->
                    model.placer(state, reply.placer()).next(Optional.of(reply.content()))
                                    instanceof PlacementAttempt.Bind(var bind)
                            && isLetTo(object, bind, node);
                default -> false;
            };
            if (binds) {
                return object.amounts();
            }
        }
        return Resources.NONE;
    }

    private static boolean isLetTo(PodState pod, BindPod bind, String node) {
        return bind.node().equals(node) && pod.lets(bind);
    }

    private void requirePodsCovered(SystemState state, String name) {
        var node = model.node(state, Model.nodeOf(name));
        for (int pod = 0;
                node.fullList().complete() && pod < model.setup().pods().size();
                pod++) {
            var exposure = ofPod(state, pod, name);
            var uid = model.pod(state, pod).name();
            var reserved = node.reservations()
                    .find(uid)
                    .map(reservation -> reservation.amounts().reserved())
                    .orElse(Resources.NONE);
            if (exposure.exceeds(reserved)) {
                throw new BrokenPromise(
                        COVERED,
                        "pod " + uid + " may take " + VmState.text(exposure) + " of " + name + ", the ledger holds "
                                + VmState.text(reserved) + " for it");
            }
        }
    }

    /** Checks that on a complete node each reservation covers what its VM or pod may come to use. */
    void requireCovered(SystemState state) {
        Setup.NODES.forEach(node -> requirePodsCovered(state, node));
        for (int vm = 0; vm < Setup.VMS; vm++) {
            var object = model.vm(state, vm);
            var node = model.node(state, Model.nodeOf(object.node()));
            if (node.fullList().complete()) {
                var exposure = of(state, vm);
                var reserved = node.reservations()
                        .find(object.pod())
                        .map(reservation -> reservation.amounts().reserved())
                        .orElse(Resources.NONE);
                if (exposure.exceeds(reserved)) {
                    throw new BrokenPromise(
                            COVERED,
                            object.kind().name() + " may use " + VmState.text(exposure) + ", the ledger holds "
                                    + VmState.text(reserved) + " for it");
                }
            }
        }
    }
}
