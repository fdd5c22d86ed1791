package io.sluice.billing.sink.file;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.billing.sink.Batch;
import io.sluice.billing.sink.EventKind;
import io.sluice.billing.sink.SinkException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A directory of events with a sink that writes to it, on a disk that can be made to fail. */
final class EventFolder implements AutoCloseable {
    /** The first file. */
    static final String FIRST = "usage-2025-03-04T050607Z-000001.ndjson";
    /** The second file. */
    static final String SECOND = "usage-2025-03-04T050607Z-000002.ndjson";
    /** The third file. */
    static final String THIRD = "usage-2025-03-04T050607Z-000003.ndjson";

    private final Path path;
    private final BadDisk disk = new BadDisk();
    private final AtomicInteger deleted = new AtomicInteger();
    private FileSink sink;

    EventFolder(Path path) {
        this.path = path;
        this.sink = anotherSink(1 << 20, 16);
    }

    Path path() {
        return path;
    }

    /** How many files were deleted for newer ones. */
    int deleted() {
        return deleted.get();
    }

    BadDisk disk() {
        return disk;
    }

    /** Continues as another process with another config. */
    void reopen(long maxFileBytes, int keepFiles) {
        sink.close();
        sink = anotherSink(maxFileBytes, keepFiles);
    }

    void restart() {
        reopen(1 << 20, 16);
    }

    FileSink anotherSink(long maxFileBytes, int keepFiles) {
        var config = new FileSinkConfig(path.toString(), maxFileBytes, keepFiles, Duration.ofSeconds(1), 200);
        return new FileSink(config, "billing.file", EventKind.BILLING, deleted::incrementAndGet, disk);
    }

    void send(Batch batch) throws SinkException {
        sink.send(batch);
    }

    void refuses(Batch batch) {
        assertThatThrownBy(() -> sink.send(batch)).isInstanceOf(SinkException.class);
    }

    void write(String name, String text) throws IOException {
        Files.createDirectories(path);
        Files.writeString(path.resolve(name), text);
    }

    String read(String name) throws IOException {
        return Files.readString(path.resolve(name));
    }

    /** The names of all files except the locks. */
    List<String> names() throws IOException {
        try (var files = Files.list(path)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.startsWith("."))
                    .sorted()
                    .toList();
        }
    }

    /** The content of all files, concatenated. */
    String content() throws IOException {
        var content = new StringBuilder();
        for (var name : names()) {
            content.append(read(name));
        }
        return content.toString();
    }

    @Override
    public void close() {
        sink.close();
    }
}
