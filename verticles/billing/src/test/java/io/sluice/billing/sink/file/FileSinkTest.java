package io.sluice.billing.sink.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.billing.sink.Batches;
import io.sluice.billing.sink.EventKind;
import io.sluice.billing.sink.SinkException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSinkTest {
    @TempDir
    private Path parent;

    private EventFolder folder;

    @BeforeEach
    void open() {
        folder = new EventFolder(parent.resolve("deep/events"));
    }

    @AfterEach
    void close() {
        folder.close();
    }

    @Test
    void appendsBatchAfterBatchToOneFile() throws Exception {
        folder.send(Batches.lines("a", 3));
        folder.send(Batches.lines("b", 2));

        assertThat(folder.names()).containsExactly(EventFolder.FIRST);
        assertThat(folder.content()).isEqualTo(Batches.text(Batches.lines("a", 3), Batches.lines("b", 2)));
    }

    @Test
    void filesAreForTheirOwnerAlone() throws Exception {
        folder.send(Batches.lines("a", 1));

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.path())))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(folder.path().resolve(EventFolder.FIRST))))
                .isEqualTo("rw-------");
    }

    @Test
    void writesABatchThatComesAgainOnce() throws Exception {
        folder.send(Batches.lines("a", 3));
        folder.send(Batches.lines("b", 3));
        folder.send(Batches.lines("b", 3));
        folder.restart();
        folder.send(Batches.lines("b", 3));

        assertThat(folder.content()).isEqualTo(Batches.text(Batches.lines("a", 3), Batches.lines("b", 3)));
    }

    @Test
    void takesNoEndOfALineForALine() throws Exception {
        folder.send(Batches.of("21\n"));
        folder.send(Batches.of("1\n"));
        folder.send(Batches.of("1\n"));

        assertThat(folder.content()).isEqualTo("21\n1\n");
    }

    @Test
    void goesOnInAnotherFileWhenOneIsFull() throws Exception {
        folder.reopen(100, 16);
        for (var word : List.of("a", "b", "c")) {
            folder.send(Batches.lines(word, 5));
        }

        assertThat(folder.names()).containsExactly(EventFolder.FIRST, EventFolder.SECOND, EventFolder.THIRD);
        assertThat(folder.content())
                .isEqualTo(Batches.text(Batches.lines("a", 5), Batches.lines("b", 5), Batches.lines("c", 5)));
    }

    @Test
    void givesABatchThatIsLargerThanAFileAFileOfItsOwn() throws Exception {
        folder.reopen(100, 16);
        folder.send(Batches.lines("a", 1));
        folder.send(Batches.lines("large", 50));
        folder.send(Batches.lines("b", 1));

        assertThat(folder.names()).hasSize(3);
        assertThat(folder.read(folder.names().get(1))).isEqualTo(Batches.text(Batches.lines("large", 50)));
    }

    @Test
    void writesABatchOnceThatFilledItsFile() throws Exception {
        folder.reopen(100, 16);
        folder.send(Batches.lines("a", 5));
        folder.restart();
        folder.send(Batches.lines("a", 5));
        assertThat(folder.names()).hasSize(1);

        Files.createFile(folder.path().resolve(EventFolder.SECOND));
        folder.send(Batches.lines("a", 5));
        folder.send(Batches.lines("b", 5));

        assertThat(folder.names()).hasSize(2);
        assertThat(folder.content()).isEqualTo(Batches.text(Batches.lines("a", 5), Batches.lines("b", 5)));
    }

    @Test
    void deletesTheOldestFiles() throws Exception {
        folder.reopen(100, 2);
        for (var word : List.of("a", "b", "c", "d")) {
            folder.send(Batches.lines(word, 5));
            assertThat(folder.names()).hasSizeLessThanOrEqualTo(2);
        }

        assertThat(folder.content()).isEqualTo(Batches.text(Batches.lines("c", 5), Batches.lines("d", 5)));
        assertThat(folder.deleted()).isEqualTo(2);
    }

    @Test
    void deletesAtTheNextBatchWhatASmallerConfigKeepsNoLonger() throws Exception {
        folder.reopen(100, 5);
        for (var word : List.of("a", "b", "c", "d")) {
            folder.send(Batches.lines(word, 5));
        }
        folder.reopen(1000, 1);
        folder.send(Batches.lines("e", 5));

        assertThat(folder.content()).isEqualTo(Batches.text(Batches.lines("d", 5), Batches.lines("e", 5)));
        assertThat(folder.names()).hasSize(1);
    }

    @Test
    void fillsAFileThatWasBegunWithAnythingFirst() throws Exception {
        folder.reopen(100, 16);
        folder.write(EventFolder.FIRST, "");

        folder.send(Batches.lines("large", 50));

        assertThat(folder.names()).containsExactly(EventFolder.FIRST);
    }

    @Test
    void namesTheKeyWhereTheDirectoryIsAFile() throws Exception {
        Files.createDirectories(folder.path().getParent());
        Files.writeString(folder.path(), "not a directory");

        assertThatThrownBy(() -> folder.send(Batches.lines("a", 1)))
                .isInstanceOf(SinkException.class)
                .hasMessageContaining("billing.file.directory=" + folder.path() + " cannot be written");
    }

    @Test
    void twoSinksDoNotShareADirectory() throws Exception {
        folder.send(Batches.lines("a", 1));
        try (var other = folder.anotherSink(1 << 20, 16)) {
            assertThatThrownBy(() -> other.send(Batches.lines("b", 1)))
                    .isInstanceOf(SinkException.class)
                    .hasMessageContaining("another sink writes there");
            folder.close();
            other.send(Batches.lines("b", 1));
        }
        assertThat(folder.content()).isEqualTo(Batches.text(Batches.lines("a", 1), Batches.lines("b", 1)));
    }

    @Test
    void bothKindsOfEventsMayHaveOneDirectory() throws Exception {
        var config = new FileSinkConfig(folder.path().toString(), 1 << 20, 16, Duration.ofSeconds(1), 200);
        try (var scaling = new FileSink(config, "billing.scalingEvents.file", EventKind.SCALING_EVENTS)) {
            folder.send(Batches.lines("a", 1));
            scaling.send(Batches.lines("b", 1));
        }

        assertThat(folder.names()).containsExactly("scaling-2025-03-04T050607Z-000001.ndjson", EventFolder.FIRST);
        assertThat(folder.read(EventFolder.FIRST)).isEqualTo(Batches.text(Batches.lines("a", 1)));
    }

    @Test
    void leavesFilesOfOthersAlone() throws Exception {
        for (var name : List.of("usage-notes.ndjson", "usage-2025-03-04T050607Z-000007.ndjson.bak", "other")) {
            folder.write(name, "torn");
        }
        folder.send(Batches.lines("a", 1));

        assertThat(folder.read("usage-notes.ndjson")).isEqualTo("torn");
        assertThat(folder.read(EventFolder.FIRST)).isEqualTo(Batches.text(Batches.lines("a", 1)));
    }

    @Test
    void goesOnWhereItsDirectoryWasDeleted() throws Exception {
        folder.send(Batches.lines("a", 1));
        try (var all = Files.walk(folder.path())) {
            for (var file : all.sorted((one, other) -> other.compareTo(one)).toList()) {
                Files.delete(file);
            }
        }

        folder.send(Batches.lines("b", 1));

        assertThat(folder.content()).isEqualTo(Batches.text(Batches.lines("b", 1)));
    }

    @Test
    void filesAreOrderedByNumberAndNotByClock() throws Exception {
        folder.write("usage-2099-01-01T000000Z-000009.ndjson", "{\"future\":1}\n");
        folder.write("usage-2025-01-01T000000Z-1000000.ndjson", "{\"past\":1}\n");

        folder.send(Batches.lines("a", 1));

        assertThat(folder.read("usage-2025-01-01T000000Z-1000000.ndjson"))
                .isEqualTo("{\"past\":1}\n" + Batches.text(Batches.lines("a", 1)));
    }
}
