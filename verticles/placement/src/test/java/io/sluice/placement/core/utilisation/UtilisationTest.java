package io.sluice.placement.core.utilisation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.shell.load.LoadScore;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UtilisationTest {
    private static final List<ModelWeight> MODELS =
            Stream.of("K80=6", "V100=10", "A100=14").map(ModelWeight::parse).toList();
    private static final Duration PERIOD = Duration.ofSeconds(30);
    private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");
    private static final long GIB = 1L << 30;
    private static final Resources TOTAL = new Resources(8_000, 32 * GIB);
    private static final LoadScore PACK = new LoadScore.Pack(0.7);
    private static final UtilisationRules SPREAD_RULES = rules(new LoadScore.Spread(), false, false);

    private final UtilisationTable table = new UtilisationTable();

    private static UtilisationRules rules(LoadScore mode, boolean rejectStale, boolean compat) {
        return new UtilisationRules(
                new UtilisationRules.Weights(5, 10, 3),
                mode,
                PERIOD,
                rejectStale,
                new UtilisationRules.Thresholds(65, 95),
                MODELS,
                compat,
                50);
    }

    private static ExpectedUse pod(long milliCpu) {
        return new ExpectedUse(new Resources(milliCpu, 0), 0);
    }

    private void measured(String node, double cpu, Instant at) {
        table.measured(List.of(new NodeMetrics(node, at, cpu, 0)));
    }

    private NodeLoad load(String node) {
        return table.load(node, TOTAL, PERIOD);
    }

    private Map<String, UtilisationRules.Parts> scores(UtilisationRules rules, ExpectedUse pod, List<NodeLoad> nodes) {
        var among = rules.compare(pod, nodes);
        var scores = new HashMap<String, UtilisationRules.Parts>();
        nodes.forEach(node -> scores.put(node.node(), rules.score(pod, node, among)));
        return scores;
    }

    /** The node with the best score; of equal ones the first by name. */
    private String best(UtilisationRules rules, ExpectedUse pod, String... names) {
        var scores = scores(rules, pod, List.of(names).stream().map(this::load).toList());
        return List.of(names).stream()
                .sorted()
                .reduce((one, other) ->
                        scores.get(other).score() > scores.get(one).score() ? other : one)
                .orElseThrow();
    }

    /** A node of which half is in use, and whose tasks wait for that part of the time. */
    private UtilisationRules.Parts waiting(OptionalDouble percent, Duration age) {
        table.measured(List.of(new NodeMetrics("n", NOW.minus(age), 50, 0, 50, 0, List.of(), percent)));
        table.look(NOW);
        return scores(SPREAD_RULES, pod(0), List.of(load("n"))).get("n");
    }

    @ParameterizedTest
    @CsvSource({"0, 50", "10, 40", "25, 25", "50, 0", "90, 0"})
    void theScoreOfWhatIsInUseFallsWithTheTimeInWhichTasksWait(double percent, double expected) {
        assertThat(waiting(OptionalDouble.of(percent), Duration.ZERO).utilisation())
                .isCloseTo(expected, within(0.01));
    }

    @Test
    void aNodeThatDoesNotShowItIsNeitherIdleNorBusyForThat() {
        assertThat(waiting(OptionalDouble.empty(), Duration.ZERO).utilisation()).isCloseTo(50, within(0.01));
    }

    @Test
    void thatNoTaskWaitedLongAgoMakesNoNodeIdle() {
        assertThat(waiting(OptionalDouble.of(0), PERIOD.multipliedBy(4)).utilisation())
                .isZero();
    }

    @Test
    @DisplayName("AT-S1 parse: the profiler's text is read, and others do no harm")
    void readsTheProfilersText() {
        assertThat(ProfilerAnnotations.devices(
                        "{'count': '2', 'model': 'Tesla K80', 'mem_size': '12GB', 'pcie_gen_width': '1x16'}"))
                .isEqualTo(new ProfilerAnnotations.Devices(2, "Tesla K80", 12_288));
        assertThat(ProfilerAnnotations.devices(
                        "{'count': '16', 'model': 'V100', 'mem_size': '8GB', 'pcie_gen_width': '3x8'}"))
                .isEqualTo(new ProfilerAnnotations.Devices(16, "V100", 8_192));
        assertThat(ProfilerAnnotations.devices("")).isEqualTo(new ProfilerAnnotations.Devices(0, "", 0));
        assertThat(ProfilerAnnotations.devices("{\"count\": 1, \"model\": \"A100\", \"mem_size\": \"81920MB\"}"))
                .as("JSON")
                .isEqualTo(new ProfilerAnnotations.Devices(1, "A100", 81_920));
    }

    @Test
    void readsBothGenerationsOfAnnotations() {
        var annotations = Map.of(
                "ai.centaurus.io/gpu-static",
                "{'count': '2', 'model': 'Tesla K80', 'mem_size': '12GB', 'pcie_gen_width': '1x16'}",
                "ai.centaurus.io/gpu-0",
                "{'mem_used': '3', 'mem_free': '9', 'process_cnt': 1, 'pid-mem': [(4711, '3000MB')], "
                        + "'cyclic_pattern': True, 'period': 12, 'max_mem_bw_util': 40, 'max_gpu_util': 80}",
                "ai.centaurus.io/gpu-1",
                "{'mem_used': 'many', 'mem_free': '9', 'max_mem_bw_util': 0, 'max_gpu_util': 0}");

        var devices = ProfilerAnnotations.node(annotations);

        assertThat(devices.getFirst().percent()).isCloseTo(0.5 * 25 + 0.3 * 80 + 0.2 * 40, within(0.001));
        assertThat(devices.getLast().percent()).as("a value that is none").isEqualTo(100);
        assertThat(ProfilerAnnotations.podPeak(Map.of(
                        "alnair.centaurusinfra.io/max_cpu_util", "150.0",
                        "alnair.centaurusinfra.io/max_cpu_mem_mb", "512")))
                .contains(new Resources(1_500, 512_000_000));
        assertThat(ProfilerAnnotations.podPeak(Map.of("cpu_util", "50"))).contains(new Resources(500, 0));
        assertThat(ProfilerAnnotations.podPeak(Map.of("cpu_util", "nan"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 20261126})
    void readsAnyTextWithoutAnError(long seed) {
        var random = new Random(seed);
        var letters = "{}[]()'\",:\\ 0123456789.eE+-GBcountmodel\n\u00e9";
        for (int i = 0; i < 20_000; i++) {
            var text = new StringBuilder(i % 2 == 0 ? "{'count': '" : "");
            random.ints(random.nextInt(60), 0, letters.length()).forEach(at -> text.append(letters.charAt(at)));
            var devices = ProfilerAnnotations.devices(text.toString());
            assertThat(devices.count()).as(text::toString).isBetween(0, 64);
            assertThat(ProfilerAnnotations.node(Map.of("ai.centaurus.io/gpu-static", text.toString())))
                    .hasSize(devices.count());
        }
        assertThat(ProfilerAnnotations.devices("[".repeat(60_000)).count()).isZero();
    }

    private static NodeLoad gpus(String node, String model, long gib, int... usedGib) {
        var devices = new ArrayList<DeviceUse>();
        for (int used : usedGib) {
            devices.add(new DeviceUse(
                    model,
                    gib * 1_024,
                    OptionalDouble.of(100.0 * used / gib),
                    OptionalDouble.of(0),
                    OptionalDouble.of(0)));
        }
        return new NodeLoad(
                node,
                TOTAL,
                Resources.NONE,
                Resources.NONE,
                devices,
                0,
                Duration.ZERO,
                Optional.empty(),
                OptionalDouble.empty());
    }

    @Test
    @DisplayName("AT-S2 compat: three nodes have the scores of the coded formula")
    void repeatsTheCodedFormula() {
        var nodes = List.of(
                gpus("k80", "Tesla K80", 12, 11, 1),
                gpus("titan", "TITAN X (Pascal)", 12, 12, 0),
                gpus("v100", "V100", 32, 5));
        var pod = pod(2_000);

        assertThat(nodes).extracting(node -> CompatScore.raw(pod, node)).containsExactly(6_060L, 6_080L, 6_130L);
        var scores = scores(rules(PACK, false, true), pod, nodes);
        assertThat(nodes).extracting(node -> scores.get(node.node()).score()).containsExactly(0, 28, 100);
        assertThat(scores(rules(PACK, false, true), pod, nodes.subList(0, 1))
                        .get("k80")
                        .score())
                .as("all equal")
                .isEqualTo(100);
    }

    @ParameterizedTest
    @DisplayName("AT-S3 hump: the score by what is in use, packed up to 70 percent")
    @CsvSource({"0,70", "35,85", "70,100", "85,35", "100,0", "101,0"})
    void packsUpToTheTarget(double inUse, double score) {
        measured("n", inUse, NOW);
        table.look(NOW);

        var parts = scores(rules(PACK, false, false), ExpectedUse.NONE, List.of(load("n")));

        assertThat(parts.get("n").utilisation()).isCloseTo(score, within(0.01));
    }

    @ParameterizedTest
    @DisplayName("AT-S4 A: the score by what is allocated at peaks")
    @CsvSource({"0.5,100", "0.8,100", "0.9,50", "1.0,0", "1.2,0"})
    void avoidsNodesThatPeaksWouldFill(double share, double score) {
        assertThat(UtilisationRules.allocated(share)).isCloseTo(score, within(0.001));

        table.measured(
                List.of(new NodeMetrics("n", NOW, 10, 0, 100 * share - 10, 0, List.of(), OptionalDouble.empty())));
        table.look(NOW);
        var parts = scores(rules(PACK, false, false), pod(800), List.of(load("n")));
        assertThat(parts.get("n").allocated()).as("with the pod").isCloseTo(score, within(0.02));
    }

    @Test
    @DisplayName("AT-S5 shadow: pods that were not measured yet count where they went")
    void countsPodsThatWereNotMeasuredYet() {
        measured("a", 20, NOW);
        measured("b", 20, NOW);
        table.look(NOW.plusSeconds(1));
        var pods = new HashMap<String, Integer>();

        for (int i = 0; i < 10; i++) {
            var node = best(SPREAD_RULES, pod(800), "a", "b");
            table.placed(node, "p" + i, pod(800), NOW.plusMillis(100 * i));
            pods.merge(node, 1, Integer::sum);
        }
        assertThat(pods).containsExactlyInAnyOrderEntriesOf(Map.of("a", 5, "b", 5));

        measured("a", 60, NOW.plusSeconds(31));
        measured("b", 60, NOW.plusSeconds(31));
        table.look(NOW.plusSeconds(31));
        assertThat(load("a").used().milliCpu())
                .as("what was measured counts once")
                .isEqualTo(4_800);
        table.placed("a", "late", pod(800), NOW.plusSeconds(32));
        assertThat(load("a").used().milliCpu()).isEqualTo(5_600);
        table.notPlaced("a", "late");
        assertThat(load("a").used().milliCpu()).isEqualTo(4_800);
    }

    @Test
    @DisplayName("AT-S6 stale: old metrics give no score, and exclude the node if that is configured")
    void takesNoOldMetricsForIdle() {
        measured("old", 0, NOW.minusSeconds(120));
        measured("one", 50, NOW);
        measured("two", 50, NOW);
        table.look(NOW);

        var parts = scores(rules(PACK, true, false), pod(100), List.of(load("old"), load("one"), load("two")));
        assertThat(parts.get("old").stale()).isTrue();
        assertThat(parts.get("old").utilisation()).isZero();
        assertThat(parts.get("old").allocated()).isZero();
        assertThat(parts.get("old").score()).isEqualTo(Math.round(5 * 100 / 18.0));
        assertThat(parts.get("one").stale()).isFalse();
        assertThat(rules(PACK, true, false).isRejected(load("old"))).isFalse();

        table.look(NOW.plusSeconds(80));
        assertThat(rules(PACK, true, false).isRejected(load("old"))).as("200 s").isTrue();
        assertThat(rules(PACK, false, false).isRejected(load("old"))).isFalse();
        assertThat(rules(PACK, true, false).isRejected(load("never"))).isTrue();
    }

    @Test
    void countsSizesAloneWhereMostNodesAreStale() {
        measured("one", 50, NOW);
        table.look(NOW);
        var nodes = List.of(load("one"), load("two"), load("three"));

        var among = SPREAD_RULES.compare(pod(100), nodes);

        assertThat(among.mostAreStale()).isTrue();
        assertThat(scores(SPREAD_RULES, pod(100), nodes).values())
                .extracting(UtilisationRules.Parts::score)
                .containsOnly(100);
    }

    @Test
    @DisplayName("AT-S7 last node: the idle node wins though it is the last by name")
    void choosesTheLastNodeIfItIsIdle() {
        measured("a", 60, NOW);
        measured("b", 60, NOW);
        measured("c", 0, NOW);
        table.look(NOW);

        assertThat(best(SPREAD_RULES, pod(100), "a", "b", "c")).isEqualTo("c");
    }

    @ParameterizedTest
    @DisplayName("AT-S8 threshold: a node that the pod would take beyond it is excluded")
    @CsvSource({"4900,cpu 71>65", "4300,''"})
    void excludesNodesBeyondAThreshold(double milliCpu, String reason) {
        measured("n", milliCpu / 80, NOW);
        table.look(NOW);
        var limited = ExpectedUse.of(Optional.empty(), Optional.of(new Resources(800, 0)), new Resources(100, GIB), 0);

        assertThat(SPREAD_RULES.overThreshold(limited, load("n")).orElse("")).isEqualTo(reason);

        table.thresholds("n", Optional.of(new UtilisationRules.Thresholds(0, 0)));
        assertThat(SPREAD_RULES.overThreshold(limited, load("n"))).as("its own").isEmpty();
    }

    @Test
    void expectsTheFirstThatIsKnown() {
        var request = new Resources(1_000, GIB);
        var limit = Optional.of(new Resources(3_000, 0));
        var recorded = Optional.of(new Resources(2_000, 2 * GIB));

        assertThat(ExpectedUse.of(recorded, limit, request, 0).host()).isEqualTo(new Resources(2_000, 2 * GIB));
        assertThat(ExpectedUse.of(Optional.empty(), limit, request, 0).host())
                .isEqualTo(new Resources(3_000, 3 * GIB / 2));
        assertThat(ExpectedUse.of(Optional.empty(), Optional.empty(), Resources.NONE, 0)
                        .host())
                .isEqualTo(new Resources(250, 200L << 20));
    }

    @Test
    void countsAnnotationsOfGpusAsLongAsTheyAreNew() {
        var devices = ProfilerAnnotations.node(Map.of(
                "ai.centaurus.io/gpu-static", "{'count': '1', 'model': 'V100', 'mem_size': '16GB'}",
                "ai.centaurus.io/gpu-0",
                        "{'mem_used': '4', 'mem_free': '12', 'max_mem_bw_util': 0, 'max_gpu_util': 0}"));
        table.annotated("n", devices, NOW);
        table.annotated("n", devices, NOW.plusSeconds(60));
        table.look(NOW.plusSeconds(90));
        assertThat(table.load("n", TOTAL, Resources.NONE, PERIOD).devices())
                .extracting(DeviceUse::percent)
                .containsExactly(12.5);

        table.look(NOW.plusSeconds(91));
        assertThat(table.load("n", TOTAL, Resources.NONE, PERIOD).devices())
                .as("the profiler writes nothing where nothing changes")
                .containsExactly(new DeviceUse(
                        "V100", 16_384, OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty()));
        assertThat(ProfilerAnnotations.thresholds(
                        Map.of("autoscaling.sluice.io/utilisation-thresholds", "{\"cpu\": 70}")))
                .contains(new UtilisationRules.Thresholds(70, 0));
        assertThat(ProfilerAnnotations.thresholds(Map.of("autoscaling.sluice.io/utilisation-thresholds", "seventy")))
                .isEmpty();
    }

    @Test
    void countsGpusWherePodsUseThem() {
        var busy = gpus("busy", "V100", 16, 16, 0);
        var idle = gpus("idle", "V100", 16, 0, 0);
        var fast = gpus("fast", "A100", 80, 0, 0);
        var pod = new ExpectedUse(Resources.NONE, 1);

        assertThat(SPREAD_RULES.inUse(pod, busy)).isCloseTo(0.7 * (25 + 50), within(0.001));
        var parts = scores(SPREAD_RULES, pod, List.of(busy, idle, fast));
        assertThat(parts.get("idle").basic()).isEqualTo(14);
        assertThat(parts.get("fast").basic()).isEqualTo(100);
        assertThat(parts.get("idle").utilisation())
                .isGreaterThan(parts.get("busy").utilisation());
    }
}
