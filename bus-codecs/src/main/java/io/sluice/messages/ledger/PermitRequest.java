package io.sluice.messages.ledger;

import io.sluice.units.Resources;
import java.util.Objects;
import java.util.Optional;

/**
 * A runner tells the ledger what its VM should hold in total: more is a question, less is already done.
 *
 * @param node the member's node
 * @param member the pod's uid
 * @param runner who asks, as it opened the session: after the books were lost, numbers of sessions come again, and only
 *     the name tells an old session from a new one; empty from an asker that gives no name and is told by numbers alone
 * @param session as the ledger opened it
 * @param seq from 1, one more for each new question; a repeat carries the same
 * @param computeUnit increases that are cut short are whole multiples of this
 * @param target what the VM should hold, not the difference
 * @param lastPermit the last permit that this agent got; counts while the member is recovered
 * @param load1 the 1-minute load, if it is known
 * @param use what the VM uses and may come to use; empty from an agent of the reference's kind
 */
public record PermitRequest(
        String node,
        String member,
        String runner,
        long session,
        long seq,
        Resources computeUnit,
        Resources target,
        Optional<Resources> lastPermit,
        Optional<Float> load1,
        Optional<ReportedUse> use) {
    public PermitRequest {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(member, "member");
        Objects.requireNonNull(runner, "runner");
        Objects.requireNonNull(computeUnit, "computeUnit");
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(lastPermit, "lastPermit");
        Objects.requireNonNull(load1, "load1");
        Objects.requireNonNull(use, "use");
        if (session < 1) {
            throw new IllegalArgumentException("sessions start at 1: " + session);
        }
        if (seq < 1) {
            throw new IllegalArgumentException("seq starts at 1: " + seq);
        }
    }

    /** Of an agent of the reference's kind, which reports no use. */
    public PermitRequest(
            String node,
            String member,
            String runner,
            long session,
            long seq,
            Resources computeUnit,
            Resources target,
            Optional<Resources> lastPermit,
            Optional<Float> load1) {
        this(node, member, runner, session, seq, computeUnit, target, lastPermit, load1, Optional.empty());
    }
}
