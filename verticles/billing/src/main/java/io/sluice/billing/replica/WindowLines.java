package io.sluice.billing.replica;

import io.sluice.billing.sink.EventKind;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** The copy of a window: its events by kind as compressed lines, each with its kind before it. */
final class WindowLines {
    private WindowLines() {}

    static byte[] write(Map<EventKind, List<byte[]>> events) {
        var bytes = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(bytes)) {
            for (var kind : events.entrySet()) {
                for (var event : kind.getValue()) {
                    out.write((kind.getKey().word() + " ").getBytes(StandardCharsets.US_ASCII));
                    out.write(event);
                    out.write('\n');
                }
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException("writing to memory failed", impossible);
        }
        return bytes.toByteArray();
    }

    static Map<EventKind, List<byte[]>> read(byte[] copy) throws IOException {
        var events = new EnumMap<EventKind, List<byte[]>>(EventKind.class);
        try (var in = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(new ByteArrayInputStream(copy)), StandardCharsets.UTF_8))) {
            for (var line = in.readLine(); line != null; line = in.readLine()) {
                int end = line.indexOf(' ');
                events.computeIfAbsent(kind(line.substring(0, Math.max(0, end))), any -> new ArrayList<>())
                        .add(line.substring(end + 1).getBytes(StandardCharsets.UTF_8));
            }
        }
        return events;
    }

    private static EventKind kind(String word) throws IOException {
        for (var kind : EventKind.values()) {
            if (kind.word().equals(word)) {
                return kind;
            }
        }
        throw new IOException("the copy of a window has an event of the unknown kind \"" + word + "\"");
    }
}
