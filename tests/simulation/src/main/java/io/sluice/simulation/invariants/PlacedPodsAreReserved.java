package io.sluice.simulation.invariants;

import io.sluice.simulation.model.World;

/**
 * A pod that was placed has a reservation of its size on its node from before its bind to its end. Only a loss of the
 * node's ledger state may leave it without one, until it is observed again.
 */
public final class PlacedPodsAreReserved implements Invariant {
    @Override
    public String name() {
        return "placed pods are reserved";
    }

    @Override
    public void check(World world) {
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
}
