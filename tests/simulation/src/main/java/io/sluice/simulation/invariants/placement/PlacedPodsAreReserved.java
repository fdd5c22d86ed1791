package io.sluice.simulation.invariants.placement;

import io.sluice.simulation.invariants.Invariant;
import io.sluice.simulation.model.NodeObject;
import io.sluice.simulation.model.World;
import io.sluice.simulation.model.placement.ModelPod;
import java.util.HashMap;

/**
 * A pod that was placed has a reservation of its size on its node from before its bind to its end. Only a loss of the
 * node's ledger state may leave it without one, until it is observed again. Together such pods have no more of any GPU
 * than it has, by what their Bindings name, and the kubelet of each finds a NUMA zone for it.
 */
public final class PlacedPodsAreReserved implements Invariant {
    @Override
    public String name() {
        return "placed pods are reserved";
    }

    @Override
    public void check(World world) {
        gpus(world);
        if (!world.placement().refused().isEmpty()) {
            throw broken("kubelets refused " + world.placement().refused());
        }
        for (var pod : world.placement().pods()) {
            pod.boundTo()
                    .filter(node -> !world.ledger().lostSince(node, pod.heldAt()))
                    .ifPresent(node -> {
                        var reservation = world.ledger().reservation(node, pod.uid());
                        if (reservation.isEmpty()
                                || pod.amounts()
                                        .exceeds(reservation.get().amounts().reserved())) {
                            throw broken(pod.name() + " of " + pod.amounts() + " is bound to " + node
                                    + ", which reserves " + reservation);
                        }
                    });
        }
    }

    private void gpus(World world) {
        var given = new HashMap<String, Long>();
        for (var pod : world.placement().pods()) {
            if (pod.boundTo().isEmpty() || lost(world, pod)) {
                continue;
            }
            for (var share : pod.gpus().shares()) {
                long sum = given.merge(share.uuid(), share.memoryMiB(), Long::sum);
                if (sum > NodeObject.GPU_MIB) {
                    throw broken(pod.name() + " has " + share + ", of which pods have " + sum + " MiB together");
                }
            }
        }
    }

    private static boolean lost(World world, ModelPod pod) {
        return pod.boundTo()
                .filter(node -> world.ledger().lostSince(node, pod.heldAt()))
                .isPresent();
    }
}
