package io.sluice.replay.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.replay.Replay;
import io.sluice.replay.ReplayOptions;
import io.sluice.replay.core.vm.VmModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: reports on a machine that cannot draw, and the differences of two reports. Method: files in a folder. */
class ReportFilesTest {
    private static final String REPORT = """
        {"trace": "t", "samples": 3, "sums": [], "vms": [], "fleet": [], "onNodes": [
          {"policy": "p", "resource": "cpu", "incidents": %1$d, "unplaced": %2$d, "denied": 5, "migrations": %3$d},
          {"policy": "p", "resource": "memory", "incidents": %2$d, "unplaced": %2$d, "denied": 5, "migrations": %3$d}
        ]}\
        """;

    @TempDir
    private Path folder;

    @Test
    void aJavaThatCannotDrawWritesTheOtherReportsAndReportsThat() throws Exception {
        var trace = Files.writeString(folder.resolve("day.csv"), "vm," + "1,".repeat(29) + "1\n");
        var options = new ReplayOptions(
                Optional.of(trace),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                false,
                false,
                1,
                10,
                0,
                0,
                Optional.empty(),
                VmModel.DEFAULTS,
                1);
        var result = new Replay(options, () -> false, (done, of) -> {}).run();

        var sentence = ReportFiles.write(result, folder.resolve("out"), (drawn, into) -> {
            throw new InternalError("Fontconfig head is null");
        });

        assertThat(sentence)
                .contains("no PNGs were written, as this Java lacks what draws them: Fontconfig head is null");
        assertThat(folder.resolve("out")).isDirectoryContaining("glob:**/report.json");
        assertThat(folder.resolve("out")).isDirectoryContaining("glob:**/report.html");
        assertThat(folder.resolve("out")).isDirectoryNotContaining("glob:**.png");
    }

    @Test
    void differencesOnNodesNameTheResourceAndCountTheReplayOnce() throws Exception {
        var before = Files.writeString(folder.resolve("before.json"), REPORT.formatted(1, 2, 3));
        var after = Files.writeString(folder.resolve("after.json"), REPORT.formatted(4, 6, 8));

        var rows = ReportDiff.of(before, after).lines().stream()
                .map(line -> line.replaceAll(" +", " "))
                .toList();

        assertThat(rows)
                .contains(
                        "onNodes cpu p incidents 1 4 +3.0000",
                        "onNodes memory p incidents 2 6 +4.0000",
                        "onNodes p unplaced 2 6 +4.0000",
                        "onNodes p migrations 3 8 +5.0000");
        assertThat(rows).filteredOn(row -> row.contains("unplaced")).hasSize(1);
        assertThat(rows).filteredOn(row -> row.contains("migrations")).hasSize(1);
        assertThat(rows).noneMatch(row -> row.contains("denied"));
    }
}
