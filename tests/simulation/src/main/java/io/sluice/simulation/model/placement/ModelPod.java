package io.sluice.simulation.model.placement;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.vm.ReadPod;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.simulation.model.ModelVmObject;
import io.sluice.units.Resources;
import java.util.Optional;

/** A pod that is placed: it waits for a node, is bound to one, and ends. */
public final class ModelPod {
    private final String name;
    private final Resources amounts;
    Optional<String> node = Optional.empty();
    boolean there = true;

    /** When its last hold was granted on the node to which it is bound. */
    long heldAt;

    ModelPod(String name, Resources amounts) {
        this.name = name;
        this.amounts = amounts;
    }

    public String name() {
        return name;
    }

    public String uid() {
        return "uid-of-" + name;
    }

    public Resources amounts() {
        return amounts;
    }

    /** The node that it is bound to; empty while it waits, and once it has ended. */
    public Optional<String> boundTo() {
        return there ? node : Optional.empty();
    }

    /** When the ledger held the room in which it runs. */
    public long heldAt() {
        return heldAt;
    }

    ReadPod read() {
        return new ReadPod(uid(), ModelVmObject.NAMESPACE, name);
    }

    PodToPlace toPlace() {
        return new PodToPlace(
                new PodObserved(uid(), ModelVmObject.NAMESPACE, name, "", "", 1, amounts, 0), Overcommit.OFF);
    }
}
