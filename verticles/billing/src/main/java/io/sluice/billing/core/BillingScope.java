package io.sluice.billing.core;

import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which VMs are billed: those that are alive on a node in scope, have an annotation for the endpoint, and have a size
 * in their status. Whether a VM is autoscaled does not matter.
 *
 * @param node the only node with billed VMs; empty bills VMs of all nodes
 */
public record BillingScope(Optional<String> node) {

    public BillingScope {
        if (node.filter(String::isEmpty).isPresent()) {
            throw new IllegalArgumentException("node is empty: a VM without a node would be billed");
        }
    }

    /** Returns the scope of one node. */
    public static BillingScope ofNode(String node) {
        return new BillingScope(Optional.of(node));
    }

    /** Returns what an observation of a VM means for billing. */
    public VmUse use(VmObserved vm) {
        var billedTo = vm.traits().billedTo();
        var milliCpu = vm.sizes()
                .status()
                .map(status -> OptionalLong.of(status.milliCpu()))
                .orElseGet(OptionalLong::empty);
        var use = covers(vm.node(), billedTo, vm.phase(), milliCpu)
                ? Optional.of(new VmUse.Use(billedTo.orElseThrow(), milliCpu.getAsLong()))
                : Optional.<VmUse.Use>empty();
        return new VmUse(
                vm.vm(), vm.version(), use, Instant.ofEpochSecond(vm.traits().changedAtSeconds()));
    }

    /**
     * Whether a VM is billed now.
     *
     * @param at the node that the VM runs on; empty while it has none
     * @param endpoint the endpoint that pays, by the VM's annotation; an empty name is a name
     * @param phase the VM's phase
     * @param milliCpu the size in the VM's status; empty until the driver has reported one
     */
    public boolean covers(String at, Optional<String> endpoint, VmPhase phase, OptionalLong milliCpu) {
        return !at.isEmpty()
                && node.map(at::equals).orElse(true)
                && endpoint.isPresent()
                && isAlive(phase)
                && milliCpu.isPresent();
    }

    private static boolean isAlive(VmPhase phase) {
        return switch (phase) {
            case RUNNING, SCALING, PRE_MIGRATING, MIGRATING -> true;
            case PENDING, ENDED -> false;
        };
    }
}
