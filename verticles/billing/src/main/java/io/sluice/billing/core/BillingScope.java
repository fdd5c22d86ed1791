package io.sluice.billing.core;

import io.sluice.messages.cluster.VmPhase;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which VMs one meter bills: those that are alive on its node and say who pays. Whether they are autoscaled is nobody's
 * business here.
 *
 * @param node the meter's own node; empty where it bills VMs of all nodes
 */
public record BillingScope(Optional<String> node) {
    /** VMs of all nodes. */
    public static final BillingScope EVERYWHERE = new BillingScope(Optional.empty());

    public BillingScope {
        if (node.filter(String::isEmpty).isPresent()) {
            throw new IllegalArgumentException("node is empty: a VM that runs nowhere would be billed");
        }
    }

    /** VMs of one node. */
    public static BillingScope ofNode(String node) {
        return new BillingScope(Optional.of(node));
    }

    /**
     * Whether a VM of which this is known is billed now.
     *
     * @param at the node that it runs on; empty while it runs nowhere
     * @param endpoint who pays, by its annotation; an empty name is a name
     * @param phase where it is in its life
     * @param milliCpu what its status says it has; empty until its driver has said so
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
