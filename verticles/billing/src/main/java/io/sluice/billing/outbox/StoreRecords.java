package io.sluice.billing.outbox;

import io.sluice.billing.outbox.file.NewerFormatException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** The binary form of events and batches in the store. */
final class StoreRecords {
    private static final byte VERSION = 1;
    private static final int INSTANT = Long.BYTES + Integer.BYTES;

    private StoreRecords() {}

    /** An event that waits in an open batch. */
    record Event(Instant acceptedAt, byte[] json) {
        byte[] bytes() {
            var bytes = ByteBuffer.allocate(1 + INSTANT + json.length).put(VERSION);
            return put(bytes, acceptedAt).put(json).array();
        }

        static Event of(byte[] bytes) {
            var in = versioned(bytes);
            return new Event(instant(in), rest(in));
        }
    }

    /** A closed batch; its id is the key. */
    record Closed(Instant closedAt, Instant openedAt, int events, String name, byte[] body) {
        byte[] bytes() {
            var called = name.getBytes(StandardCharsets.UTF_8);
            var bytes = ByteBuffer.allocate(1 + 2 * INSTANT + 2 * Integer.BYTES + called.length + body.length)
                    .put(VERSION);
            return put(put(bytes, closedAt), openedAt)
                    .putInt(events)
                    .putInt(called.length)
                    .put(called)
                    .put(body)
                    .array();
        }

        static Closed of(byte[] bytes) {
            var in = versioned(bytes);
            var closedAt = instant(in);
            var openedAt = instant(in);
            int events = in.getInt();
            var called = new byte[in.getInt()];
            in.get(called);
            return new Closed(closedAt, openedAt, events, new String(called, StandardCharsets.UTF_8), rest(in));
        }
    }

    private static ByteBuffer versioned(byte[] bytes) {
        var in = ByteBuffer.wrap(bytes);
        byte version = in.get();
        if (version != VERSION) {
            throw new NewerFormatException(version, VERSION);
        }
        return in;
    }

    private static ByteBuffer put(ByteBuffer out, Instant instant) {
        return out.putLong(instant.getEpochSecond()).putInt(instant.getNano());
    }

    private static Instant instant(ByteBuffer in) {
        return Instant.ofEpochSecond(in.getLong(), in.getInt());
    }

    private static byte[] rest(ByteBuffer in) {
        var rest = new byte[in.remaining()];
        in.get(rest);
        return rest;
    }
}
