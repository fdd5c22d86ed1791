package io.sluice.vectors.agentscheduler;

import java.util.Optional;

/**
 * How one recorded exchange went with Sluice.
 *
 * @param name of the case
 * @param recorded what the reference answered
 * @param ours what Sluice answered
 * @param onPurpose why ours differs and is meant to; empty where it should not
 * @param good whether it is the recorded kind of answer, or the one that is meant instead
 */
public record Played(
        String name,
        RecordedExchange.Answer recorded,
        RecordedExchange.Answer ours,
        Optional<String> onPurpose,
        boolean good) {
    static Played of(RecordedExchange exchange, RecordedExchange.Answer ours) {
        var purpose = OnPurpose.of(exchange);
        boolean good = purpose.map(one -> one.allows(ours))
                .orElseGet(() -> exchange.answer().isLike(ours));
        return new Played(exchange.name(), exchange.answer(), ours, purpose.map(OnPurpose::reason), good);
    }
}
