package io.sluice.billing.sink.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.billing.sink.Batches;
import io.sluice.billing.sink.SinkException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each batch is in the files once and complete, whatever fails on the disk or in the process. */
class FileSinkRepairTest {
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

    /** Tests every point at which a process may have died during an append. */
    @Test
    void completesABatchWhereverItsAppendWasInterrupted() throws Exception {
        var before = Batches.text(Batches.lines("a", 2));
        var batch = Batches.lines("b", 3);
        for (int written = 0; written <= batch.body().length; written++) {
            folder.write(EventFolder.FIRST, before + Batches.text(batch).substring(0, written));
            folder.send(batch);
            assertThat(folder.content()).as("after %d bytes", written).isEqualTo(before + Batches.text(batch));
        }
    }

    /** A dropped batch leaves the part that was written; complete lines stay, because they are events. */
    @Test
    void cutsOffATornLineOfAnotherBatch() throws Exception {
        var before = Batches.text(Batches.lines("a", 2));
        var lost = Batches.text(Batches.lines("b", 1));
        for (int written = 1; written < lost.length(); written++) {
            folder.write(EventFolder.FIRST, before + lost.substring(0, written));
            folder.send(Batches.lines("c", 2));
            assertThat(folder.content())
                    .as("after %d bytes", written)
                    .isEqualTo(before + Batches.text(Batches.lines("c", 2)));
        }
    }

    @Test
    void cutsOffALongTornLineAtTheBeginningOfAFile() throws Exception {
        folder.write(EventFolder.FIRST, "x".repeat(50_000));

        folder.send(Batches.lines("a", 2));

        assertThat(folder.content()).isEqualTo(Batches.text(Batches.lines("a", 2)));
    }

    /** What a power failure may leave: some lines of a batch, followed by garbage. */
    @Test
    void completesABatchThatEndsInGarbage() throws Exception {
        var batch = Batches.lines("b", 3);
        var firstLine = Batches.text(batch).substring(0, Batches.text(batch).indexOf('\n') + 1);
        folder.write(EventFolder.FIRST, firstLine + "\0".repeat(20));

        folder.send(batch);

        assertThat(folder.content()).isEqualTo(Batches.text(batch));
    }

    @Test
    void aFullDiskTakesNothingOfABatchAndAllOfItLater() throws Exception {
        folder.send(Batches.lines("a", 2));
        folder.disk().leave(20);

        assertThatThrownBy(() -> folder.send(Batches.lines("b", 3)))
                .isInstanceOfSatisfying(
                        SinkException.class,
                        reported -> assertThat(reported.label()).isEqualTo("file error"))
                .hasMessageContaining("billing.file.directory=" + folder.path())
                .hasMessageContaining("No space left on device");
        assertThat(folder.content()).isEqualTo(Batches.text(Batches.lines("a", 2)));

        folder.disk().repair();
        folder.send(Batches.lines("b", 3));
        assertThat(folder.content()).isEqualTo(Batches.text(Batches.lines("a", 2), Batches.lines("b", 3)));
    }

    @Test
    void whatADiskKeepsOfABatchThatItRefusedIsCutBeforeTheNext() throws Exception {
        folder.send(Batches.lines("a", 2));
        folder.disk().leave(25);
        folder.disk().cuts(false);
        folder.refuses(Batches.lines("b", 3));
        assertThat(folder.content()).isNotEqualTo(Batches.text(Batches.lines("a", 2)));
        folder.refuses(Batches.lines("b", 3));

        folder.disk().repair();
        folder.send(Batches.lines("c", 3));
        assertThat(folder.content()).isEqualTo(Batches.text(Batches.lines("a", 2), Batches.lines("c", 3)));
    }

    /** After a failed sync a later sync proves nothing about the same bytes, so they are written again. */
    @Test
    void writesAnewWhatItCouldNotSync() throws Exception {
        folder.send(Batches.lines("a", 2));
        folder.disk().syncs(false);
        folder.disk().cuts(false);
        folder.refuses(Batches.lines("b", 3));
        assertThat(folder.content()).isEqualTo(Batches.text(Batches.lines("a", 2), Batches.lines("b", 3)));

        folder.disk().repair();
        folder.disk().leave(0);
        folder.refuses(Batches.lines("b", 3));
        assertThat(folder.content()).isEqualTo(Batches.text(Batches.lines("a", 2)));

        folder.disk().repair();
        folder.send(Batches.lines("b", 3));
        assertThat(folder.content()).isEqualTo(Batches.text(Batches.lines("a", 2), Batches.lines("b", 3)));
    }

    @Test
    void writesAnewWhatItCompletedAndCouldNotSync() throws Exception {
        folder.send(Batches.lines("a", 2));
        var batch = Batches.lines("b", 3);
        folder.write(
                EventFolder.FIRST,
                Batches.text(Batches.lines("a", 2)) + Batches.text(batch).substring(0, 25));
        folder.disk().syncs(false);
        folder.refuses(batch);
        assertThat(folder.content()).isEqualTo(Batches.text(Batches.lines("a", 2)));

        folder.disk().repair();
        folder.send(batch);
        assertThat(folder.content()).isEqualTo(Batches.text(Batches.lines("a", 2), batch));
    }

    @Test
    void completesABatchOfWhichTheDiskTookAPartBeforeTheProcessDied() throws Exception {
        folder.disk().leave(25);
        folder.disk().cuts(false);
        folder.refuses(Batches.lines("a", 3));
        folder.disk().repair();
        folder.restart();

        folder.send(Batches.lines("a", 3));

        assertThat(folder.content()).isEqualTo(Batches.text(Batches.lines("a", 3)));
    }

    @Test
    void goesOnAfterItsThreadWasInterrupted() throws Exception {
        folder.send(Batches.lines("a", 2));
        Thread.currentThread().interrupt();
        folder.refuses(Batches.lines("b", 2));
        assertThat(Thread.interrupted()).isTrue();

        folder.send(Batches.lines("b", 2));

        assertThat(folder.content()).isEqualTo(Batches.text(Batches.lines("a", 2), Batches.lines("b", 2)));
    }

    @Test
    void makesRoomBeforeItNeedsIt() throws Exception {
        folder.reopen(100, 1);
        folder.send(Batches.lines("a", 5));
        folder.disk().leave(0);
        folder.refuses(Batches.lines("b", 5));

        assertThat(folder.names()).containsExactly(EventFolder.SECOND);
        folder.disk().repair();
        folder.send(Batches.lines("b", 5));
        assertThat(folder.content()).isEqualTo(Batches.text(Batches.lines("b", 5)));
    }

    /** The file that contains the beginning of the batch is not deleted, although a newer file exists. */
    @Test
    void completesABatchInTheFileThatItWasBegunIn() throws Exception {
        folder.reopen(100, 1);
        var batch = Batches.lines("a", 5);
        folder.write(EventFolder.FIRST, Batches.text(batch).substring(0, 30));
        folder.write(EventFolder.SECOND, "");

        folder.send(batch);

        assertThat(folder.content()).isEqualTo(Batches.text(batch));
        assertThat(folder.names()).containsExactly(EventFolder.FIRST, EventFolder.SECOND);
    }
}
