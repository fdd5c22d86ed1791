package io.sluice.billing.outbox;

import static io.sluice.billing.outbox.OutboxRig.HTTP;
import static io.sluice.billing.outbox.OutboxRig.NOW;
import static io.sluice.billing.outbox.OutboxRig.ROOMY;
import static io.sluice.billing.outbox.OutboxRig.S3;
import static io.sluice.billing.outbox.OutboxRig.SOURCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutboxTest {
    private static final WriteResult TAKEN = new WriteResult.Taken(false, Map.of());

    @TempDir
    private Path directory;

    @Test
    void closesABatchWhenItIsFullAndKeepsTheRestOpen() throws IOException {
        try (var rig = OutboxRig.of(directory)) {
            assertThat(rig.accept(HTTP, "{1}", "{2}", "{3}", "{4}")).isEqualTo(TAKEN);

            var view = rig.outbox.view(HTTP);
            assertThat(view.batches()).isEqualTo(1);
            assertThat(view.open()).isEqualTo(1);
            assertThat(view.events()).isEqualTo(4);
            assertThat(view.oldest()).contains(NOW);
            assertThat(rig.drain(HTTP)).containsExactly("{\"events\":[{1},{2},{3}]}", "{\"events\":[{4}]}");
            assertThat(rig.outbox.view(HTTP)).isEqualTo(QueueView.EMPTY);
        }
    }

    @Test
    void writesLinesForAQueueOfLines() throws IOException {
        try (var rig = OutboxRig.of(directory)) {
            rig.accept(S3, "{1}", "{2}");
            assertThat(rig.drain(S3)).containsExactly("{1}\n{2}\n");
        }
    }

    @Test
    void keepsWhatWasAcceptedWhenTheProcessDies() throws IOException {
        try (var rig = OutboxRig.of(directory)) {
            rig.accept(HTTP, "{1}", "{2}", "{3}", "{4}");
            rig.outbox.accept(
                    rig.offer(
                            Map.of(S3, OutboxRig.bytes("{5}")),
                            Map.of("window", "w1".getBytes(StandardCharsets.UTF_8), "x", new byte[] {1})),
                    NOW);

            rig.killAndOpen();

            assertThat(rig.outbox.checkpoints("win"))
                    .hasEntrySatisfying(
                            "window", value -> assertThat(OutboxRig.text(value)).isEqualTo("w1"));
            assertThat(rig.outbox.checkpoints("win")).hasSize(1);
            assertThat(rig.outbox.lastOffer(SOURCE)).isEqualTo(2);
            assertThat(rig.drain(HTTP)).containsExactly("{\"events\":[{1},{2},{3}]}", "{\"events\":[{4}]}");
            assertThat(rig.drain(S3)).containsExactly("{5}\n");
            assertThat(rig.received.findings).isEmpty();
        }
    }

    @Test
    void neverChangesABatchOnceItIsClosed() throws IOException {
        try (var rig = OutboxRig.of(directory)) {
            rig.accept(HTTP, "{1}");
            rig.outbox.closeOpen(HTTP, NOW);
            var before = rig.outbox.head(HTTP).orElseThrow();

            rig.now = NOW.plusSeconds(3600);
            rig.accept(HTTP, "{2}");
            rig.killAndOpen();

            assertThat(rig.outbox.head(HTTP)).get().usingRecursiveComparison().isEqualTo(before);
        }
    }

    @Test
    @DisplayName("F20: events that are offered twice are stored once")
    void recognizesARepeatedWriteByItsNumber() throws IOException {
        try (var rig = OutboxRig.of(directory)) {
            var offer = rig.offer(Map.of(HTTP, OutboxRig.bytes("{1}")), Map.of());
            rig.outbox.accept(offer, NOW);
            rig.killAndOpen();

            assertThat(rig.outbox.accept(offer, NOW)).isEqualTo(new WriteResult.Taken(true, Map.of()));
            assertThat(rig.drain(HTTP)).containsExactly("{\"events\":[{1}]}");
        }
    }

    @Test
    void removesAnEntryThatIsPutEmpty() throws IOException {
        try (var rig = OutboxRig.of(directory)) {
            rig.outbox.accept(rig.offer(Map.of(), Map.of("a", new byte[] {1}, "b", new byte[] {2})), NOW);
            rig.outbox.accept(rig.offer(Map.of(), Map.of("a", new byte[0])), NOW);
            assertThat(rig.outbox.checkpoints("")).containsOnlyKeys("b");
        }
    }

    @Test
    void givesNoNumberOfABatchTwice() throws IOException {
        try (var rig = OutboxRig.of(directory)) {
            rig.accept(HTTP, "{1}", "{2}", "{3}");
            long first = rig.outbox.head(HTTP).orElseThrow().id();
            rig.outbox.taken(HTTP, first);
            rig.killAndOpen();
            rig.accept(HTTP, "{4}", "{5}", "{6}");
            assertThat(rig.outbox.head(HTTP).orElseThrow().id()).isGreaterThan(first);
        }
    }

    @Test
    void removesOnlyTheBatchThatWasSent() throws IOException {
        try (var rig = OutboxRig.of(directory)) {
            rig.accept(HTTP, "{1}", "{2}", "{3}", "{4}", "{5}", "{6}");
            long first = rig.outbox.head(HTTP).orElseThrow().id();
            assertThat(rig.outbox.taken(HTTP, first)).isTrue();
            assertThat(rig.outbox.taken(HTTP, first)).isFalse();
            assertThat(rig.outbox.view(HTTP).batches()).isEqualTo(1);
        }
    }

    @Test
    void letsNoSecondOneIntoItsDirectory() throws IOException {
        try (var rig = OutboxRig.of(directory)) {
            assertThatThrownBy(rig::open)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(directory.toString())
                    .hasMessageContaining("billing.directory");
        }
    }

    @Test
    void reportsEventsForASinkThatIsNotConfiguredAnyMoreAndKeepsThem() throws IOException {
        try (var rig = OutboxRig.of(directory)) {
            rig.accept(S3, "{1}");
            rig.outbox.close();
            var s3 = rig.queues.remove(1);
            rig.open();
            assertThat(rig.received.orphans).containsExactly("scalingevents/s3 1");
            rig.outbox.close();
            rig.queues.add(s3);
            rig.open();
            assertThat(rig.drain(S3)).containsExactly("{1}\n");
        }
    }

    @Test
    void refusesAFileThatIsNone() throws IOException {
        try (var rig = OutboxRig.of(directory)) {
            Files.write(rig.file(), new byte[100_000]);
        }
        assertThatThrownBy(() -> OutboxRig.of(directory))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("billing.directory")
                .hasMessageContaining("move it away");
    }

    @Test
    void refusesToBeginAnewWhereItsFileIsGone() throws IOException {
        try (var rig = OutboxRig.of(directory)) {
            rig.accept(HTTP, "{1}");
            Files.delete(rig.file());
        }
        assertThatThrownBy(() -> OutboxRig.of(directory))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("outbox-*.db is missing");
    }

    @Test
    void refusesToBeginBesideAFileOfAnEarlierVersion() throws IOException {
        Files.write(directory.resolve("outbox.mv"), new byte[100]);
        assertThatThrownBy(() -> OutboxRig.of(directory))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("earlier Sluice");
    }

    @Test
    void beginsWhereABeginningWasCutShort() throws IOException {
        Files.write(directory.resolve("outbox.new"), new byte[100]);
        try (var rig = OutboxRig.of(directory)) {
            assertThat(rig.accept(HTTP, "{1}")).isEqualTo(TAKEN);
        }
    }

    @Test
    void refusesAnEventOfTwoLines() {
        assertThatThrownBy(() -> new OutboxWrite(
                        SOURCE, 1, Map.of(HTTP, List.of("{\n}".getBytes(StandardCharsets.UTF_8))), Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("line break");
    }

    @Test
    void servesSeveralThreadsAtOnce() throws Exception {
        try (var rig = OutboxRig.of(directory);
                var threads = Executors.newFixedThreadPool(4)) {
            var sources = IntStream.range(0, 4)
                    .mapToObj(source -> threads.submit(() -> {
                        for (int number = 1; number <= 50; number++) {
                            var events = OutboxRig.bytes("{\"" + source + "-" + number + "\"}");
                            rig.outbox.accept(
                                    new OutboxWrite(
                                            "source" + source, number, Map.of(S3, events, HTTP, events), Map.of()),
                                    NOW);
                            rig.outbox.head(HTTP).ifPresent(head -> rig.outbox.taken(HTTP, head.id()));
                        }
                    }))
                    .toList();
            for (var source : sources) {
                source.get();
            }
            var lines = rig.drain(S3).stream().flatMap(String::lines).toList();
            assertThat(lines).hasSize(200).doesNotHaveDuplicates();
            assertThat(rig.received.failures).isEmpty();
        }
    }

    @Test
    void refusesAQueueThatItDoesNotHave() throws IOException {
        try (var rig = OutboxRig.with(directory, OutboxRig.queue(HTTP, BatchForm.NDJSON, 3, ROOMY))) {
            assertThatThrownBy(() -> rig.accept(S3, "{1}"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("scalingevents/s3");
        }
    }
}
