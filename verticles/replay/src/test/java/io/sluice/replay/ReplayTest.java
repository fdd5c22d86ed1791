package io.sluice.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.agent.core.policy.PolicyKind;
import io.sluice.replay.core.score.PolicyScore;
import io.sluice.replay.core.vm.VmModel;
import io.sluice.replay.report.ReportFiles;
import io.sluice.shell.config.ConfigException;
import io.sluice.units.ResourceKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: a replay from trace to report. Method: a trace of a few VMs that move at random. */
class ReplayTest {
    private static final int VMS = 12;
    private static final int SAMPLES = 288;

    @TempDir
    private Path folder;

    private Path trace;

    @BeforeEach
    void writeTrace() throws IOException {
        var random = new Random(5);
        var lines = new StringBuilder();
        for (int vm = 0; vm < VMS; vm++) {
            lines.append("vm").append(vm).append(',');
            lines.append(random.ints(SAMPLES, 1, 90).mapToObj(String::valueOf).collect(Collectors.joining(",")));
            lines.append('\n');
        }
        trace = Files.writeString(folder.resolve("day.csv"), lines);
    }

    private ReplayOptions options(int threads, int nodes, String... policies) {
        return new ReplayOptions(
                Optional.of(trace),
                Optional.empty(),
                List.of(policies),
                Optional.empty(),
                false,
                false,
                1,
                10,
                0,
                nodes,
                Optional.empty(),
                VmModel.DEFAULTS,
                threads);
    }

    private static ReplayResult run(ReplayOptions options) throws Exception {
        return new Replay(options, () -> false, (done, of) -> {}).run();
    }

    private String report(ReplayResult result, String name) throws IOException {
        var out = folder.resolve(name);
        ReportFiles.write(result, out);
        return Files.readString(out.resolve("report.json"));
    }

    @Test
    void theReportIsTheSameWithAnyNumberOfThreads() throws Exception {
        var one = report(run(options(1, 20)), "one");
        var four = report(run(options(4, 20)), "four");

        assertThat(four).isEqualTo(one);
        var tree = new ObjectMapper().readTree(one);
        assertThat(tree.get("complete").asBoolean()).isTrue();
        assertThat(tree.get("sums")).hasSize(4);
        assertThat(tree.get("vms")).hasSize(4 * VMS);
        assertThat(tree.get("fleet")).hasSize(8);
    }

    @Test
    void theFirstThirdIsNotCompared() throws Exception {
        var sums = run(options(2, 0)).sums(ResourceKind.CPU);

        assertThat(sums).extracting(PolicyScore::samples).containsOnly((long) VMS * SAMPLES * 2 / 3);
        assertThat(sums)
                .extracting(PolicyScore::policy)
                .containsExactly("p99.5+20", "hindsight", "reference", "sluice");
    }

    @Test
    void aSeriesThatBeginsAfterTheFirstComparedSampleIsLeftOut() throws Exception {
        int first = SAMPLES / 3;
        var late = "late" + ",".repeat(first) + ",50".repeat(SAMPLES - first);
        var early = "early" + ",".repeat(first - 1) + ",50".repeat(SAMPLES - first + 1);
        Files.writeString(trace, late + "\n" + early + "\n");

        var result = run(options(1, 0));

        assertThat(result.sums(ResourceKind.CPU)).allSatisfy(sum -> {
            assertThat(sum.vms()).isEqualTo(1);
            assertThat(sum.incidents()).isZero();
        });
        assertThat(TerminalTable.lines(result)).anyMatch(line -> line.startsWith("1 series have no sample before"));
        assertThat(new ObjectMapper()
                        .readTree(report(result, "late"))
                        .get("seriesNotCompared")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    void aTraceOfWhichNothingCanBeComparedIsNamed() throws Exception {
        Files.writeString(trace, "late,,,,,,1,1,1\n");

        assertThatThrownBy(() -> run(options(1, 0)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("before the first that is compared");
    }

    @Test
    void aStoppedReplayReportsWhatWasFinished() throws Exception {
        var done = new AtomicInteger();
        var result = new Replay(options(1, 20), () -> done.get() >= 5, (vms, of) -> done.set(vms)).run();

        var tree = new ObjectMapper().readTree(report(result, "part"));
        assertThat(tree.get("complete").asBoolean()).isFalse();
        assertThat(tree.get("sums").get(0).get("vms").asInt()).isEqualTo(5);
        assertThat(tree.get("fleet")).isEmpty();
        assertThat(TerminalTable.lines(result)).last().asString().startsWith("The replay was stopped");
        assertThat(folder.resolve("part").resolve("report.html")).content().contains("\"complete\":false");
    }

    @Test
    void aConfigOfProductionIsAPolicy() throws Exception {
        var file = Files.writeString(
                folder.resolve("production.yaml"),
                "roles: [agent]\nagent: {scaling: {loadAverageFractionTarget: 0.5}}");

        var policy = Policies.read(List.of(file.toString())).getFirst();

        assertThat(policy.config().name()).isEqualTo("production");
        assertThat(policy.config().kind()).isEqualTo(PolicyKind.AGENT);
        assertThat(policy.core().scaling().loadAverageFractionTarget()).isEqualTo(0.5);
    }

    @Test
    void mistakesInAPolicyAreNamed() throws Exception {
        var file = Files.writeString(folder.resolve("own.yaml"), "policy: {name: own, kind: demand, targetUze: 0.5}");

        assertThatThrownBy(() -> Policies.read(List.of(file.toString())))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("policy.targetUse");
        assertThatThrownBy(() -> Policies.read(List.of("nowhere.yaml"))).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> Policies.read(List.of("sluice", "sluice"))).hasMessageContaining("policy.name");
    }

    @Test
    void assumptionsAreReadByName() {
        assertThat(Assumptions.of(Map.of("peakToMean", "2")).peakToMean()).isEqualTo(2);
        assertThatThrownBy(() -> Assumptions.of(Map.of("peakToMaen", "2")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("peakToMean");
        assertThatThrownBy(() -> Assumptions.of(Map.of("peakToMean", "0.5"))).isInstanceOf(ConfigException.class);
    }

    @Test
    void namesOfVmsCannotEndTheScriptThatTheyStandIn() throws Exception {
        Files.writeString(trace, "</script><b>," + "1,".repeat(29) + "1\n");
        ReportFiles.write(run(options(1, 0)), folder.resolve("page"));

        assertThat(folder.resolve("page").resolve("report.html"))
                .content()
                .doesNotContain("</script><b>")
                .contains("\\u003c/script>\\u003cb>")
                .doesNotContain("http-equiv")
                .doesNotContain("<script src");
    }

    @Test
    void chartsAreDrawn() throws Exception {
        var lacking = ReportFiles.write(run(options(1, 20)), folder.resolve("drawn"));
        assumeTrue(lacking.isEmpty(), lacking::get);

        for (var name : List.of(
                "pareto-cpu", "saving-cpu", "lacking-cpu", "fleet-migrations", "fleet-sluice", "fleet-Proxmox-VE-9")) {
            var image =
                    ImageIO.read(folder.resolve("drawn").resolve(name + ".png").toFile());
            var colours = IntStream.range(0, image.getWidth() * image.getHeight())
                    .map(at -> image.getRGB(at % image.getWidth(), at / image.getWidth()))
                    .distinct()
                    .count();
            assertThat(colours).as(name).isGreaterThan(10);
        }
    }
}
