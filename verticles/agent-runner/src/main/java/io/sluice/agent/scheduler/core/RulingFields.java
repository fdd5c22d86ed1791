package io.sluice.agent.scheduler.core;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.ledger.KindDecision;
import java.util.Arrays;
import java.util.Optional;

/** Reads how a kind was ruled, as our gateways say it beside a permit that is less than what was asked. */
final class RulingFields {
    private RulingFields() {}

    /** Empty where nothing was said, or something that is not understood: it is for people alone. */
    static Optional<KindDecision> read(JsonNode node) {
        var said = AnswerReader.field(node, "verdict").asText();
        return Arrays.stream(KindDecision.Rule.values())
                .filter(verdict -> verdict.name().equals(said))
                .findFirst()
                .map(verdict -> new KindDecision(
                        verdict,
                        number(node, "before"),
                        number(node, "asked"),
                        number(node, "permit"),
                        number(node, "remaining"),
                        number(node, "nodeReserved"),
                        number(node, "nodeTotal")));
    }

    private static long number(JsonNode node, String name) {
        return Math.max(0, AnswerReader.field(node, name).asLong());
    }
}
