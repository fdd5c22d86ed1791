package io.sluice.pressure.core.choice;

import io.sluice.shell.BoundedMap;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** The nodes that refused a hold for what their sums do not show. Each is left out for some time, whatever its sums. */
final class HoldRefusals {
    private static final int KEPT_MAX = 10_000;

    private static final Duration LEFT_OUT = Duration.ofSeconds(60);

    private record Refusal(Instant until, String reason) {}

    private final Map<String, Refusal> byNode = BoundedMap.ofNewest(KEPT_MAX);

    void add(String node, String reason, Instant now) {
        byNode.remove(node);
        byNode.put(node, new Refusal(now.plus(LEFT_OUT), reason));
    }

    /** Why the node is left out now, in words that follow "is". */
    Optional<String> of(String node, Instant now) {
        return Optional.ofNullable(byNode.get(node))
                .filter(refusal -> now.isBefore(refusal.until))
                .map(refusal -> "left out for " + ChoiceText.seconds(Duration.between(now, refusal.until))
                        + " more, as it refused a hold: " + refusal.reason);
    }

    /** Removes those that are over. */
    void prune(Instant now) {
        byNode.values().removeIf(refusal -> !now.isBefore(refusal.until));
    }
}
