package io.sluice.vectors.billing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.vectors.Difference;
import io.sluice.vectors.MalformedRecordingException;
import io.sluice.vectors.Recording;
import io.sluice.vectors.Tally;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The shipped recordings of billing: every event of every window is the recorded one. */
class BillingRecordingsTest {
    private static final Path FOLDER = Path.of("src/main/resources/vectors/billing");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"history,602", "schedule,302"})
    void areEqual(String name, long pushes) {
        var tally = play(shipped(name));

        assertThat(tally.first()).isEmpty();
        assertThat(tally.different()).isZero();
        assertThat(tally.commands()).isEqualTo(pushes);
    }

    /** The reference rounds binary sums just below a half down; exact sums are rounded up. */
    @ParameterizedTest
    @CsvSource({"60, 0", "59, 0", "58, 1", "61, 1"})
    void eitherRoundingOfAMarkedHalfIsRight(long value, long different) throws IOException {
        var lines = lines("history");
        int at = first(lines, "\"cpuSeconds\":59.49999999999999,");
        lines.set(at, lines.get(at).replace("\"value\":59}", "\"value\":" + value + "}"));

        assertThat(play(written(lines)).different()).isEqualTo(different);
    }

    @Test
    void aHalfThatIsNotMarkedIsRoundedUp() throws IOException {
        var lines = lines("history");
        int at = first(lines, "binary-rounding-cpu");
        lines.set(at, lines.get(at).replace("binary-rounding-cpu", "somethingElse"));

        var tally = play(written(lines));

        assertThat(tally.first()).extracting(Difference::key).containsExactly("pairs.0.cpu.value");
    }

    @Test
    void whatDiffersInALookAfterTheLastPushIsFoundToo() throws IOException {
        var lines = lines("history");
        int last = first(lines, "\"h\":1,") - 1;
        while (!lines.get(last).contains("\"op\":\"collect\"")) {
            last--;
        }
        var upTo = new ArrayList<>(lines.subList(0, last));
        upTo.add(lines.get(last).replace("\"held\":[", "\"held\":[{\"uid\":\"nobody\"},"));

        assertThat(play(written(upTo)).different()).isEqualTo(1);
    }

    @Test
    void aPushTooManyOrTooFewIsFound() throws IOException {
        var lines = lines("schedule");
        var fewer = new ArrayList<>(lines);
        fewer.set(0, lines.getFirst().replaceFirst("\"stopMs\":\\d+", "\"stopMs\":60000"));
        assertThat(play(written(fewer)).first().getFirst().got()).isEqualTo("absent");

        var more = new ArrayList<>(lines);
        more.set(0, lines.getFirst().replaceFirst("\"pushes\":\\[.*]", "\"pushes\":[]"));
        assertThat(play(written(more)).different()).isEqualTo(3);
    }

    @Test
    void toleratesWhatIsUnknown() throws IOException {
        var newer = lines("history").stream()
                .map(line -> line.replace("\"op\":", "\"somethingNew\":{\"x\":1},\"op\":")
                        .replace("\"metric\":", "\"somethingNew\":[1],\"metric\":")
                        .replace("\"keyTotal\":0", "\"keyTotal\":0,\"keyTime\":null"))
                .toList();

        assertThat(play(written(newer)).first()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"h\":0,\"i\":0,\"op\":\"node\",\"total\":[1,1],\"node\":{}}",
                "{\"h\":0,\"i\":0,\"op\":\"restart\",\"node\":{}}",
                "{\"kind\":\"clamp\"}",
                "{\"collectEverySeconds\":4}"
            })
    void playsNothingOfAnotherShape(String line) throws IOException {
        var recording = written(List.of(line));

        assertThat(new BillingPlayer().plays(recording)).isFalse();
        assertThatThrownBy(() -> play(recording)).isInstanceOf(MalformedRecordingException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"h\":0,\"i\":1,\"op\":\"fly\"} | no such op: fly",
                "{\"h\":0,\"i\":1,\"op\":\"vm\",\"phase\":\"Odd\"} | no such phase: Odd",
                "{\"h\":0,\"i\":1,\"op\":\"vm\",\"uid\":7} | `uid` should be a text",
                "{\"h\":0,\"i\":1,\"op\":\"vm\",\"cpus\":-1} | `cpus` should be a whole number",
                "{\"h\":0,\"i\":1,\"op\":\"push\"} | `at` should be a whole number"
            })
    void namesTheStepThatCannotBePlayed(String line, String reason) throws IOException {
        var recording = written(List.of("{\"h\":0,\"i\":0,\"op\":\"gone\",\"uid\":\"u\"}", line));

        assertThatThrownBy(() -> play(recording))
                .isInstanceOf(MalformedRecordingException.class)
                .hasMessageContaining("line 2 (h=0 i=1): ")
                .hasMessageContaining(reason);
    }

    private static Recording shipped(String name) {
        return new Recording(FOLDER.resolve(name + ".jsonl.gz"));
    }

    private static List<String> lines(String name) {
        var lines = new ArrayList<String>();
        shipped(name).forEach(line -> lines.add(line.json().toString()));
        return lines;
    }

    private static int first(List<String> lines, String text) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).contains(text)) {
                return i;
            }
        }
        throw new AssertionError("nowhere recorded: " + text);
    }

    private Recording written(List<String> lines) throws IOException {
        return new Recording(Files.write(folder.resolve("copy.jsonl"), lines));
    }

    private static Tally play(Recording recording) {
        var tally = new Tally();
        new BillingPlayer().play(recording, tally);
        return tally;
    }
}
