package io.sluice.kills;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What was published to the billing process, and when it was received by its own clock, one line each. A kill loses no
 * line that was written, and tears at most the last one. What that line is about is not durable yet, because the same
 * thread would write it later.
 */
final class Journal implements AutoCloseable {
    private final FileChannel file;

    Journal(Path path) throws IOException {
        file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** A line of a journal; times are in nanoseconds since 1970 by the shared clock. */
    sealed interface Line {
        /** A process started; its billing clock is that many nanoseconds ahead of the shared clock. */
        record Began(int life, long ahead) implements Line {}

        /**
         * The state of a VM was published.
         *
         * @param uid the VM's uid
         * @param changed when it first differed from the last published state
         * @param dated when it last changed, as published
         * @param reported when it was published; the billing verticle received it between that and {@code received}
         * @param received when it was received
         * @param use what is billed; empty while it is not billed
         */
        record ReportedChange(
                String uid, long changed, long dated, long reported, long received, Optional<History.Use> use)
                implements Line {}

        /** A VM is gone. */
        record Gone(String uid, long changed, long reported, long received) implements Line {}

        /** The state of all VMs at that time was published. */
        record Listed(long asOf) implements Line {}

        /**
         * Every change up to a look at the history was published, and all of that was received.
         *
         * @param looked when the history was looked at
         * @param received when it was received; for the billing verticle all changes until then were received
         */
        record Watched(long looked, long received) implements Line {}

        /** Nothing is published for a while; all changes before were published. */
        record Silent(long from) implements Line {}
    }

    void add(Line line) {
        var text = switch (line) {
            case Line.Began(var life, var ahead) -> "began " + life + " " + ahead;
            case Line.ReportedChange(var uid, var changed, var dated, var reported, var received, var use) ->
                "reported " + uid + " " + changed + " " + dated + " " + reported + " " + received
                        + use.map(it -> " " + it.endpoint() + " " + it.milliCpu())
                                .orElse("");
            case Line.Gone(var uid, var changed, var reported, var received) ->
                "gone " + uid + " " + changed + " " + reported + " " + received;
            case Line.Listed(var asOf) -> "listed " + asOf;
            case Line.Watched(var looked, var received) -> "watched " + looked + " " + received;
            case Line.Silent(var from) -> "silent " + from;
        };
        try {
            file.write(ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8)));
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    /** Reads a file without what a kill tore. */
    static List<Line> read(Path path) throws IOException {
        var lines = new ArrayList<Line>();
        for (var text : Files.readString(path).split("(?<=\n)")) {
            // A torn line is before the first line of the next process.
            int whole = Math.max(0, text.lastIndexOf("began "));
            if (text.endsWith("\n")) {
                lines.add(line(text.substring(whole).strip().split(" ")));
            }
        }
        return List.copyOf(lines);
    }

    private static Line line(String[] words) {
        return switch (words[0]) {
            case "began" -> new Line.Began(Integer.parseInt(words[1]), Long.parseLong(words[2]));
            case "reported" ->
                new Line.ReportedChange(
                        words[1],
                        Long.parseLong(words[2]),
                        Long.parseLong(words[3]),
                        Long.parseLong(words[4]),
                        Long.parseLong(words[5]),
                        words.length == 6
                                ? Optional.empty()
                                : Optional.of(new History.Use(words[6], Long.parseLong(words[7]))));
            case "gone" ->
                new Line.Gone(words[1], Long.parseLong(words[2]), Long.parseLong(words[3]), Long.parseLong(words[4]));
            case "listed" -> new Line.Listed(Long.parseLong(words[1]));
            case "watched" -> new Line.Watched(Long.parseLong(words[1]), Long.parseLong(words[2]));
            case "silent" -> new Line.Silent(Long.parseLong(words[1]));
            default -> throw new IllegalArgumentException("not a line of a journal: " + String.join(" ", words));
        };
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
