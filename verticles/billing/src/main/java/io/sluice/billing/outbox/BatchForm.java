package io.sluice.billing.outbox;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** The form of a batch's body; each event is one JSON object without a line break. */
public enum BatchForm {
    /** {@code {"events":[...]}}, as HTTP receivers expect it. */
    JSON_OBJECT,
    /** One event on each line. */
    NDJSON,
    /** One event on each line, compressed by gzip. */
    NDJSON_GZIP;

    /** Makes the body of a batch from its events. */
    byte[] body(List<byte[]> events) {
        var bytes = new ByteArrayOutputStream();
        try {
            switch (this) {
                case JSON_OBJECT -> object(events, bytes);
                case NDJSON -> lines(events, bytes);
                case NDJSON_GZIP -> {
                    try (var gzip = new GZIPOutputStream(bytes)) {
                        lines(events, gzip);
                    }
                }
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException("writing to memory failed", impossible);
        }
        return bytes.toByteArray();
    }

    private static void object(List<byte[]> events, OutputStream out) throws IOException {
        out.write("{\"events\":[".getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < events.size(); i++) {
            if (i > 0) {
                out.write(',');
            }
            out.write(events.get(i));
        }
        out.write("]}".getBytes(StandardCharsets.US_ASCII));
    }

    private static void lines(List<byte[]> events, OutputStream out) throws IOException {
        for (var event : events) {
            out.write(event);
            out.write('\n');
        }
    }
}
