package io.sluice.gateway.core.console;

import io.sluice.gateway.core.console.fleet.AmountText;
import io.sluice.messages.ledger.KeptRoom;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.shell.explain.Explanation;
import io.sluice.units.ResourceKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Writes one sentence about a node's state and its cause, with the numbers; the node itself is not named. */
final class NodeSentence {
    private NodeSentence() {}

    static String of(NodeStatus node, Instant now) {
        var lasting = AmountText.time(node.since(), now);
        var sentence = switch (node.state()) {
            case INCOMPLETE ->
                "the node's ledger has been incomplete for " + lasting
                        + ": no full list of its pods arrived, so it grants nothing";
            case NOT_READY ->
                "not ready for " + lasting + ": nothing new is held there and no VM is moved away; if that lasts,"
                        + " its VMs are granted no growth either; " + reserved(node.ledger());
            case GROWTH_STOPPED ->
                "not ready, and for " + lasting + " none of its VMs was granted growth; nothing new is held there and"
                        + " no VM is moved away; " + reserved(node.ledger());
            case UNDER_PRESSURE -> "under pressure for " + lasting + ": " + pressure(node.ledger()) + text(node);
            case CALM -> calm(node.ledger());
        };
        sentence += node.ledger().kept().map(NodeSentence::kept).orElse("");
        long broken = node.ledger().invariantsBroken();
        return broken == 0 ? sentence : sentence + "; its ledger was found inconsistent " + broken + " times";
    }

    private static String kept(KeptRoom room) {
        return "; room for " + AmountText.size(room.charge()) + " is kept for " + room.pod() + ", which waits";
    }

    private static String pressure(NodeLedgerView ledger) {
        var numbers = PressureNumbers.of(ledger);
        List<String> parts = new ArrayList<>();
        for (var kind : ResourceKind.values()) {
            if (numbers.logical().of(kind) + numbers.capacity().of(kind)
                    > numbers.accounted().of(kind) + numbers.slack().of(kind)) {
                parts.add(pressure(kind, ledger, numbers));
            }
        }
        return String.join("; ", parts);
    }

    private static String pressure(ResourceKind kind, NodeLedgerView ledger, PressureNumbers numbers) {
        var text = new StringBuilder(AmountText.amount(kind, ledger.reserved()))
                .append(" of ")
                .append(AmountText.named(kind, ledger.total()))
                .append(" reserved, ")
                .append(AmountText.amount(kind, numbers.logical()))
                .append(" above its watermark of ")
                .append(AmountText.amount(kind, ledger.watermark()));
        if (numbers.capacity().of(kind) > 0) {
            text.append(", ")
                    .append(AmountText.amount(kind, numbers.capacity()))
                    .append(" requested and refused");
        }
        if (ledger.deferred().of(kind) > 0) {
            text.append(" (")
                    .append(AmountText.amount(kind, ledger.deferred()))
                    .append(" of these by its kubelet, which has no room for it now)");
        }
        if (numbers.accounted().of(kind) > 0) {
            text.append(", ")
                    .append(AmountText.amount(kind, numbers.accounted()))
                    .append(" will leave by migrations under way");
        }
        return text.toString();
    }

    private static String text(NodeStatus node) {
        return node.decision()
                .map(decision -> decision.vm().isEmpty()
                        ? ", but no VM moves: " + decision.cause()
                        : "; last, " + decision.vm() + " " + verb(decision) + ": " + decision.cause())
                .orElse("");
    }

    private static String verb(Explanation decision) {
        var to = decision.toNode().isEmpty() ? "" : " to " + decision.toNode();
        return switch (decision.kind()) {
            case "MOVING", "ADOPTED" -> "is moving" + to;
            case "MOVED" -> "moved" + to;
            default -> "was not moved" + to;
        };
    }

    private static String reserved(NodeLedgerView ledger) {
        List<String> parts = new ArrayList<>();
        for (var kind : ResourceKind.values()) {
            parts.add(AmountText.amount(kind, ledger.reserved()) + " of " + AmountText.named(kind, ledger.total()));
        }
        return String.join(" and ", parts) + " reserved";
    }

    /** Where a node that is not under pressure is to its watermark, in words that follow "is". */
    static String calm(NodeLedgerView ledger) {
        boolean above = ledger.reserved().exceeds(ledger.watermark());
        var reserved = reserved(ledger);
        if (!above) {
            return "below its watermark of " + AmountText.size(ledger.watermark()) + ": " + reserved;
        }
        var numbers = PressureNumbers.of(ledger);
        return "above its watermark of " + AmountText.size(ledger.watermark()) + " and not under pressure: " + reserved
                + "; " + AmountText.size(numbers.accounted()) + " will leave by migrations under way, and "
                + AmountText.size(numbers.slack()) + " is to spare";
    }
}
