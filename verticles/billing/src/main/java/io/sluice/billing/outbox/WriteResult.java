package io.sluice.billing.outbox;

import io.sluice.billing.sink.QueueId;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The result of a write to the outbox. */
public sealed interface WriteResult {
    /** The reason of a full disk. */
    String NO_DISK = "the disk has no room";

    /**
     * The write is durable.
     *
     * @param repeated whether an earlier attempt had already made it durable
     * @param lost what was dropped to make room for it
     */
    record Taken(boolean repeated, Map<QueueId, Loss> lost) implements WriteResult {
        public Taken {
            lost = Map.copyOf(lost);
        }
    }

    /**
     * There is no room. Nothing changed, and the same write may be repeated.
     *
     * @param queues the reason for each full queue
     */
    record Full(List<FullQueue> queues) implements WriteResult {
        public Full {
            queues = List.copyOf(queues);
        }

        /** The first reason. A write without events is only refused because of the disk. */
        public String reason() {
            return queues.isEmpty() ? NO_DISK : queues.getFirst().reason();
        }
    }

    /** What was dropped unsent. */
    record Loss(long events, long batches) {
        Loss plus(Loss other) {
            return new Loss(events + other.events, batches + other.batches);
        }
    }

    /** A full queue, and the reason with its numbers. */
    record FullQueue(QueueId queue, String reason) {
        public FullQueue {
            Objects.requireNonNull(queue, "queue");
            Objects.requireNonNull(reason, "reason");
        }
    }
}
