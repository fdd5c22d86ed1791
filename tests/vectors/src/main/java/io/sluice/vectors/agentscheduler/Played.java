package io.sluice.vectors.agentscheduler;

import java.util.Optional;

/**
 * The result of one exchange.
 *
 * @param name name of the case
 * @param recorded reply of the reference
 * @param ours reply of Sluice
 * @param onPurpose why ours differs on purpose; empty if it should not differ
 * @param good whether it is the recorded kind of reply, or the intended one
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
