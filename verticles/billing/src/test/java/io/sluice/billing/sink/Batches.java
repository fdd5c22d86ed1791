package io.sluice.billing.sink;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** Makes batches for tests. */
public final class Batches {
    static final Instant CLOSED_AT = Instant.parse("2025-03-04T05:06:07.891Z");

    private Batches() {}

    /** Returns a batch with that body. */
    public static Batch of(String body) {
        return named("KwSysDpxcBU9FNhGkn2dCf", body);
    }

    /** Returns a batch with that name and body. */
    static Batch named(String name, String body) {
        var queue = new QueueId(EventKind.BILLING, "test");
        return new Batch(queue, 1, name, CLOSED_AT, 1, body.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a batch of lines that contain the batch's word. */
    public static Batch lines(String word, int count) {
        var body = new StringBuilder();
        for (int i = 1; i <= count; i++) {
            body.append("{\"key\":\"%s-%d/%d\"}\n".formatted(word, i, count));
        }
        return of(body.toString());
    }

    /** Returns the bodies of the batches, concatenated. */
    public static String text(Batch... batches) {
        var text = new StringBuilder();
        for (var batch : batches) {
            text.append(new String(batch.body(), StandardCharsets.UTF_8));
        }
        return text.toString();
    }
}
