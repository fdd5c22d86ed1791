package io.sluice.ledger;

import io.sluice.ledger.core.LedgerNotice;
import io.sluice.ledger.core.state.PodIdentity;
import io.sluice.messages.placement.PlacementDecision;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Logs the notices of the ledger, and counts for each node how many commands left its ledger inconsistent. */
final class NoticeLog {
    private static final Logger LOG = LoggerFactory.getLogger(NoticeLog.class);

    private final LedgerMetrics meters;
    private final Map<String, Long> broken = new HashMap<>();

    NoticeLog(LedgerMetrics meters) {
        this.meters = meters;
    }

    /** The number of commands that left the node ledger inconsistent. */
    long broken(String node) {
        return broken.getOrDefault(node, 0L);
    }

    void forget(String node) {
        broken.remove(node);
    }

    void log(String node, LedgerNotice notice) {
        meters.noticed(node, notice);
        switch (notice) {
            case LedgerNotice.NodeCompleted completed -> completed(node, completed);
            case LedgerNotice.StateGone lost ->
                LOG.atWarn()
                        .addKeyValue(LogKeys.NODE, node)
                        .addKeyValue(LogKeys.COUNT, lost.reservations())
                        .log("The node's state may be older than what others granted meanwhile; it is discarded, and a"
                                + " full list completes the node again.");
            case LedgerNotice.ForcedIn forced ->
                of(LOG.atWarn(), node, forced.pod())
                        .addKeyValue(LogKeys.FROM, Quantities.text(forced.from()))
                        .addKeyValue(LogKeys.TO, Quantities.text(forced.to()))
                        .log("A VM uses more than its reservation; the reservation was raised.");
            case LedgerNotice.VmFound arrived ->
                of(LOG.atWarn(), node, arrived.pod())
                        .addKeyValue(LogKeys.TO, Quantities.text(arrived.reserved()))
                        .log("A VM reached its node without a hold; it is reserved at its maximum until its agent's"
                                + " first request.");
            case LedgerNotice.PodFound arrived ->
                of(arrived.over() ? LOG.atWarn() : LOG.atInfo(), node, arrived.pod())
                        .addKeyValue(LogKeys.TO, Quantities.text(arrived.reserved()))
                        .log(
                                arrived.over()
                                        ? "A pod was bound without a hold to a node that has no room for it; it"
                                                + " counts, and nothing is granted there."
                                        : "A pod was bound without a hold; it counts.");
            case LedgerNotice.LandedUnheld landed ->
                of(LOG.atWarn(), node, landed.pod())
                        .addKeyValue(LogKeys.TO, Quantities.text(landed.reserved()))
                        .log("A migration's target reached its node without room held for it; it counts all the same.");
            case LedgerNotice.Overclaimed claim ->
                of(LOG.atWarn(), node, claim.pod())
                        .addKeyValue(LogKeys.FROM, Quantities.text(claim.reserved()))
                        .addKeyValue(LogKeys.TO, Quantities.text(claim.claimed()))
                        .log("An agent names a last permit above its reservation; it does not count.");
            case LedgerNotice.HoldExpired expired ->
                of(LOG.atWarn(), node, expired.pod())
                        .log("A hold expired before its pod was bound; its room is free again.");
            case LedgerNotice.BeyondCounting beyond ->
                LOG.atError()
                        .addKeyValue(LogKeys.NODE, node)
                        .addKeyValue(LogKeys.REASON, beyond.command())
                        .log("A command was refused because its amounts do not fit into 64 bits; nothing has changed.");
            case LedgerNotice.InvariantsBroken breaks -> broke(node, breaks);
        }
    }

    /** What {@code why} shows of a pod that a notice found without a hold. */
    static Optional<PlacementDecision> arrival(String node, LedgerNotice notice) {
        return switch (notice) {
            case LedgerNotice.VmFound(var pod, var reserved) ->
                arrived(node, pod, "reserved at its maximum, ", reserved);
            case LedgerNotice.PodFound(var pod, var reserved, var over) ->
                arrived(node, pod, over ? "the node is over-reserved with its " : "it counts at ", reserved);
            case LedgerNotice.LandedUnheld(var pod, var reserved) ->
                arrived(node, pod, "the target of a migration, it counts at ", reserved);
            case LedgerNotice.NodeCompleted _,
                    LedgerNotice.StateGone _,
                    LedgerNotice.ForcedIn _,
                    LedgerNotice.Overclaimed _,
                    LedgerNotice.HoldExpired _,
                    LedgerNotice.BeyondCounting _,
                    LedgerNotice.InvariantsBroken _ -> Optional.empty();
        };
    }

    private static Optional<PlacementDecision> arrived(
            String node, PodIdentity pod, String reason, Resources reserved) {
        return Optional.of(new PlacementDecision(
                PlacementDecision.Kind.ARRIVED,
                pod.id(),
                pod.namespace(),
                pod.name(),
                node,
                reason + Quantities.text(reserved)));
    }

    private static void completed(String node, LedgerNotice.NodeCompleted completed) {
        LOG.atInfo()
                .addKeyValue(LogKeys.NODE, node)
                .addKeyValue(LogKeys.COUNT, completed.reservations())
                .addKeyValue(LogKeys.REASON, completed.recovered() + " of them wait for their agent's first request")
                .log("A full list has completed the node; it grants from now on.");
    }

    private void broke(String node, LedgerNotice.InvariantsBroken breaks) {
        broken.merge(node, 1L, Long::sum);
        LOG.atError()
                .addKeyValue(LogKeys.NODE, node)
                .addKeyValue(LogKeys.REASON, String.join("; ", breaks.breaks()))
                .addKeyValue(LogKeys.ERROR, breaks.command())
                .log("The node ledger is inconsistent after a command: a defect of this program.");
    }

    private static LoggingEventBuilder of(LoggingEventBuilder line, String node, PodIdentity pod) {
        return line.addKeyValue(LogKeys.NODE, node).addKeyValue(LogKeys.POD, pod.label());
    }
}
