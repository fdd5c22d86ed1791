package io.sluice.agent.scheduler.core;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.ledger.permit.KindDecision;
import java.util.Arrays;
import java.util.Optional;

/** Parses how CPU or memory was decided, which Sluice's gateways add to a permit that is less than the request. */
final class RulingFields {
    private RulingFields() {}

    /** Empty if the fields are missing or invalid: they are for users only. */
    static Optional<KindDecision> read(JsonNode node) {
        var reported = AnswerReader.field(node, "verdict").asText();
        return Arrays.stream(KindDecision.Rule.values())
                .filter(outcome -> outcome.name().equals(reported))
                .findFirst()
                .map(outcome -> new KindDecision(
                        outcome,
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
