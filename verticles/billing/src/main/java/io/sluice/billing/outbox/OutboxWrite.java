package io.sluice.billing.outbox;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What somebody wants to be durable, all of it or nothing.
 *
 * <p>Until it was answered an offer stays what it is: one that failed may have become durable all the same, and is
 * known again by its number.
 *
 * @param source who offers; each counts by itself
 * @param number grows by one with each offer of that source
 * @param events for each lane, one JSON object each, without a line break
 * @param notes small values that their writer reads again at its next start; an empty one removes what was there
 */
public record OutboxWrite(String source, long number, Map<QueueId, List<byte[]>> events, Map<String, byte[]> notes) {
    public OutboxWrite {
        Objects.requireNonNull(source, "source");
        events = Map.copyOf(events);
        notes = Map.copyOf(notes);
        if (number < 1) {
            throw new IllegalArgumentException("numbers of offers start at 1: " + number);
        }
        events.values().forEach(lane -> lane.forEach(OutboxWrite::oneLine));
    }

    private static void oneLine(byte[] event) {
        if (event.length == 0) {
            throw new IllegalArgumentException("an event is empty");
        }
        for (byte character : event) {
            if (character == '\n') {
                throw new IllegalArgumentException("an event has a line break, and is one line");
            }
        }
    }
}
