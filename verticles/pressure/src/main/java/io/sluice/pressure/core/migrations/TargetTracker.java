package io.sluice.pressure.core.migrations;

import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.pressure.core.choice.ChoiceText;
import java.util.Optional;

/** Follows the pod that a VM is moved to, until the books of its node count it. */
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

    /** The node whose books are to be looked at for it. */
    Optional<String> awaitedOn() {
        return landing instanceof TargetPlace.Observed(var node, String _, boolean _)
                ? Optional.of(node)
                : Optional.empty();
    }

    Optional<String> node() {
        return switch (landing) {
            case TargetPlace.Observed seen -> Optional.of(seen.node());
            case TargetPlace.Counted counted -> Optional.of(counted.node());
            case TargetPlace.Unseen _, TargetPlace.Gone _ -> Optional.empty();
        };
    }

    boolean isIn(String pod) {
        return switch (landing) {
            case TargetPlace.Observed seen -> seen.pod().equals(pod);
            case TargetPlace.Counted counted -> counted.pod().equals(pod);
            case TargetPlace.Unseen _, TargetPlace.Gone _ -> false;
        };
    }

    /** The pod is on that node; a repeat changes nothing. */
    void landed(String node, String pod, boolean roomHeld) {
        if (!isIn(pod)) {
            landing = new TargetPlace.Observed(node, pod, roomHeld);
        }
    }

    void gone(String pod) {
        if (isIn(pod)) {
            landing = new TargetPlace.Gone();
        }
    }

    /** Looks for the pod in a node's books; what is wrong with where it landed, in words. */
    Optional<String> looked(NodeLedgerView books) {
        if (!(landing instanceof TargetPlace.Observed(var node, var pod, var roomHeld))
                || !node.equals(books.node())
                || books.members().stream().noneMatch(member -> member.member().equals(pod))) {
            return Optional.empty();
        }
        landing = new TargetPlace.Counted(node, pod);
        if (roomHeld || !books.reserved().exceeds(books.total())) {
            return Optional.empty();
        }
        return Optional.of("it landed on " + node + ", which cannot hold it: too much by "
                + ChoiceText.amount(books.reserved().minus(books.total())));
    }

    @Override
    public String toString() {
        return switch (landing) {
            case TargetPlace.Unseen _ -> "no node has its new pod";
            case TargetPlace.Observed seen -> "its new pod is on " + seen.node();
            case TargetPlace.Counted counted -> "its new pod is on " + counted.node();
            case TargetPlace.Gone _ -> "its new pod ended";
        };
    }
}
