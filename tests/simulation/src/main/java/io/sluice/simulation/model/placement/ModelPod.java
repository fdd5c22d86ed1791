package io.sluice.simulation.model.placement;

import io.sluice.devices.GpuDemand;
import io.sluice.devices.GpuGrant;
import io.sluice.devices.GpuRequest;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.vm.PodBinding;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.placement.core.spec.NodeAffinity;
import io.sluice.placement.core.spec.PodPreferences;
import io.sluice.placement.core.spec.PodSpec;
import io.sluice.simulation.model.ModelVmObject;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A pod that is placed: it waits for a node, is bound to one, and ends. */
public final class ModelPod {
    private final String name;
    private final Resources amounts;
    private final FixedAmounts fixed;
    private final int priority;
    private GpuDemand gpus = GpuDemand.NONE;
    Optional<ModelGang> gang = Optional.empty();
    Optional<String> node = Optional.empty();
    boolean there = true;

    /** Whether it was evicted; it takes its room until it is gone. */
    boolean ending;

    long version = 1;

    /** When its last hold was requested. */
    long requestedAt;

    /** When the hold on the node to which it is bound was requested. */
    long heldAt;

    /** Whether no node could take it at some attempt. */
    boolean withoutNode;

    /** When placement first observed it, by its clock. */
    Instant since;

    ModelPod(String name, Resources amounts, FixedAmounts fixed, int priority, Instant since) {
        this.name = name;
        this.amounts = amounts;
        this.fixed = fixed;
        this.priority = priority;
        this.since = since;
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

    public FixedAmounts fixed() {
        return fixed;
    }

    /** What it requests of GPUs, and what its Binding has given it. */
    public GpuDemand gpus() {
        return gpus;
    }

    void requests(List<GpuRequest> requests) {
        gpus = GpuDemand.of(requests);
    }

    void gets(GpuGrant grant) {
        gpus = new GpuDemand(gpus.requests(), grant.shares(), "");
    }

    /** The node that it is bound to; empty while it waits, and once it has ended. */
    public Optional<String> boundTo() {
        return there ? node : Optional.empty();
    }

    /** When the hold of the room in which it runs was requested: ledger state that was lost since may have had it. */
    public long heldAt() {
        return heldAt;
    }

    /** Whether the API server refuses a write to that version. */
    boolean changedSince(long observed) {
        return version != observed;
    }

    /** The effect of a touch at the API server. */
    PodBinding touch() {
        if (!there) {
            return new PodBinding.Gone();
        }
        version++;
        return node.<PodBinding>map(PodBinding.Bound::new).orElseGet(PodBinding.Unbound::new);
    }

    /** It as the choice of victims sees it. */
    PodSpec spec() {
        return new PodSpec(
                new PodSpec.PodId(uid(), ModelVmObject.NAMESPACE, name, version),
                boundTo().orElse(""),
                "",
                priority,
                new PodSpec.Preemption(false, PodSpec.Preemption.NOT_STARTED, ""),
                ending,
                Map.of(),
                Map.of(),
                NodeAffinity.ANY,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                PodPreferences.NONE,
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    PodToPlace toPlace() {
        return new PodToPlace(
                new PodObserved(uid(), ModelVmObject.NAMESPACE, name, "", "", version, amounts, 0, "", priority, fixed)
                        .with(gpus),
                Overcommit.OFF);
    }
}
