package io.sluice.gateway.core.console;

import io.sluice.gateway.core.console.fleet.AmountText;
import io.sluice.gateway.core.console.fleet.MigrationEntry;
import io.sluice.shell.explain.Explanation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Explains one node's state, from its current state and its kept entries. */
final class NodeWhy {
    private static final int HANGING_SHOWN = 3;

    private NodeWhy() {}

    /** @param hanging migrations that leave it and do not end */
    static Why.Known now(
            String name,
            Optional<NodeStatus> status,
            List<MigrationEntry> hanging,
            List<Explanation> kept,
            Instant now) {
        if (status.isEmpty()) {
            return new Why.Known(name, "it is gone", Optional.empty(), kept);
        }
        List<Explanation> reasons = new ArrayList<>(kept);
        var node = status.get();
        reasons.addFirst(node.explained(Optional.empty(), now));
        var text = new StringBuilder(NodeSentence.of(node, now));
        hanging.stream()
                .limit(HANGING_SHOWN)
                .forEach(move -> text.append("; ")
                        .append(move.vm())
                        .append(" is stuck: ")
                        .append(move.hanging(now)));
        if (hanging.size() > HANGING_SHOWN) {
            text.append("; and ").append(hanging.size() - HANGING_SHOWN).append(" more like it");
        }
        return new Why.Known(name, text.toString(), Optional.of(node.since()), reasons);
    }

    static Why.Known then(String name, Optional<NodeStatus> status, List<Explanation> kept, Instant time) {
        var held = kept.stream().filter(reason -> reason.held(time)).findFirst();
        if (held.isPresent()) {
            return new Why.Known(name, held.get().cause(), held.map(Explanation::since), kept);
        }
        var open = status.filter(node -> !node.since().isAfter(time));
        if (open.isPresent()) {
            var sentence = NodeSentence.of(open.get(), time) + AmountText.AS_LAST_SET;
            return new Why.Known(name, sentence, open.map(NodeStatus::since), kept);
        }
        var last = kept.stream().findFirst();
        return new Why.Known(
                name,
                last.map(reason -> "its state then is not kept; the last before: " + reason.cause())
                        .orElse("no state of that time is kept"),
                last.map(Explanation::since),
                kept);
    }
}
