package io.sluice.gateway.core.console;

import io.sluice.gateway.core.console.fleet.AmountText;
import io.sluice.shell.explain.Explanation;
import java.time.Instant;
import java.util.List;

/** Explains where a pod was placed, or why it waits, from its kept decisions. */
final class PodWhy {
    private PodWhy() {}

    /**
     * Explains a pod's state.
     *
     * @param kept its decisions up to the requested time, the newest first
     * @param time the requested time
     */
    static Why.Known of(String key, List<Explanation> kept, Instant time) {
        var last = kept.stream().findFirst();
        return new Why.Known(
                key,
                last.map(decision -> sentence(decision, time)).orElse("no decision of that time is kept"),
                last.map(Explanation::since),
                kept);
    }

    /**
     * Explains in one sentence why a pod waits. A binding before its creation was that of another pod of its name.
     *
     * @param kept the decisions about pods of its name, the newest first
     */
    static String waiting(List<Explanation> kept, Instant createdAt, Instant now) {
        return kept.stream()
                .findFirst()
                .filter(last -> !last.kind().equals("PLACED") || !last.since().isBefore(createdAt))
                .map(last -> sentence(last, now))
                .orElse("no attempt to place it was reported yet");
    }

    private static String sentence(Explanation decision, Instant time) {
        var ago = AmountText.time(decision.since(), time);
        return switch (decision.kind()) {
            case "WAITS" -> "it waits for " + ago + ": " + decision.cause();
            case "PLACED" -> "it was bound to node " + decision.node() + " " + ago + " ago";
            case "ARRIVED" ->
                "it arrived on node " + decision.node() + " " + ago + " ago without a hold: " + decision.cause();
            default -> "it was not bound to node " + decision.node() + " " + ago + " ago: " + decision.cause();
        };
    }
}
