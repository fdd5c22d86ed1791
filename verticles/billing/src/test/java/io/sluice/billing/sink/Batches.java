package io.sluice.billing.sink;

import io.sluice.billing.outbox.Batch;
import io.sluice.billing.outbox.EventKind;
import io.sluice.billing.outbox.QueueId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** Batches for tests. */
final class Batches {
    static final Instant CLOSED_AT = Instant.parse("2025-03-04T05:06:07.891Z");

    private Batches() {}

    /** With that body. */
    static Batch of(String body) {
        return named("KwSysDpxcBU9FNhGkn2dCf", body);
    }

    /** With that name too. */
    static Batch named(String name, String body) {
        var lane = new QueueId(EventKind.BILLING, "test");
        return new Batch(lane, 1, name, CLOSED_AT, 1, body.getBytes(StandardCharsets.UTF_8));
    }

    /** So many lines, each of which says which batch it is of. */
    static Batch lines(String word, int count) {
        var body = new StringBuilder();
        for (int i = 1; i <= count; i++) {
            body.append("{\"key\":\"%s-%d/%d\"}\n".formatted(word, i, count));
        }
        return of(body.toString());
    }

    /** What they hold, one after another. */
    static String text(Batch... batches) {
        var text = new StringBuilder();
        for (var batch : batches) {
            text.append(new String(batch.body(), StandardCharsets.UTF_8));
        }
        return text.toString();
    }
}
