package io.sluice.simulation.invariants;

import io.sluice.simulation.model.NodeObject;
import io.sluice.simulation.model.World;
import io.sluice.simulation.model.placement.ModelPod;
import java.util.HashMap;

/**
 * The pods on a node have no more of any of its GPUs than it has, by what their Bindings name. Only a loss of the
 * node's ledger state may give a GPU twice: a bind under way then arrives late.
 */
public final class GpusGoToOnePodEach implements Invariant {
    @Override
    public String name() {
        return "GPUs are given once";
    }

    @Override
    public void check(World world) {
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
