package io.sluice.replay.core.nodes;

import io.sluice.ledger.core.LedgerRules;
import io.sluice.placement.core.plugins.PlacementPlugin;
import io.sluice.pressure.core.choice.PressureRules;
import java.util.List;
import java.util.function.Supplier;

/**
 * The rules of production for nodes.
 *
 * @param ledger those by which permits are given
 * @param placement those by which a node is chosen, made anew for each replay: they learn while they place
 * @param pressure those by which VMs leave a node
 */
public record NodeRules(LedgerRules ledger, Supplier<List<PlacementPlugin>> placement, PressureRules pressure) {}
