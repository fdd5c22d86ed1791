package io.sluice.gateway.core.console;

import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.units.ResourceKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Says in one sentence how a node stands and why, with the numbers; the node itself is not named. */
final class NodeSentence {
    private NodeSentence() {}

    static String of(NodeStatus node, Instant now) {
        var lasting = AmountText.time(node.since(), now);
        var sentence = switch (node.state()) {
            case INCOMPLETE ->
                "the node's books are incomplete: what runs there was not listed yet, so it grants nothing for "
                        + lasting;
            case NOT_READY ->
                "not ready for " + lasting + ": nothing new is held there and nobody is moved away; if that lasts,"
                        + " its VMs are granted no growth either; " + reserved(node.books());
            case GROWTH_STOPPED ->
                "not ready, and for " + lasting + " none of its VMs was granted growth; nothing new is held there and"
                        + " nobody is moved away; " + reserved(node.books());
            case UNDER_PRESSURE -> "under pressure for " + lasting + ": " + pressure(node.books()) + said(node);
            case CALM -> calm(node.books());
        };
        long broken = node.books().invariantsBroken();
        return broken == 0 ? sentence : sentence + "; its books were found inconsistent " + broken + " times";
    }

    private static String pressure(NodeLedgerView books) {
        var numbers = PressureNumbers.of(books);
        List<String> parts = new ArrayList<>();
        for (var kind : ResourceKind.values()) {
            if (numbers.logical().of(kind) + numbers.capacity().of(kind)
                    > numbers.accounted().of(kind) + numbers.slack().of(kind)) {
                parts.add(pressure(kind, books, numbers));
            }
        }
        return String.join("; ", parts);
    }

    private static String pressure(ResourceKind kind, NodeLedgerView books, PressureNumbers numbers) {
        var text = new StringBuilder(AmountText.amount(kind, books.reserved()))
                .append(" of ")
                .append(AmountText.named(kind, books.total()))
                .append(" reserved, ")
                .append(AmountText.amount(kind, numbers.logical()))
                .append(" above its watermark of ")
                .append(AmountText.amount(kind, books.watermark()));
        if (numbers.capacity().of(kind) > 0) {
            text.append(", ")
                    .append(AmountText.amount(kind, numbers.capacity()))
                    .append(" asked for and refused");
        }
        if (numbers.accounted().of(kind) > 0) {
            text.append(", ")
                    .append(AmountText.amount(kind, numbers.accounted()))
                    .append(" of that on its way out");
        }
        return text.toString();
    }

    private static String said(NodeStatus node) {
        return node.said()
                .map(decision -> decision.vm().isEmpty()
                        ? ", but nobody moves: " + decision.reason()
                        : "; last, " + decision.vm() + " " + verb(decision) + ": " + decision.reason())
                .orElse("");
    }

    private static String verb(DecisionView decision) {
        var to = decision.toNode().isEmpty() ? "" : " to " + decision.toNode();
        return switch (decision.kind()) {
            case "MOVING", "ADOPTED" -> "is moving" + to;
            case "MOVED" -> "moved" + to;
            default -> "was not moved" + to;
        };
    }

    private static String reserved(NodeLedgerView books) {
        List<String> parts = new ArrayList<>();
        for (var kind : ResourceKind.values()) {
            parts.add(AmountText.amount(kind, books.reserved()) + " of " + AmountText.named(kind, books.total()));
        }
        return String.join(" and ", parts) + " reserved";
    }

    private static String calm(NodeLedgerView books) {
        boolean above = books.reserved().exceeds(books.watermark());
        var reserved = reserved(books);
        if (!above) {
            return "below its watermark of " + AmountText.size(books.watermark()) + ": " + reserved;
        }
        var numbers = PressureNumbers.of(books);
        return "above its watermark of " + AmountText.size(books.watermark()) + " and not under pressure: " + reserved
                + ", of it " + AmountText.size(numbers.accounted()) + " on its way out and "
                + AmountText.size(numbers.slack())
                + " to spare";
    }
}
