package io.sluice.billing.sink.file;

import io.sluice.billing.sink.EventKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Reads the events of one kind that a {@link FileSink} has written, in order, one at a time. The sink may be writing
 * meanwhile.
 *
 * @param <E> type of an event
 */
public final class EventFiles<E> {
    private static final int LINE_BYTES_MAX = 1 << 20;

    private final Parser<E> parser;
    private final Consumer<? super E> events;
    private final Consumer<BadLine> badLines;

    /**
     * Makes an event of a line.
     *
     * @param <E> type of the event
     */
    @FunctionalInterface
    public interface Parser<E> {
        /**
         * Returns the event of a line.
         *
         * @throws IOException if the line is not an event; {@link IllegalArgumentException} means the same
         */
        E parse(String line) throws IOException;
    }

    /**
     * Creates a reader.
     *
     * @param parser makes events of lines
     * @param events receives every event
     * @param badLines receives every line that cannot be read
     */
    public EventFiles(Parser<E> parser, Consumer<? super E> events, Consumer<BadLine> badLines) {
        this.parser = parser;
        this.events = events;
        this.badLines = badLines;
    }

    /**
     * Reads all files of a directory, oldest first. A last line of the newest file that has no line break is left out,
     * because it is not written completely.
     *
     * @throws IOException if the directory cannot be read; a file that cannot be read is a {@link BadLine}
     */
    public void readAll(Path directory, EventKind kind) throws IOException {
        var files = EventDirectory.files(directory, kind);
        for (var file : files) {
            read(file.path(), file.equals(files.getLast()));
        }
    }

    private void read(Path path, boolean newest) {
        long number = 0;
        try (var stream = Files.newInputStream(path)) {
            var lines = new LineSource(stream, LINE_BYTES_MAX);
            while (lines.next()) {
                number++;
                if (lines.hasEnd() || !newest) {
                    take(lines, path, number);
                }
            }
        } catch (FileSystemException missing) {
            badLines.accept(new BadLine(path, number, "the file cannot be read: " + missing));
        } catch (IOException broken) {
            badLines.accept(new BadLine(path, number + 1, "the file cannot be read further: " + broken));
        }
    }

    private void take(LineSource line, Path path, long number) {
        if (line.isTooLong()) {
            badLines.accept(new BadLine(path, number, "longer than " + LINE_BYTES_MAX + " bytes"));
            return;
        }
        E event;
        try {
            event = parser.parse(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(line.bytes()))
                    .toString());
        } catch (IOException | IllegalArgumentException noEvent) {
            badLines.accept(new BadLine(path, number, String.valueOf(noEvent.getMessage())));
            return;
        }
        events.accept(event);
    }
}
