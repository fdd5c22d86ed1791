package io.sluice.replay.core.fleet;

import io.sluice.replay.core.fleet.Consolidation.Move;
import java.util.List;

/** Decides at the end of each period which VMs move. */
interface MoveRule {
    List<Move> moves(List<FleetNode> nodes);
}
