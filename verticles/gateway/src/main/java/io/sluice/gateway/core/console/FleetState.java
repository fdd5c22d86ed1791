package io.sluice.gateway.core.console;

import io.sluice.messages.ledger.NodeLedgerView;
import java.time.Instant;
import java.util.List;

/**
 * Everything that an overview shows, at one instant.
 *
 * @param at when
 * @param mark what changed since is asked for with this
 * @param nodes their sums, without members
 * @param vms all of them
 * @param migrations all that are there, ended ones too
 * @param decisions the last ones, the newest last
 */
public record FleetState(
        Instant at,
        long mark,
        List<NodeLedgerView> nodes,
        List<VmView> vms,
        List<MigrationEntry> migrations,
        List<DecisionView> decisions) {}
