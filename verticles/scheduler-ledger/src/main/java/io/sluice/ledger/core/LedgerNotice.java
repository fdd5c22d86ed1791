package io.sluice.ledger.core;

import io.sluice.units.Resources;
import java.util.List;

/** Something that a command brought to light beside its reply. */
public sealed interface LedgerNotice {
    /**
     * The node's members are all known; it grants from now on.
     *
     * @param members how many
     * @param recovered how many of them wait for their agent's first question
     */
    record NodeCompleted(int members, int recovered) implements LedgerNotice {}

    /**
     * The node's state was of another term of the ledgers, and may have been old: it is lost, and all sessions with it.
     * A full list makes the node complete again.
     *
     * @param members how many were in it
     */
    record StateGone(int members) implements LedgerNotice {}

    /**
     * A VM uses more than was booked for it; the books followed. Told once until its agent asks again.
     *
     * @param member the member
     * @param from what was booked
     * @param to what is booked now
     */
    record ForcedIn(PodIdentity member, Resources from, Resources to) implements LedgerNotice {}

    /**
     * An autoscaled VM that names our scheduler reached the node without being held or bound through the ledger.
     *
     * @param member the member
     * @param reserved what it is booked at
     */
    record ArrivedPastUs(PodIdentity member, Resources reserved) implements LedgerNotice {}

    /**
     * A pod without a VM was bound to the node by somebody else: another scheduler, or by hand. It counts all the same.
     *
     * @param member the member
     * @param reserved what it is booked at
     * @param over whether the node has promised more than it has since
     */
    record PodPastUs(PodIdentity member, Resources reserved, boolean over) implements LedgerNotice {}

    /**
     * A migration's target reached the node without room held for it; it counts all the same.
     *
     * @param member the member
     * @param reserved what it is booked at
     */
    record LandedUnheld(PodIdentity member, Resources reserved) implements LedgerNotice {}

    /**
     * An agent claimed a last permit beyond the books, which did not count. Told once a session.
     *
     * @param member the member
     * @param booked what the books held
     * @param claimed what the agent claimed
     */
    record Overclaimed(PodIdentity member, Resources booked, Resources claimed) implements LedgerNotice {}

    /**
     * A hold ran out before it was confirmed, and freed itself.
     *
     * @param member the member that was held
     */
    record HoldExpired(PodIdentity member) implements LedgerNotice {}

    /**
     * A command's sums were beyond 64 bits; it changed nothing.
     *
     * @param command what was refused, in words
     */
    record BeyondCounting(String command) implements LedgerNotice {}

    /**
     * The books are inconsistent after a command: a defect of the program.
     *
     * @param command which command it was
     * @param breaks one sentence for each rule that is broken
     */
    record InvariantsBroken(String command, List<String> breaks) implements LedgerNotice {
        public InvariantsBroken {
            breaks = List.copyOf(breaks);
        }
    }
}
