package io.sluice.simulation.exhaustive;

import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.units.Resources;

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
        var node = model.vm(after, vm).node();
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
        int total = Setup.total(node);
        if (sum.exceeds(VmState.UNIT.times(total))) {
            throw new BrokenPromise(
                    NEVER_TWICE,
                    "a reply raises what " + model.vm(after, vm).kind().name() + " may use from " + VmState.text(from)
                            + " to " + VmState.text(raised) + ", and then" + each + " may be used of the " + total
                            + " of " + node);
        }
    }

    /** Checks that on a complete node each reservation covers what its VM may come to use. */
    void requireCovered(SystemState state) {
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
