package io.sluice.placement.core.plugins;

import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.messages.placement.NodeRanks.Obstacle;
import io.sluice.units.Resources;
import java.util.Optional;

/** Excludes nodes on which the ledger would hold nothing: it is incomplete there, or the node is not ready. */
public final class ReadyLedger implements PlacementPlugin {
    @Override
    public Optional<Misfit> filter(PodToPlace pod, NodeSnapshot node) {
        if (!node.complete()) {
            return Optional.of(new Misfit(Obstacle.LEDGER_NOT_READY, Resources.NONE));
        }
        return node.readiness() == NodeReadiness.READY
                ? Optional.empty()
                : Optional.of(new Misfit(Obstacle.NODE_NOT_READY, Resources.NONE));
    }
}
