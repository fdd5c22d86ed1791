package io.sluice.replay.recording;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.replay.core.nodes.NodeSizes;
import io.sluice.replay.read.LineReader;
import io.sluice.units.Resources;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.zip.GZIPOutputStream;

/**
 * Writes a recording as files of JSON lines, packed by gzip, into one folder. A file that is full is followed by the
 * next, and the oldest ones are deleted so that all together keep a bound. Written lines are on disk after a second, so
 * that a process that is killed loses no more. Safe from any thread.
 */
public final class RecordingWriter implements AutoCloseable {
    /** The first line of each file. */
    static final String HEAD = "{\"recording\":1}";

    static final String PREFIX = "recording-";
    static final String SUFFIX = ".jsonl.gz";

    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final long FLUSH_MILLIS = 1_000;
    private static final int BUFFER_BYTES = 1 << 13;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Path folder;
    private final long fileBytesMax;
    private final long totalBytesMax;
    private final InstantSource clock;
    private Optional<OpenFile> file = Optional.empty();
    private Instant flushedAt = Instant.EPOCH;
    private int files;
    private Optional<String> nodes = Optional.empty();
    private boolean closed;
    private long steps;

    /** One file, and how many bytes were written to it. */
    private static final class OpenFile {
        private final CountedStream counted;
        private final GZIPOutputStream out;

        OpenFile(Path path) throws IOException {
            counted = new CountedStream(Files.newOutputStream(path, StandardOpenOption.CREATE_NEW));
            out = new GZIPOutputStream(counted, BUFFER_BYTES, true);
        }
    }

    private static final class CountedStream extends FilterOutputStream {
        private long bytes;

        CountedStream(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int value) throws IOException {
            out.write(value);
            bytes++;
        }

        @Override
        public void write(byte[] values, int from, int length) throws IOException {
            out.write(values, from, length);
            bytes += length;
        }
    }

    /**
     * A writer, which opens its first file with the first line.
     *
     * @param folder is made if it does not exist
     * @param fileBytesMax a file that has this many bytes is followed by the next
     * @param totalBytesMax of all recordings in the folder
     */
    public RecordingWriter(Path folder, long fileBytesMax, long totalBytesMax, InstantSource clock) {
        if (fileBytesMax < BUFFER_BYTES || totalBytesMax < 2 * fileBytesMax) {
            throw new IllegalArgumentException("a file has at least " + BUFFER_BYTES
                    + " bytes, and all files together at least twice as many as one");
        }
        this.folder = folder;
        this.fileBytesMax = fileBytesMax;
        this.totalBytesMax = totalBytesMax;
        this.clock = clock;
    }

    /**
     * Writes a step of a runner.
     *
     * @param vm {@code namespace/name}
     * @param uid the VM's
     * @param entries its journal, as JSON
     */
    public synchronized void step(
            String vm,
            String uid,
            String node,
            String runner,
            long number,
            int goalCu,
            OptionalInt shadowCu,
            String entries)
            throws IOException {
        var line = MAPPER.createObjectNode()
                .put("vm", vm)
                .put("uid", uid)
                .put("node", node)
                .put("runner", runner)
                .put("number", number)
                .put("goalCu", goalCu);
        shadowCu.ifPresent(cu -> line.put("shadowCu", cu));
        line.set("entries", MAPPER.readTree(entries));
        write(line);
        steps++;
    }

    /**
     * Writes the sizes of the fleet's nodes, by name, and begins each file that follows with them.
     *
     * @return how many were written: the first ones, as many as a reader takes
     */
    public synchronized int nodes(Map<String, Resources> totals) throws IOException {
        // A reader that does not know nodes skips this line, as one about messages that were dropped.
        var line = MAPPER.createObjectNode().put("dropped", 0);
        var all = line.putArray("nodes");
        int length = line.toString().length();
        for (var total : totals.entrySet()) {
            var node = MAPPER.createObjectNode()
                    .put("name", total.getKey())
                    .put("milliCpu", total.getValue().milliCpu())
                    .put("memoryBytes", total.getValue().memoryBytes());
            length += node.toString().length() + 1;
            if (all.size() == NodeSizes.NODES_MAX || length > LineReader.LINE_MAX) {
                break;
            }
            all.add(node);
        }
        nodes = Optional.of(line + "\n");
        if (file.isPresent()) {
            write(line);
        }
        return all.size();
    }

    /** Writes how many messages the recorded process dropped since the last such line. */
    public synchronized void dropped(long messages) throws IOException {
        write(MAPPER.createObjectNode().put("dropped", messages));
    }

    /** How many steps were written. */
    public synchronized long steps() {
        return steps;
    }

    private void write(ObjectNode line) throws IOException {
        if (closed) {
            return;
        }
        if (file.isEmpty()) {
            open();
        }
        var to = file.orElseThrow();
        to.out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        var now = clock.instant();
        if (flushedAt.plusMillis(FLUSH_MILLIS).isBefore(now)) {
            flushedAt = now;
            to.out.flush();
        }
        if (to.counted.bytes >= fileBytesMax) {
            endFile();
        }
    }

    private void open() throws IOException {
        Files.createDirectories(folder);
        deleteOldest();
        files++;
        var name = PREFIX + NAME.format(clock.instant()) + String.format(Locale.ROOT, "-%06d", files) + SUFFIX;
        var opened = new OpenFile(folder.resolve(name));
        opened.out.write((HEAD + "\n" + nodes.orElse("")).getBytes(StandardCharsets.UTF_8));
        file = Optional.of(opened);
    }

    /** Leaves room for one more file. */
    private void deleteOldest() throws IOException {
        var all = files(folder);
        long total = 0;
        for (var each : all) {
            total += Files.size(each);
        }
        for (var each : all) {
            if (total + fileBytesMax <= totalBytesMax) {
                return;
            }
            total -= Files.size(each);
            Files.delete(each);
        }
    }

    /** The recordings in a folder, oldest first. */
    static List<Path> files(Path folder) throws IOException {
        try (var all = Files.list(folder)) {
            return all.filter(path -> path.getFileName().toString().startsWith(PREFIX)
                            && path.getFileName().toString().endsWith(SUFFIX))
                    .sorted(Comparator.comparing(path -> path.getFileName().toString()))
                    .toList();
        }
    }

    /** Ends the recording; further lines are dropped. */
    @Override
    public synchronized void close() throws IOException {
        closed = true;
        endFile();
    }

    private void endFile() throws IOException {
        var closing = file;
        file = Optional.empty();
        if (closing.isPresent()) {
            closing.get().out.close();
        }
    }
}
