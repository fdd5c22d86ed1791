package io.sluice.gateway.core.console;

import io.sluice.messages.ledger.NodeLedgerView;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What changed since a mark: whole entries, however often each of them changed.
 *
 * @param at when it was asked for
 * @param mark what changes from now on is asked for with this
 * @param nodes that changed or are new
 * @param nodesGone that are gone; taken out before {@code nodes} are put in
 * @param vms that changed or are new
 * @param vmsGone that are gone
 * @param migrations all of them, if any changed
 * @param decisions those made since, the newest last
 */
public record Delta(
        Instant at,
        long mark,
        List<NodeLedgerView> nodes,
        List<String> nodesGone,
        List<VmView> vms,
        List<String> vmsGone,
        Optional<List<MigrationEntry>> migrations,
        List<DecisionView> decisions) {
    /** Whether nothing changed. */
    public boolean isEmpty() {
        return nodes.isEmpty()
                && nodesGone.isEmpty()
                && vms.isEmpty()
                && vmsGone.isEmpty()
                && migrations.isEmpty()
                && decisions.isEmpty();
    }
}
