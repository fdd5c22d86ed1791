package io.sluice.simulation.exhaustive;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.vm.BindPod;
import io.sluice.messages.vm.PodBinding;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.units.Resources;

/**
 * A pod that is placed: its object in the API server.
 *
 * @param name its name and uid
 * @param amounts what it requests
 * @param node the node that it is bound to; empty while it waits
 * @param version version of its object
 * @param waitedAt the last version with which it waited
 * @param there whether it has not ended
 */
record PodState(String name, Resources amounts, String node, long version, long waitedAt, boolean there) {
    private static final String NAMESPACE = "x";

    /** A pod that waits, at the start of a history. */
    static PodState of(String name, int units) {
        return new PodState(name, VmState.UNIT.times(units), "", 1, 1, true);
    }

    boolean waits() {
        return there && node.isEmpty();
    }

    boolean isBoundTo(String to) {
        return there && node.equals(to);
    }

    /** Whether the API server would bind it by that Binding now. */
    boolean lets(BindPod bind) {
        return waits() && bind.uid().equals(name) && isAsIn(bind);
    }

    private boolean isAsIn(BindPod bind) {
        return bind.version() == version;
    }

    /** @param from a version that no object has yet */
    PodState bound(String to, long from) {
        return new PodState(name, amounts, to, Math.max(from, version + 1), waitedAt, there);
    }

    /** @param from a version that no object has yet */
    PodState touched(long from) {
        long next = Math.max(from, version + 1);
        return new PodState(name, amounts, node, next, waits() ? next : waitedAt, there);
    }

    PodState ended() {
        return new PodState(name, amounts, node, version + 1, waitedAt, false);
    }

    /** What a touch shows. */
    PodBinding shown() {
        if (!there) {
            return new PodBinding.Gone();
        }
        return waits() ? new PodBinding.Unbound() : new PodBinding.Bound(node);
    }

    /** It as a process that places pods observed it last; its being bound, or its end, may not be observed yet. */
    PodToPlace toPlace() {
        return new PodToPlace(new PodObserved(name, NAMESPACE, name, "", "", waitedAt, amounts, 0), Overcommit.OFF);
    }

    PodObserved observed() {
        return new PodObserved(name, NAMESPACE, name, node, "", version, amounts, 0);
    }

    PodGone gone() {
        return new PodGone(name, node, version);
    }

    @Override
    public String toString() {
        var where = node.isEmpty() ? "waits" : "is bound to " + node;
        return "pod " + name + " of " + VmState.text(amounts) + (there ? " " + where : " has ended");
    }
}
