package io.sluice.pressure.core.migrations;

import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.pressure.core.choice.ChoiceText;
import java.util.Optional;

/** Follows the target's pod until the ledger of its node counts it. */
final class TargetTracker {
    private TargetPlace landing = new TargetPlace.Unseen();

    TargetPlace landing() {
        return landing;
    }

    boolean unseen() {
        return landing instanceof TargetPlace.Unseen;
    }

    boolean counted() {
        return landing instanceof TargetPlace.Counted;
    }

    boolean gone() {
        return landing instanceof TargetPlace.Gone;
    }

    /** The node whose ledger has to show it. */
    Optional<String> awaitedOn() {
        return landing instanceof TargetPlace.Observed(var node, String _) ? Optional.of(node) : Optional.empty();
    }

    Optional<String> node() {
        return switch (landing) {
            case TargetPlace.Observed observed -> Optional.of(observed.node());
            case TargetPlace.Counted counted -> Optional.of(counted.node());
            case TargetPlace.Unseen _, TargetPlace.Gone _ -> Optional.empty();
        };
    }

    boolean isIn(String pod) {
        return switch (landing) {
            case TargetPlace.Observed observed -> observed.pod().equals(pod);
            case TargetPlace.Counted counted -> counted.pod().equals(pod);
            case TargetPlace.Unseen _, TargetPlace.Gone _ -> false;
        };
    }

    /** The pod is on that node; a repeat changes nothing. */
    void landed(String node, String pod) {
        if (!isIn(pod)) {
            landing = new TargetPlace.Observed(node, pod);
        }
    }

    void gone(String pod) {
        if (isIn(pod)) {
            landing = new TargetPlace.Gone();
        }
    }

    /**
     * Looks for the pod in a node's ledger. Returns a sentence if the pod does not fit where it is. One that took over
     * room fits: that the room was held once does not suffice, as the ledger may have lost the hold.
     */
    Optional<String> looked(NodeLedgerView ledger) {
        if (!(landing instanceof TargetPlace.Observed(var node, var pod)) || !node.equals(ledger.node())) {
            return Optional.empty();
        }
        var counted = ledger.reservations().stream()
                .filter(reservation -> reservation.pod().equals(pod))
                .findAny();
        if (counted.isEmpty()) {
            return Optional.empty();
        }
        landing = new TargetPlace.Counted(node, pod);
        boolean tookOverRoom = !counted.get().traits().heldFor().isEmpty();
        if (tookOverRoom || !ledger.reserved().exceeds(ledger.total())) {
            return Optional.empty();
        }
        return Optional.of("its target is on " + node + ", which cannot hold it: too much by "
                + ChoiceText.amount(ledger.reserved().minus(ledger.total())));
    }

    @Override
    public String toString() {
        return switch (landing) {
            case TargetPlace.Unseen _ -> "no node has its new pod";
            case TargetPlace.Observed observed -> "its new pod is on " + observed.node();
            case TargetPlace.Counted counted -> "its new pod is on " + counted.node();
            case TargetPlace.Gone _ -> "its new pod ended";
        };
    }
}
