package io.sluice.simulation.exhaustive;

import io.sluice.messages.ledger.PermitReply;
import io.sluice.units.Resources;

/** What VMs truly may come to use, as seen by somebody who sees everything. */
final class Exposures {
    static final String NEVER_TWICE = "nothing is promised twice";
    static final String COVERED = "reservations cover exposures";

    private final Model model;

    Exposures(Model model) {
        this.model = model;
    }

    /**
     * What the VM uses, what patches under way may still make of it, and what its runner may do with the permit that it
     * has or that is on its way to it.
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

    /** Whether the runner's patches would pass the fence that stands. */
    private boolean mayPatch(SystemState state, int vm) {
        var object = model.vm(state, vm);
        var scaling = model.runner(state, vm).scaling();
        return scaling.isPresent()
                && (object.kind().reference()
                        || VmState.owner(scaling.get().fence()).equals(VmState.owner(object.fence())));
    }

    /** An agent of the reference starts no patch beyond what it is asking for; its permit is cut by the reply alone. */
    private Resources permit(SystemState state, int vm) {
        var core = model.runner(state, vm).scaling().orElseThrow().core().orElseThrow();
        var permit = core.effectivePermit(RunnerHost.instant(state.clock())).orElse(Resources.NONE);
        boolean reference = model.vm(state, vm).kind().reference();
        return core.asking().filter(asked -> reference).map(permit::min).orElse(permit);
    }

    private Resources permitOnItsWay(SystemState state, int vm, Message.Reply reply, PermitReply.Ruled ruled) {
        boolean ofGateway = model.vm(state, vm).kind().reference();
        if (ofGateway) {
            return model.runner(state, vm).awaitsGateway() ? ruled.permit() : Resources.NONE;
        }
        if (!mayPatch(state, vm)) {
            return Resources.NONE;
        }
        boolean lapsed = state.clock() >= reply.askedAt() + Timing.PERMIT_VALID_FOR.toSeconds();
        var core = model.runner(state, vm).scaling().orElseThrow().core().orElseThrow();
        return lapsed ? ruled.permit().min(core.exposure()) : ruled.permit();
    }

    /** After a reply with a permit: it raises no exposure to where a node holds less than what may be used of it. */
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

    /** Where the ledger knows all of a node, it holds at least what each VM may come to use. */
    void requireCovered(SystemState state) {
        for (int vm = 0; vm < Setup.VMS; vm++) {
            var object = model.vm(state, vm);
            var node = model.node(state, Model.nodeOf(object.node()));
            if (node.listing().complete()) {
                var exposure = of(state, vm);
                var reserved = node.members()
                        .find(object.pod())
                        .map(member -> member.amounts().reserved())
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
