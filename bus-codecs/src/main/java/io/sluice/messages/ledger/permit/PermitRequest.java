package io.sluice.messages.ledger.permit;

import io.sluice.units.Resources;
import java.util.Objects;
import java.util.Optional;

/**
 * A runner requests what its VM should have in total: more needs a permit, less has been given back already.
 *
 * @param node the reservation's node
 * @param pod the pod's uid
 * @param runner the id with which the session was opened: after the ledger's state was lost, session numbers are used
 *     again, and only the id distinguishes an old session from a new one; empty from a requester without an id, which
 *     only numbers identify
 * @param session as the ledger opened it
 * @param seq from 1, one more for each new request; a repeat has the same number
 * @param computeUnit increases that are cut are whole multiples of this
 * @param target what the VM should have in total, not the difference
 * @param lastPermit the last permit that this agent got; counts while the reservation is recovered
 * @param load1 the 1-minute load, if it is known
 * @param use what the VM uses and may come to use; empty from an agent of the reference's kind
 */
public record PermitRequest(
        String node,
        String pod,
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
        Objects.requireNonNull(pod, "pod");
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
            String pod,
            String runner,
            long session,
            long seq,
            Resources computeUnit,
            Resources target,
            Optional<Resources> lastPermit,
            Optional<Float> load1) {
        this(node, pod, runner, session, seq, computeUnit, target, lastPermit, load1, Optional.empty());
    }
}
