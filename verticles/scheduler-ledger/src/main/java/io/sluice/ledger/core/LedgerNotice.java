package io.sluice.ledger.core;

import io.sluice.ledger.core.state.PodIdentity;
import io.sluice.units.Resources;
import java.util.List;

/** A finding of a command besides its reply. */
public sealed interface LedgerNotice {
    /**
     * A full list completed the node; it grants from now on.
     *
     * @param reservations the number of reservations
     * @param recovered how many of them were recovered and had no request yet
     */
    record NodeCompleted(int reservations, int recovered) implements LedgerNotice {}

    /**
     * The node's state was of another term and may be older than what others granted. It was discarded with all
     * sessions. A full list completes the node again.
     *
     * @param reservations the number of reservations in it
     */
    record StateGone(int reservations) implements LedgerNotice {}

    /**
     * A VM uses more than its reservation, and the reservation was raised. Reported once until its agent's next
     * request.
     *
     * @param pod the VM's pod
     * @param from the reservation before
     * @param to the reservation now
     */
    record ForcedIn(PodIdentity pod, Resources from, Resources to) implements LedgerNotice {}

    /**
     * An autoscaled VM with the configured scheduler name reached the node without a hold.
     *
     * @param pod the VM's pod
     * @param reserved the amounts that are reserved for it
     */
    record VmFound(PodIdentity pod, Resources reserved) implements LedgerNotice {}

    /**
     * A pod without a VM, or of one that is not autoscaled, was bound without a hold, by another scheduler or by a
     * user. It counts all the same.
     *
     * @param pod the pod
     * @param reserved the amounts that are reserved for it
     * @param over whether the node is over-reserved now
     */
    record PodFound(PodIdentity pod, Resources reserved, boolean over) implements LedgerNotice {}

    /**
     * A migration's target reached the node without a hold. It counts all the same.
     *
     * @param pod the target's pod
     * @param reserved the amounts that are reserved for it
     */
    record LandedUnheld(PodIdentity pod, Resources reserved) implements LedgerNotice {}

    /**
     * An agent named a last permit above the reservation, and it did not count. Reported once for each session.
     *
     * @param pod the VM's pod
     * @param reserved the reservation
     * @param claimed the last permit that the agent named
     */
    record Overclaimed(PodIdentity pod, Resources reserved, Resources claimed) implements LedgerNotice {}

    /**
     * A hold expired before its pod was bound, and its room is free.
     *
     * @param pod the pod that the hold was for
     */
    record HoldExpired(PodIdentity pod) implements LedgerNotice {}

    /**
     * A command was refused because its sums do not fit into 64 bits. It changed nothing.
     *
     * @param command the refused command as text
     */
    record BeyondCounting(String command) implements LedgerNotice {}

    /**
     * The node ledger is inconsistent after a command: a defect of the program.
     *
     * @param command the command as text
     * @param breaks one sentence for each broken rule
     */
    record InvariantsBroken(String command, List<String> breaks) implements LedgerNotice {
        public InvariantsBroken {
            breaks = List.copyOf(breaks);
        }
    }
}
