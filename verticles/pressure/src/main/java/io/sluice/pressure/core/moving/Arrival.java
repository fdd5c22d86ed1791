package io.sluice.pressure.core.moving;

import io.sluice.messages.ledger.NodeBooks;
import io.sluice.pressure.core.choosing.Words;
import java.util.Optional;

/** Follows the pod that a VM is moved to, until the books of its node count it. */
final class Arrival {
    private Landing landing = new Landing.Unseen();

    Landing landing() {
        return landing;
    }

    boolean unseen() {
        return landing instanceof Landing.Unseen;
    }

    boolean counted() {
        return landing instanceof Landing.Counted;
    }

    /** The node whose books are to be looked at for it. */
    Optional<String> awaitedOn() {
        return landing instanceof Landing.Seen(var node, String _, boolean _) ? Optional.of(node) : Optional.empty();
    }

    Optional<String> node() {
        return switch (landing) {
            case Landing.Seen seen -> Optional.of(seen.node());
            case Landing.Counted counted -> Optional.of(counted.node());
            case Landing.Unseen _, Landing.Lost _ -> Optional.empty();
        };
    }

    boolean isIn(String pod) {
        return switch (landing) {
            case Landing.Seen seen -> seen.pod().equals(pod);
            case Landing.Counted counted -> counted.pod().equals(pod);
            case Landing.Unseen _, Landing.Lost _ -> false;
        };
    }

    /** The pod is on that node; a repeat changes nothing. */
    void landed(String node, String pod, boolean roomHeld) {
        if (!isIn(pod)) {
            landing = new Landing.Seen(node, pod, roomHeld);
        }
    }

    void gone(String pod) {
        if (isIn(pod)) {
            landing = new Landing.Lost();
        }
    }

    /** Looks for the pod in a node's books; what is wrong with where it landed, in words. */
    Optional<String> looked(NodeBooks books) {
        if (!(landing instanceof Landing.Seen(var node, var pod, var roomHeld))
                || !node.equals(books.node())
                || books.members().stream().noneMatch(member -> member.member().equals(pod))) {
            return Optional.empty();
        }
        landing = new Landing.Counted(node, pod);
        if (roomHeld || !books.reserved().exceeds(books.total())) {
            return Optional.empty();
        }
        return Optional.of("it landed on " + node + ", which cannot hold it: too much by "
                + Words.amount(books.reserved().minus(books.total())));
    }

    @Override
    public String toString() {
        return switch (landing) {
            case Landing.Unseen _ -> "no node has its new pod";
            case Landing.Seen seen -> "its new pod is on " + seen.node();
            case Landing.Counted counted -> "its new pod is on " + counted.node();
            case Landing.Lost _ -> "its new pod ended";
        };
    }
}
