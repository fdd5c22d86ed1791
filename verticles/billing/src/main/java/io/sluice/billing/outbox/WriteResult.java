package io.sluice.billing.outbox;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What became of an offer. */
public sealed interface WriteResult {
    /**
     * It is durable.
     *
     * @param repeated whether it was already, from an earlier try
     * @param lost what was dropped to make room for it
     */
    record Taken(boolean repeated, Map<QueueId, Loss> lost) implements WriteResult {
        public Taken {
            lost = Map.copyOf(lost);
        }
    }

    /**
     * There is no room: nothing changed, and it may come again as it is.
     *
     * @param lanes why, for each lane that has none
     */
    record Full(List<FullQueue> lanes) implements WriteResult {
        public Full {
            lanes = List.copyOf(lanes);
        }
    }

    /** What was given up without having been sent. */
    record Loss(long events, long batches) {
        Loss plus(Loss other) {
            return new Loss(events + other.events, batches + other.batches);
        }
    }

    /** A lane without room, and the numbers that say so. */
    record FullQueue(QueueId lane, String reason) {
        public FullQueue {
            Objects.requireNonNull(lane, "lane");
            Objects.requireNonNull(reason, "reason");
        }
    }
}
