package io.sluice.gateway.core.console.fleet;

import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.shell.explain.Explanation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The changes since a mark: whole entries, once each, however often they changed.
 *
 * @param at when it was requested
 * @param mark the mark for the next request of changes
 * @param nodes that changed or are new
 * @param nodesGone that are gone; removed before {@code nodes} are added
 * @param vms that changed or are new
 * @param vmsGone that are gone
 * @param migrations all of them, if any changed
 * @param decisions the new ones, the newest last
 */
public record Delta(
        Instant at,
        long mark,
        List<NodeLedgerView> nodes,
        List<String> nodesGone,
        List<VmView> vms,
        List<String> vmsGone,
        Optional<List<MigrationEntry>> migrations,
        List<Explanation> decisions) {
    /** Returns whether nothing changed. */
    public boolean isEmpty() {
        return nodes.isEmpty()
                && nodesGone.isEmpty()
                && vms.isEmpty()
                && vmsGone.isEmpty()
                && migrations.isEmpty()
                && decisions.isEmpty();
    }
}
