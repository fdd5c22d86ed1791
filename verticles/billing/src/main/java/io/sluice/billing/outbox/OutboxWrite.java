package io.sluice.billing.outbox;

import io.sluice.billing.sink.QueueId;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What one source makes durable at once, all of it or nothing.
 *
 * <p>A write stays unchanged until it has a result. A failed write may have become durable all the same, and is
 * recognized by its number.
 *
 * @param source name of the source; each source has its own numbers
 * @param number grows by one with each write of that source
 * @param events the events for each queue, one JSON object each, without a line break
 * @param checkpoints small values that the source reads at its next start; an empty value removes the entry
 */
public record OutboxWrite(
        String source, long number, Map<QueueId, List<byte[]>> events, Map<String, byte[]> checkpoints) {
    public OutboxWrite {
        Objects.requireNonNull(source, "source");
        events = Map.copyOf(events);
        checkpoints = Map.copyOf(checkpoints);
        if (number < 1) {
            throw new IllegalArgumentException("numbers of writes start at 1: " + number);
        }
        events.values().forEach(queue -> queue.forEach(OutboxWrite::oneLine));
    }

    private static void oneLine(byte[] event) {
        if (event.length == 0) {
            throw new IllegalArgumentException("an event is empty");
        }
        for (byte character : event) {
            if (character == '\n') {
                throw new IllegalArgumentException("an event must not have a line break");
            }
        }
    }
}
