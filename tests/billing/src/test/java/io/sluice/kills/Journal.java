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
 * What the process that bills was told, and when by its own clock, a line each. A kill loses no line that was written,
 * and at most tears the last: of that nothing was made durable yet, as the same thread would have to do it.
 */
final class Journal implements AutoCloseable {
    private final FileChannel file;

    Journal(Path path) throws IOException {
        file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** A line of a journal; times are in nanoseconds since 1970 by the shared clock. */
    sealed interface Line {
        /** A process began, whose bills go by a clock that is so many nanoseconds ahead of the shared one. */
        record Began(int life, long ahead) implements Line {}

        /**
         * A VM is so.
         *
         * @param changed when it first was otherwise than it had been told before
         * @param dated when it last changed, as it was told
         * @param said when this was said: the verticle that bills has heard it between that and {@code heard}
         * @param heard when this was heard
         */
        record ReportedChange(String uid, long changed, long dated, long said, long heard, Optional<History.Use> use)
                implements Line {}

        /** A VM is not there any more. */
        record Gone(String uid, long changed, long said, long heard) implements Line {}

        /** All VMs were told of as they were then. */
        record Listed(long asOf) implements Line {}

        /** Everything up to then was told. */
        record Watched(long heard) implements Line {}

        /** Nothing will be told for a while; what changed before that was told. */
        record Silent(long from) implements Line {}
    }

    void add(Line line) {
        var text = switch (line) {
            case Line.Began(var life, var ahead) -> "began " + life + " " + ahead;
            case Line.ReportedChange(var uid, var changed, var dated, var said, var heard, var use) ->
                "told " + uid + " " + changed + " " + dated + " " + said + " " + heard
                        + use.map(it -> " " + it.endpoint() + " " + it.milliCpu())
                                .orElse("");
            case Line.Gone(var uid, var changed, var said, var heard) ->
                "gone " + uid + " " + changed + " " + said + " " + heard;
            case Line.Listed(var asOf) -> "listed " + asOf;
            case Line.Watched(var heard) -> "watched " + heard;
            case Line.Silent(var from) -> "silent " + from;
        };
        try {
            file.write(ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8)));
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    /** All of a file but what a kill tore. */
    static List<Line> read(Path path) throws IOException {
        var lines = new ArrayList<Line>();
        for (var text : Files.readString(path).split("(?<=\n)")) {
            // What was torn stands before the next process's first line.
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
            case "told" ->
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
            case "watched" -> new Line.Watched(Long.parseLong(words[1]));
            case "silent" -> new Line.Silent(Long.parseLong(words[1]));
            default -> throw new IllegalArgumentException("no line of a journal: " + String.join(" ", words));
        };
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
