package io.sluice.billing.sink.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.billing.sink.Batches;
import io.sluice.billing.sink.EventKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventFilesTest {
    private static final String FIRST = "usage-2025-03-04T050607Z-000001.ndjson";
    private static final String SECOND = "usage-2025-03-04T050607Z-000002.ndjson";

    @TempDir
    private Path directory;

    private final List<Integer> events = new ArrayList<>();
    private final List<BadLine> badLines = new ArrayList<>();

    @Test
    void readsAllThatTheSinkWroteInItsOrder() throws Exception {
        var config = new FileSinkConfig(directory.toString(), 4096, 1000, Duration.ofSeconds(1), 200);
        try (var sink = new FileSink(config, "billing.file", EventKind.BILLING)) {
            for (int i = 0; i < 5000; i += 10) {
                sink.send(Batches.of(
                        IntStream.range(i, i + 10).mapToObj(n -> n + "\n").reduce("", String::concat)));
            }
        }

        read();

        assertThat(events).isEqualTo(IntStream.range(0, 5000).boxed().toList());
        assertThat(badLines).isEmpty();
        assertThat(EventDirectory.files(directory, EventKind.BILLING)).hasSizeGreaterThan(2);
    }

    @Test
    void reportsWhereALineIsNoEventAndReadsOn() throws Exception {
        write(FIRST, "1\nnonsense\n3\n");
        write(SECOND, "4\n\n6\n");

        read();

        assertThat(events).containsExactly(1, 3, 4, 6);
        assertThat(badLines)
                .extracting(bad -> bad.file().getFileName() + ":" + bad.line())
                .containsExactly(FIRST + ":2", SECOND + ":2");
        assertThat(badLines.getFirst().toString())
                .startsWith(directory.resolve(FIRST) + ":2: ")
                .contains("nonsense");
    }

    @Test
    void leavesOutWhatIsStillBeingWritten() throws Exception {
        write(FIRST, "1\n2");
        write(SECOND, "3\n4");

        read();

        assertThat(events).containsExactly(1, 2, 3);
        assertThat(badLines).isEmpty();
    }

    @Test
    void reportsALineThatIsTooLongWithoutKeepingIt() throws Exception {
        write(FIRST, "1\n" + "9".repeat(3 << 20) + "\n3\n");

        read();

        assertThat(events).containsExactly(1, 3);
        assertThat(badLines).hasSize(1);
        assertThat(badLines.getFirst().line()).isEqualTo(2);
        assertThat(badLines.getFirst().why()).contains("1048576");
    }

    @Test
    void reportsALineThatIsNoText() throws Exception {
        Files.write(directory.resolve(FIRST), new byte[] {'1', '\n', (byte) 0xff, '\n', '3', '\n'});

        read();

        assertThat(events).containsExactly(1, 3);
        assertThat(badLines).extracting(BadLine::line).containsExactly(2L);
    }

    @Test
    void reportsAFileThatCannotBeRead() throws Exception {
        Files.createDirectory(directory.resolve(FIRST));
        write(SECOND, "2\n");

        read();

        assertThat(events).containsExactly(2);
        assertThat(badLines).hasSize(1);
        assertThat(badLines.getFirst().file()).isEqualTo(directory.resolve(FIRST));
    }

    @Test
    void findsNothingWhereNothingIs() throws Exception {
        write("scaling-2025-03-04T050607Z-000001.ndjson", "1\n");
        read();
        new EventFiles<>(Integer::valueOf, events::add, badLines::add)
                .readAll(directory.resolve("missing"), EventKind.BILLING);

        assertThat(events).isEmpty();
        assertThat(badLines).isEmpty();
    }

    private void read() throws IOException {
        new EventFiles<>(Integer::valueOf, events::add, badLines::add).readAll(directory, EventKind.BILLING);
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text);
    }
}
