package io.sluice.vectors.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.vectors.Difference;
import io.sluice.vectors.MalformedRecordingException;
import io.sluice.vectors.Recording;
import io.sluice.vectors.Tally;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The shipped recordings of the scaling core: the result of every step and case is equal, to the last digit. */
class ScalingRecordingsTest {
    private static final Path FOLDER = Path.of("src/main/resources/vectors/scaling-core");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "histories-01, 1872",
        "histories-02, 1971",
        "histories-03, 2350",
        "histories-04, 1987",
        "histories-05, 2424",
        "histories-06, 1860",
        "histories-07, 1970",
        "histories-08, 2318",
        "histories-09, 1737",
        "histories-10, 2519",
        "histories-11, 2123",
        "goal-cu, 3200",
        "working-set, 1600",
        "helpers, 1200",
        "metrics-text, 180"
    })
    void areEqual(String name, long compared) {
        var tally = play(new Recording(FOLDER.resolve(name + ".jsonl.gz")));

        assertThat(tally.first()).isEmpty();
        assertThat(tally.different()).isZero();
        assertThat(tally.commands()).isEqualTo(compared);
    }

    /** The player can fail: a result changed in one line is found there, by its key. */
    @ParameterizedTest(name = "{0}: {1} to {2}")
    @CsvSource({
        "histories-01, \"waitNs\":2000000000, \"waitNs\":2000000001, next",
        "histories-01, \"lastPermit\":{\"mcpu\":580, \"lastPermit\":{\"mcpu\":581, next",
        "histories-01, \"goalCu\":0, \"goalCu\":1, goalCu",
        "histories-01, \"desired\":{\"mcpu\":950, \"desired\":{\"mcpu\":951, desired",
        "histories-01, \"durationNs\":402000000, \"durationNs\":402000001, observed",
        "histories-01, \"state\":{\"using\":{\"mcpu\":580, \"state\":{\"using\":{\"mcpu\":579, state",
        "histories-01, \"error\":true, \"other\":true, error",
        "histories-01, \"hypotheticalFromCu\":, \"hypotheticalFromCu\":7, hypotheticalFromCu",
        "histories-01, \"actualCu\":{\"current\":, \"actualCu\":{\"current\":7, actualCu",
        "histories-01, \"loadAvg1M\":, \"loadAvg1M\":7, next",
        "histories-01, \"pluginRequest\":{, \"other\":{, next",
        "histories-01, \"neonVmRequest\":{, \"other\":{, next",
        "histories-01, \"monitorUpscale\":{, \"other\":{, next",
        "histories-01, \"monitorDownscale\":{, \"other\":{, next",
        "histories-01, \"targetRevision\":{\"value\":, \"targetRevision\":{\"value\":7, next",
        "histories-01, \"stage\":\"scheduler\", \"stage\":\"monitor\", observed",
        "histories-01, \"stage\":\"neonVm\", \"stage\":\"scaling\", observed",
        "histories-01, \"approved\":{\"mcpu\":, \"approved\":{\"mcpu\":7, state",
        "histories-01, '},\"permit\":{\"mcpu\":', '},\"permit\":{\"mcpu\":7', state",
        "metrics-text, \"ok\":false, \"ok\":true, ok",
        "metrics-text, \"ok\":true, \"ok\":false, ok",
        "metrics-text, \"load1\":, \"load1\":7, system",
        "metrics-text, \"load5\":, \"load5\":7, system",
        "metrics-text, \"usageBytes\":7168130149, \"usageBytes\":7168130148, system",
        "metrics-text, \"cachedBytes\":33101043539, \"cachedBytes\":33101043538, system",
        "metrics-text, \"windows\":[, '\"windows\":[7,', windows",
        "goal-cu, \"goalCu\":, \"goalCu\":7, goalCu",
        "goal-cu, \"mem\":, \"mem\":7, parts",
        "goal-cu, \"lfc\":, \"lfc\":7, parts",
        "working-set, \"end\":, \"end\":7, end",
        "working-set, \"predicted\":, \"predicted\":7, predicted",
        "goal-cu, \"cpu\":0.4000000000000001, \"cpu\":0.4, parts",
        "goal-cu, \"wssBytes\":, \"wssBytes\":7, wssBytes",
        "goal-cu, \"hasAllMetrics\":false, \"hasAllMetrics\":true, hasAllMetrics",
        "working-set, \"estimate\":38, \"estimate\":39, estimate",
        "working-set, \"projectAll\":113.75, \"projectAll\":113.5, projectAll",
        "helpers, \"cu\":24, \"cu\":25, cu",
        "helpers, \"result\":{\"mcpu\":4000, \"result\":{\"mcpu\":4001, result"
    })
    void areNotEqualWhereOneIsChanged(String name, String recorded, String changed, String key) throws IOException {
        var lines = lines(name);
        int number = changeFirst(lines, recorded, changed);
        var tampered = Files.write(folder.resolve("tampered.jsonl"), lines);

        var tally = play(new Recording(tampered));

        assertThat(tally.different()).isPositive();
        assertThat(tally.first()).first().extracting(Difference::key).isEqualTo(key);
        assertThat(tally.first().getFirst().place()).contains(name.startsWith("histories") ? "step" : "line " + number);
    }

    @Test
    void playsWhateverTheFileIsCalledButNothingOfAnotherShape() throws IOException {
        assertThat(new ScalingPlayer().plays(recording("{\"kind\":\"system\",\"text\":\"\",\"ok\":false}")))
                .isTrue();
        assertThat(new ScalingPlayer().plays(recording("{\"kind\":\"other\"}"))).isFalse();
        assertThat(new ScalingPlayer().plays(recording("{\"h\":0}"))).isFalse();
        assertThat(new ScalingPlayer().plays(recording("{\"kind\":\"clamp\"}"))).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"kind\":\"system\",\"ok\":true}|`text` should be a text",
                "{\"kind\":\"clamp\"}|`mcpu` should be a whole number",
                "{\"format\":2,\"config\":{},\"vm\":{}}|format 1 was expected",
                "{\"kind\":\"deniedCu\",\"computeUnit\":{\"mcpu\":-1,\"bytes\":1}}|never negative"
            })
    void namesTheLineOfARecordingThatCannotBePlayed(String line, String reason) throws IOException {
        var recording = recording(line);
        assertThatThrownBy(() -> play(recording))
                .isInstanceOf(MalformedRecordingException.class)
                .hasMessageContaining("line 1: ")
                .hasMessageContaining(reason);
    }

    /** Unknown keys may appear in any object, and an absent value may be written as null. */
    @ParameterizedTest(name = "{0} for {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "\"next\":{|\"next\":{\"somethingNew\":{\"x\":1},",
                "\"target\":{|\"target\":{\"somethingNew\":1,",
                "\"targetRevision\":{|\"targetRevision\":{\"at\":7,",
                "\"state\":{|\"state\":{\"somethingNew\":[1],",
                "\"stage\":|\"somethingNew\":1,\"stage\":",
                "\"vm\":{|\"vm\":{\"somethingNew\":[1],",
                "\"config\":{|\"config\":{\"somethingNew\":\"x\",",
                "\"op\":\"none\"|\"op\":\"none\",\"error\":false,\"observed\":[],\"actualCu\":null,\"state\":null"
            })
    void toleratesWhatIsUnknown(String recorded, String changed) throws IOException {
        var lines = lines("histories-01").stream()
                .map(line -> line.replace(recorded, changed).replace(",}", "}"))
                .map(line -> line.contains("\"state\":{") ? line.replace(",\"state\":null", "") : line)
                .toList();
        var tally = play(new Recording(Files.write(folder.resolve("newer.jsonl"), lines)));

        assertThat(tally.first()).isEmpty();
        assertThat(tally.commands()).isEqualTo(1_872);
    }

    @Test
    void refusesAnUnknownStep() throws IOException {
        var lines = lines("histories-01");
        lines.set(1, lines.get(1).replace("\"op\":\"none\"", "\"op\":\"somethingNew\""));
        var recording = new Recording(Files.write(folder.resolve("unknown.jsonl"), lines));
        assertThatThrownBy(() -> play(recording)).hasMessageContaining("line 2: no such op: somethingNew");
    }

    private static int changeFirst(List<String> lines, String recorded, String changed) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).contains(recorded)) {
                lines.set(i, lines.get(i).replace(recorded, changed));
                return i + 1;
            }
        }
        throw new AssertionError("nowhere recorded: " + recorded);
    }

    private static List<String> lines(String name) throws IOException {
        try (var bytes = Files.newInputStream(FOLDER.resolve(name + ".jsonl.gz"));
                var reader =
                        new BufferedReader(new InputStreamReader(new GZIPInputStream(bytes), StandardCharsets.UTF_8))) {
            return new ArrayList<>(reader.lines().toList());
        }
    }

    private Recording recording(String line) throws IOException {
        return new Recording(Files.writeString(folder.resolve("one.jsonl"), line + "\n"));
    }

    private static Tally play(Recording recording) {
        var tally = new Tally();
        new ScalingPlayer().play(recording, tally);
        return tally;
    }
}
