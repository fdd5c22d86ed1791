package io.sluice.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class ReplayCommandTest {
    private static final int SAMPLES = 288;
    private static final int VMS = 800;

    @RegisterExtension
    final CapturedOutput output = new CapturedOutput();

    @TempDir
    private Path folder;

    private Path trace(int vms) throws IOException {
        var random = new Random(11);
        var lines = new StringBuilder();
        for (int vm = 0; vm < vms; vm++) {
            lines.append("vm").append(vm).append(',');
            lines.append(random.ints(SAMPLES, 1, 90).mapToObj(String::valueOf).collect(Collectors.joining(",")));
            lines.append('\n');
        }
        return Files.writeString(folder.resolve("day.csv"), lines);
    }

    private int run(String... options) {
        var arguments = new ArrayList<>(List.of("replay"));
        arguments.addAll(List.of(options));
        return output.run(arguments.toArray(String[]::new));
    }

    @Test
    void printsATableAndWritesReports() throws IOException {
        var out = folder.resolve("reports");

        assertThat(run("--trace", trace(3).toString(), "--out", out.toString())).isEqualTo(Main.OK);
        assertThat(output.printed()).contains("p99.5+20", "hindsight", "reference", "sluice");
        assertThat(out.resolve("report.json")).content().contains("\"complete\" : true");
        assertThat(out.resolve("report.html")).isNotEmptyFile();
    }

    @Test
    void aBadLineEndsItUnlessItIsLenient() throws IOException {
        var trace = trace(2);
        Files.writeString(trace, Files.readString(trace).replaceFirst("vm1,\\d+", "vm1,x"));

        assertThat(run("--trace", trace.toString())).isEqualTo(Main.FAILED);
        assertThat(output.reported()).contains("day.csv, line 2: \"x\" is no number", "--lenient");
        assertThat(run("--lenient", "--trace", trace.toString())).isEqualTo(Main.OK);
        assertThat(output.printed()).contains("1 lines or VMs were left out");
    }

    @Test
    void mistakesOfTheCommandLineAreNamed() throws IOException {
        var trace = trace(1).toString();

        assertThat(run("--trace", folder.resolve("nowhere").toString())).isEqualTo(Main.MISUSED);
        assertThat(run("--trace", trace, "--assume", "peakToMaen=2")).isEqualTo(Main.MISUSED);
        assertThat(run("--trace", trace, "--policy", "nowhere.yaml")).isEqualTo(Main.MISUSED);
        assertThat(run("--trace", trace, "--from-day", "2")).isEqualTo(Main.MISUSED);
        assertThat(output.reported()).contains("does not exist", "peakToMean", "nowhere.yaml", "--from-day=2");
    }

    @Test
    void aSignalLeavesAValidReportOfWhatWasFinished() throws Exception {
        var trace = trace(VMS);
        var reports = folder.resolve("reports");
        var errors = folder.resolve("errors");
        var replay = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Main.class.getName(),
                        "replay",
                        "--exact",
                        "--trace",
                        trace.toString(),
                        "--out",
                        reports.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(errors.toFile())
                .start();
        await().atMost(1, TimeUnit.MINUTES).until(() -> Files.readString(errors).contains(" of " + VMS + " series"));
        replay.destroy();

        assertThat(replay.waitFor()).as(Files.readString(errors)).isEqualTo(Main.OK);
        var report = new ObjectMapper().readTree(reports.resolve("report.json").toFile());
        assertThat(report.get("complete").asBoolean()).isFalse();
        assertThat(report.get("sums").get(0).get("vms").asInt()).isPositive().isLessThan(VMS);
    }
}
