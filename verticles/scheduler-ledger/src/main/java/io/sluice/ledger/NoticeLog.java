package io.sluice.ledger;

import io.sluice.ledger.core.LedgerNotice;
import io.sluice.ledger.core.PodIdentity;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Quantities;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** What the books bring to light, in an operator's log; counts on each node how often they broke their own rules. */
final class NoticeLog {
    private static final Logger LOG = LoggerFactory.getLogger(NoticeLog.class);

    private final LedgerMetrics meters;
    private final Map<String, Long> broken = new HashMap<>();

    NoticeLog(LedgerMetrics meters) {
        this.meters = meters;
    }

    /** How many commands left the node's books inconsistent. */
    long broken(String node) {
        return broken.getOrDefault(node, 0L);
    }

    void forget(String node) {
        broken.remove(node);
    }

    void tell(String node, LedgerNotice notice) {
        meters.noticed(notice);
        switch (notice) {
            case LedgerNotice.NodeCompleted completed -> completed(node, completed);
            case LedgerNotice.StateGone lost ->
                LOG.atWarn()
                        .addKeyValue(LogKeys.NODE, node)
                        .addKeyValue(LogKeys.COUNT, lost.members())
                        .log("The node's state may be older than what others promised meanwhile; it is given up, and a"
                                + " full list makes the node complete again.");
            case LedgerNotice.ForcedIn forced ->
                of(LOG.atWarn(), node, forced.member())
                        .addKeyValue(LogKeys.FROM, Quantities.text(forced.from()))
                        .addKeyValue(LogKeys.TO, Quantities.text(forced.to()))
                        .log("A VM uses more than was booked for it; the books follow.");
            case LedgerNotice.ArrivedPastUs arrived ->
                of(LOG.atWarn(), node, arrived.member())
                        .addKeyValue(LogKeys.TO, Quantities.text(arrived.reserved()))
                        .log("A VM reached its node past the ledger; it is booked at its maximum until its agent"
                                + " asks.");
            case LedgerNotice.PodPastUs arrived ->
                of(arrived.over() ? LOG.atWarn() : LOG.atDebug(), node, arrived.member())
                        .addKeyValue(LogKeys.TO, Quantities.text(arrived.reserved()))
                        .log(
                                arrived.over()
                                        ? "A pod was bound past the ledger to a node that has no room for it; it"
                                                + " counts, and nothing is granted there."
                                        : "A pod was bound past the ledger; it counts.");
            case LedgerNotice.LandedUnheld landed ->
                of(LOG.atWarn(), node, landed.member())
                        .addKeyValue(LogKeys.TO, Quantities.text(landed.reserved()))
                        .log("A migration's target reached its node without room held for it; it counts all the same.");
            case LedgerNotice.Overclaimed claim ->
                of(LOG.atWarn(), node, claim.member())
                        .addKeyValue(LogKeys.FROM, Quantities.text(claim.booked()))
                        .addKeyValue(LogKeys.TO, Quantities.text(claim.claimed()))
                        .log("An agent claims a permit beyond the books; it does not count.");
            case LedgerNotice.HoldExpired expired ->
                of(LOG.atWarn(), node, expired.member())
                        .log("A hold ran out before it was bound; its room is free again.");
            case LedgerNotice.BeyondCounting beyond ->
                LOG.atError()
                        .addKeyValue(LogKeys.NODE, node)
                        .addKeyValue(LogKeys.REASON, beyond.command())
                        .log("Amounts beyond what can be counted were refused; nothing has changed.");
            case LedgerNotice.InvariantsBroken breaks -> broke(node, breaks);
        }
    }

    private static void completed(String node, LedgerNotice.NodeCompleted completed) {
        LOG.atInfo()
                .addKeyValue(LogKeys.NODE, node)
                .addKeyValue(LogKeys.COUNT, completed.members())
                .addKeyValue(LogKeys.REASON, completed.recovered() + " of them wait for their agent's first question")
                .log("All members of the node are known; it grants from now on.");
    }

    private void broke(String node, LedgerNotice.InvariantsBroken breaks) {
        broken.merge(node, 1L, Long::sum);
        LOG.atError()
                .addKeyValue(LogKeys.NODE, node)
                .addKeyValue(LogKeys.REASON, String.join("; ", breaks.breaks()))
                .addKeyValue(LogKeys.ERROR, breaks.command())
                .log("The books are inconsistent after a command: a defect of this program.");
    }

    private static LoggingEventBuilder of(LoggingEventBuilder line, String node, PodIdentity member) {
        return line.addKeyValue(LogKeys.NODE, node).addKeyValue(LogKeys.POD, member.label());
    }
}
