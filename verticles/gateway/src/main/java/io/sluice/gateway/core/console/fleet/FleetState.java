package io.sluice.gateway.core.console.fleet;

import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.shell.explain.Explanation;
import java.time.Instant;
import java.util.List;

/**
 * Everything that an overview shows, at one instant.
 *
 * @param at when
 * @param mark the mark for the next request of changes
 * @param nodes their sums, without reservations
 * @param vms all of them
 * @param migrations all that exist, ended ones too
 * @param decisions the last ones, the newest last
 */
public record FleetState(
        Instant at,
        long mark,
        List<NodeLedgerView> nodes,
        List<VmView> vms,
        List<MigrationEntry> migrations,
        List<Explanation> decisions) {}
