package io.sluice.billing.outbox;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
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

    private static final JsonFactory JSON = new JsonFactory();

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

    /** Returns the events of a batch to the letter; none where the form has no receiver that could refuse it. */
    List<byte[]> events(byte[] body) {
        var events = new ArrayList<byte[]>();
        if (this == JSON_OBJECT) {
            try (var json = JSON.createParser(body)) {
                // The name of the array comes before it.
                var token = json.nextToken();
                while (token != null && token != JsonToken.START_ARRAY) {
                    token = json.nextToken();
                }
                while (json.nextToken() == JsonToken.START_OBJECT) {
                    int from = (int) json.currentTokenLocation().getByteOffset();
                    json.skipChildren();
                    events.add(Arrays.copyOfRange(
                            body, from, (int) json.currentLocation().getByteOffset()));
                }
            } catch (IOException impossible) {
                throw new UncheckedIOException("reading from memory failed", impossible);
            }
        }
        return events;
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
