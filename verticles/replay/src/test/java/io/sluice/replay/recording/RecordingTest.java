package io.sluice.replay.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.agent.core.scaling.CoreConfig;
import io.sluice.agent.core.scaling.CoreEntry;
import io.sluice.agent.core.scaling.ScalingCore;
import io.sluice.agent.core.scaling.SystemMetrics;
import io.sluice.agent.core.scaling.VmInfo;
import io.sluice.agent.journal.JournalText;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.replay.core.nodes.NodeSizes;
import io.sluice.replay.core.recorded.Comparison;
import io.sluice.replay.core.recorded.RecordingScore;
import io.sluice.replay.read.MalformedTraceException;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: files of recordings, whole and damaged. Method: the journal of a core that is scraped every five seconds. */
class RecordingTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final int STEPS = 200;
    private static final long FILE_BYTES = 1 << 14;
    private static final int GOAL = 3;
    private static final int SHADOW = 4;

    private final List<CoreEntry.Step> steps = new ArrayList<>();

    @TempDir
    private Path folder;

    @BeforeEach
    void journal() {
        var unit = CoreConfig.DEFAULTS.computeUnit();
        var vm = new VmInfo(
                unit,
                unit.times(16),
                unit.times(2),
                unit.memoryBytes(),
                ScalingOverrides.NONE,
                Optional.empty(),
                Optional.of(unit.times(2)));
        var core = new ScalingCore(CoreConfig.DEFAULTS, vm);
        var random = new Random(3);
        for (int i = 0; i < STEPS; i++) {
            var now = START.plusSeconds(5L * i);
            core.record(true, now);
            double load = 4 * random.nextDouble();
            core.systemMetrics(new SystemMetrics(load, load, 1e9, 0), now);
            core.nextActions(now);
            core.takeStep().ifPresent(steps::add);
        }
    }

    private void write(long fileBytes, long totalBytes, List<CoreEntry.Step> some) throws IOException {
        try (var writer = new RecordingWriter(folder, fileBytes, totalBytes, InstantSource.fixed(START))) {
            for (var step : some) {
                writer.step(
                        "ns/vm",
                        "uid",
                        "n1",
                        "r-1",
                        step.number(),
                        GOAL,
                        OptionalInt.of(SHADOW),
                        JournalText.write(step.entries()));
            }
            writer.dropped(7);
        }
    }

    private RecordingReader read() throws IOException, MalformedTraceException {
        var reader = new RecordingReader();
        reader.read(folder);
        return reader;
    }

    private RecordingScore score() throws IOException, MalformedTraceException {
        return read().score();
    }

    @Test
    void everyDecisionOfAWholeRecordingIsMadeAgain() throws Exception {
        write(1 << 20, 1 << 22, steps);

        var score = score();
        assertThat(score.steps()).isEqualTo(STEPS);
        assertThat(score.decisions()).isGreaterThanOrEqualTo(STEPS);
        assertThat(score.count(Comparison.EQUAL)).isEqualTo(score.decisions());
        assertThat(score.dropped()).isEqualTo(7);
        assertThat(score.cutOff()).isFalse();
        assertThat(score.shadowAbove()).isEqualTo(STEPS);
    }

    @Test
    void itsSamplesAreATrace() throws Exception {
        write(1 << 20, 1 << 22, steps);

        var series = read().series();
        assertThat(series).extracting(one -> one.kind()).containsExactly(ResourceKind.CPU, ResourceKind.MEMORY);
        assertThat(series.getFirst().capacity()).isEqualTo(4_000);
        assertThat(series.getFirst().periodSeconds()).isEqualTo(5);
        assertThat(series.getFirst().samples()).hasSize(STEPS);
        // 1e9 bytes less the 100 MiB that the agent counts on top.
        assertThat(Arrays.stream(series.getLast().samples()).boxed())
                .allMatch(mebibytes -> Math.abs(mebibytes - 853.67) < 0.01);
    }

    @Test
    void eachFileNamesTheNodes() throws Exception {
        var nodes = Map.of("n1", new Resources(32_000, 128L << 30));
        try (var writer = new RecordingWriter(folder, 1 << 20, 1 << 22, InstantSource.fixed(START))) {
            writer.nodes(nodes);
            for (var step : steps) {
                var entries = JournalText.write(step.entries());
                writer.step("ns/vm", "uid", "n1", "r-1", step.number(), GOAL, OptionalInt.empty(), entries);
            }
        }

        assertThat(read().nodes()).containsExactly(new Resources(32_000, 128L << 30));
        assertThat(score().dropped()).isZero();
        assertThat(score().count(Comparison.EQUAL)).isEqualTo(score().decisions());
    }

    @Test
    void nodesBeyondWhatAReaderTakesAreNotWritten() throws Exception {
        var unit = new Resources(1_000, 1 << 30);

        assertThat(nodesWritten(manyNodes("n", NodeSizes.NODES_MAX + 1, unit))).isEqualTo(NodeSizes.NODES_MAX);
        assertThat(read().nodes()).hasSize(NodeSizes.NODES_MAX);

        int written = nodesWritten(manyNodes("n".repeat(1_000), 2_000, unit));
        assertThat(written).isBetween(900, 1_050);
        assertThat(read().nodes()).hasSize(written);
    }

    private static Map<String, Resources> manyNodes(String prefix, int count, Resources total) {
        return IntStream.range(0, count).boxed().collect(Collectors.toMap(node -> prefix + node, node -> total));
    }

    /** A recording of its own, as the latest. */
    private int nodesWritten(Map<String, Resources> nodes) throws IOException {
        var begin = START.plusSeconds(RecordingWriter.files(folder).size());
        try (var writer = new RecordingWriter(folder, 1 << 20, 1 << 22, InstantSource.fixed(begin))) {
            int written = writer.nodes(nodes);
            writer.dropped(0);
            return written;
        }
    }

    @Test
    void aStepThatIsMissingLeavesDecisionsUncomparedAndNoneUnexplained() throws Exception {
        var some = new ArrayList<>(steps);
        some.subList(50, 53).clear();
        write(1 << 20, 1 << 22, some);

        var score = score();
        assertThat(score.count(Comparison.STEP_MISSING)).isPositive();
        assertThat(score.count(Comparison.UNEXPLAINED)).isZero();
        assertThat(score.count(Comparison.EQUAL) + score.count(Comparison.STEP_MISSING))
                .isEqualTo(score.decisions());
    }

    @Test
    void aRecordingWithoutItsBeginningIsNotCompared() throws Exception {
        write(1 << 20, 1 << 22, steps.subList(1, STEPS));

        assertThat(score().count(Comparison.CORE_UNKNOWN)).isEqualTo(score().decisions());
    }

    @Test
    void aDecisionThatCannotBeMadeAgainIsUnexplained() throws Exception {
        var some = new ArrayList<>(steps);
        var victim = some.get(60);
        var without = victim.entries().stream()
                .filter(entry -> !(entry instanceof CoreEntry.Sampled))
                .toList();
        some.set(60, new CoreEntry.Step(victim.number(), without));
        write(1 << 20, 1 << 22, some);

        assertThat(score().count(Comparison.UNEXPLAINED)).isEqualTo(1);
        assertThat(score().differences()).singleElement().asString().startsWith("ns/vm: recorded Decided[");
    }

    @Test
    void filesFollowEachOtherAndTheOldestAreDeleted() throws Exception {
        var many = new ArrayList<CoreEntry.Step>();
        var random = new Random(1);
        for (int i = 1; i <= 20_000; i++) {
            var metrics = new SystemMetrics(random.nextDouble(), random.nextDouble(), random.nextDouble(), 0);
            var at = START.plusMillis(random.nextLong(1 << 20));
            many.add(new CoreEntry.Step(i, List.of(new CoreEntry.Sampled(at, metrics))));
        }
        write(FILE_BYTES, 4 * FILE_BYTES, many);

        var files = RecordingWriter.files(folder);
        long total = 0;
        for (var file : files) {
            assertThat(Files.size(file)).isLessThan(2 * FILE_BYTES);
            total += Files.size(file);
        }
        assertThat(files).hasSizeGreaterThan(1);
        assertThat(total).isLessThan(5 * FILE_BYTES);
        assertThat(score().steps()).isPositive().isLessThan(20_000);
    }

    @Test
    void aFileThatEndsWithinALineCountsUpToThere() throws Exception {
        write(1 << 20, 1 << 22, steps);
        var file = RecordingWriter.files(folder).getFirst();
        var bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 40));

        var score = score();
        assertThat(score.cutOff()).isTrue();
        assertThat(score.steps()).isBetween(1L, (long) STEPS);
    }

    @Test
    void aLineThatIsNoneIsNamed() throws Exception {
        try (var writer = new RecordingWriter(folder, 1 << 20, 1 << 22, InstantSource.fixed(START))) {
            writer.step("ns/vm", "uid", "n1", "r", 1, 0, OptionalInt.empty(), "[[\"Sampled\",{\"at\":\"x\"}]]");
        }

        assertThatThrownBy(this::score)
                .isInstanceOf(MalformedTraceException.class)
                .hasMessageContaining("line 2")
                .hasMessageContaining("time is malformed");
        assertThatThrownBy(() -> new RecordingWriter(folder, 1, 1, InstantSource.fixed(START)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
