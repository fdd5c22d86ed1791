package io.sluice.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Goal: two releases are compared on the same load. Method: this program as a release; reports of two policies. */
class DiffCommandTest {
    private static final int SAMPLES = 288;

    @RegisterExtension
    final CapturedOutput output = new CapturedOutput();

    @TempDir
    private Path folder;

    private String trace(long seed) throws IOException {
        var loads = new Random(seed).ints(SAMPLES, 1, 90).mapToObj(String::valueOf);
        return Files.writeString(folder.resolve("day.csv"), loads.collect(Collectors.joining(",", "vm0,", "\n")))
                .toString();
    }

    /** The report of a policy of that name, which keeps a size for so long. */
    private String report(String name, String hold, long seed) throws IOException {
        var policy = Files.writeString(
                folder.resolve(name + ".yaml"), "policy: {name: follows, kind: demand, hold: " + hold + "}\n");
        var out = folder.resolve(name);
        assertThat(output.run("replay", "--trace", trace(seed), "--policy", policy.toString(), "--out", out.toString()))
                .as(output.text())
                .isZero();
        return out.resolve("report.json").toString();
    }

    private String release(String name, int status) throws IOException {
        var program =
                Files.createDirectories(folder.resolve(name).resolve("bin")).resolve("sluice");
        var java = Path.of(System.getProperty("java.home"), "bin", "java");
        var classes = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Files.writeString(
                program,
                "#!/bin/sh\n" + (status == 0 ? "" : "exit " + status + "\n") + "exec '" + java + "' -cp '" + classes
                        + "' " + Main.class.getName() + " \"$@\"\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return folder.resolve(name).toString();
    }

    @Test
    void theSameReleaseGivesTheSameReport() throws IOException {
        var release = release("release", 0);

        assertThat(output.run("diff", release, release, "--trace", trace(1), "--policy", "sluice"))
                .as(output.text())
                .isZero();
        assertThat(output.text()).contains("Both releases give the same report: 1 sums of 1 VMs");
    }

    @Test
    void whatDiffersIsNamedWithBothFigures() throws IOException {
        var brief = report("brief", "30s", 1);
        var patient = report("patient", "20m", 1);

        assertThat(output.run("diff", brief, patient)).as(output.text()).isZero();
        assertThat(output.text().lines())
                .anyMatch(line -> line.matches("cpu +follows +saved % +\\d+\\.\\d+ +\\d+\\.\\d+ +-\\d+\\.\\d+"))
                .anyMatch(line -> line.matches("cpu +follows +resizes +\\d+ +\\d+ +-\\d+\\.\\d+"))
                .anyMatch(line -> line.startsWith("1 of 1 VMs, by resource and policy, differ:"))
                .anyMatch(line -> line.startsWith("  cpu/follows/vm0: granted "));
    }

    @Test
    void anAssumptionThatOnlyOneReleaseHasDoesNotCount() throws IOException {
        var report = Path.of(report("one", "30s", 1));
        var text = Files.readString(report);
        var older = text.replaceFirst(" *\"migrationCpuShare\" : [0-9.]+,\n", "");
        assertThat(older).isNotEqualTo(text);
        var before = Files.writeString(folder.resolve("older.json"), older).toString();

        assertThat(output.run("diff", before, report.toString()))
                .as(output.text())
                .isZero();
        assertThat(output.text()).contains("Both releases give the same report");

        var other = text.replace("\"loadNoise\" : 0.05", "\"loadNoise\" : 0.1");
        Files.writeString(folder.resolve("older.json"), other);
        assertThat(output.run("diff", before, report.toString())).isEqualTo(Main.MISUSED);
        assertThat(output.text()).contains("loadNoise is 0.1 and 0.05");
    }

    @Test
    void whatCannotBeComparedIsRefused() throws IOException {
        var report = report("one", "30s", 1);
        var other = Files.writeString(folder.resolve("other.json"), "{}").toString();

        assertThat(output.run("diff", report, other)).isEqualTo(Main.MISUSED);
        assertThat(output.run("diff", report, folder.resolve("nowhere").toString()))
                .isEqualTo(Main.MISUSED);
        assertThat(output.run("diff", report, release("plain", 0))).isEqualTo(Main.MISUSED);
        assertThat(output.run("diff", release("broken", 3), report, "--trace", trace(1)))
                .isEqualTo(Main.FAILED);
        assertThat(output.text())
                .contains("is no report of sluice replay", "has no bin/sluice", "--trace names", "broken failed");
    }
}
