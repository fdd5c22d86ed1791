package io.sluice.billing.sink;

import io.sluice.billing.outbox.EventKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Reads the events of one kind that a {@link FileSink} has written, in order, one at a time; it may be writing
 * meanwhile.
 *
 * @param <E> what an event is read as
 */
public final class EventFiles<E> {
    private static final int LINE_BYTES_MAX = 1 << 20;

    private final Parser<E> parser;
    private final Consumer<? super E> events;
    private final Consumer<BadLine> badLines;

    /**
     * How a line becomes an event.
     *
     * @param <E> the event
     */
    @FunctionalInterface
    public interface Parser<E> {
        /**
         * The event of that line.
         *
         * @throws IOException when it is none; {@link IllegalArgumentException} says the same
         */
        E parse(String line) throws IOException;
    }

    /**
     * Hands out what is read.
     *
     * @param parser makes events of lines
     * @param events gets every event
     * @param badLines gets every line that is none
     */
    public EventFiles(Parser<E> parser, Consumer<? super E> events, Consumer<BadLine> badLines) {
        this.parser = parser;
        this.events = events;
        this.badLines = badLines;
    }

    /**
     * Reads all files of a directory, the oldest first. What has no line's end yet at the end of the newest is not
     * taken by anybody so far, and left out.
     *
     * @throws IOException when the directory cannot be read; a file that cannot is a {@link BadLine}
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
