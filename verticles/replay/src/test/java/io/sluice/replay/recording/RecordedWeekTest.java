package io.sluice.replay.recording;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.replay.core.recorded.Comparison;
import io.sluice.replay.core.recorded.Deviation;
import io.sluice.replay.core.recorded.RecordingScore;
import io.sluice.replay.core.trace.TraceSeries;
import io.sluice.replay.read.MalformedTraceException;
import io.sluice.replay.read.TraceReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: decisions change only with a line in the changelog. Method: a recorded week of a few VMs, whose decisions are
 * made again; {@code -Drecorded.week.write=true} records it anew, and the changelog must name what was recorded.
 */
class RecordedWeekTest {
    private static final Path SOURCES = Path.of("src/test/resources/io/sluice/replay/recording");
    private static final Path RECORDING = SOURCES.resolve("recorded-week.jsonl.gz");
    private static final Path CHANGELOG = Path.of("../../CHANGELOG.md");
    private static final String HEADING = "### Decisions";
    private static final Pattern NAMED = Pattern.compile("`week ([0-9a-f]{12})`");
    private static final int DIGITS = 12;
    private static final long SEED = 7;
    private static final long BYTES_MAX = 1 << 20;
    private static final String INTENDED = "If this is intended: record the week anew with"
            + " mvn -q verify -pl verticles/replay -am -Dtest=RecordedWeekTest -Drecorded.week.write=true"
            + " -Dsurefire.failIfNoSpecifiedTests=false, and write a line below '" + HEADING + "' of CHANGELOG.md which"
            + " says what is decided otherwise and names `week ";

    @TempDir
    private Path folder;

    private static List<TraceSeries> series() throws IOException, MalformedTraceException {
        var all = new ArrayList<TraceSeries>();
        try (var files = Files.list(SOURCES.resolve("nab"))) {
            for (var file : files.filter(path -> path.toString().endsWith(".gz"))
                    .sorted()
                    .toList()) {
                all.addAll(new TraceReader(false, 0).read(file));
            }
        }
        return all;
    }

    private Path recorded() throws IOException, MalformedTraceException {
        var to = folder.resolve("anew");
        try (var writer = new RecordingWriter(to, 1 << 26, 1 << 28, InstantSource.fixed(Instant.EPOCH))) {
            new RecordedWeekFleet(series(), writer, SEED).run();
        }
        var file = RecordingWriter.files(to).getFirst();
        if (Boolean.getBoolean("recorded.week.write")) {
            Files.copy(file, RECORDING, StandardCopyOption.REPLACE_EXISTING);
        }
        return file;
    }

    private static RecordingScore score(Path file) throws IOException, MalformedTraceException {
        var reader = new RecordingReader();
        reader.read(file);
        return reader.score();
    }

    private static String text(Path file) throws IOException {
        try (var in = new GZIPInputStream(Files.newInputStream(file))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String digest(Path file) throws IOException, NoSuchAlgorithmException {
        var bytes = MessageDigest.getInstance("SHA-256").digest(text(file).getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(bytes).substring(0, DIGITS);
    }

    @Test
    void theCoresDecideAsInTheRecordedWeek() throws Exception {
        var anew = recorded();
        var score = score(RECORDING);

        assertThat(score.decisions()).isGreaterThan(15_000);
        assertThat(score.count(Comparison.EQUAL))
                .as(
                        "%d of %d decisions of the recorded week are made otherwise now, such as %s. %s%s`.",
                        score.decisions() - score.count(Comparison.EQUAL),
                        score.decisions(),
                        score.differences(),
                        INTENDED,
                        digest(anew))
                .isEqualTo(score.decisions());
        assertThat(digest(RECORDING))
                .as("the week is recorded by this test alone. %s%s`.", INTENDED, digest(anew))
                .isEqualTo(digest(anew));
        assertThat(Files.size(RECORDING)).isLessThan(BYTES_MAX);
    }

    @Test
    void theWeekHasWhatDecisionsDependOn() throws Exception {
        var score = score(RECORDING);

        assertThat(score.vms()).isEqualTo(3);
        assertThat(List.of(
                        Deviation.SAMPLE_LATE,
                        Deviation.UPSCALE_REQUEST,
                        Deviation.DOWNSCALE_DENIED,
                        Deviation.LEDGER_DENIED,
                        Deviation.MIGRATION,
                        Deviation.UNDER_WAY,
                        Deviation.RETRY))
                .allSatisfy(
                        cause -> assertThat(score.count(cause)).as(cause.name()).isPositive());
    }

    @Test
    void theChangelogNamesTheRecordedWeek() throws Exception {
        var lines = Files.readAllLines(CHANGELOG);
        int begin = lines.indexOf(HEADING) + 1;
        assertThat(begin).as("CHANGELOG.md has '%s'", HEADING).isPositive();
        var named = lines.subList(begin, lines.size()).stream()
                .takeWhile(line -> !line.startsWith("#"))
                .flatMap(line -> NAMED.matcher(line).results().map(match -> match.group(1)))
                .toList();

        assertThat(named).as("each line names another week").doesNotHaveDuplicates();
        assertThat(named)
                .as("the latest line below '%s' of CHANGELOG.md names `week %s`", HEADING, digest(RECORDING))
                .last()
                .isEqualTo(digest(RECORDING));
    }

    @Test
    void aChangedRuleIsFound() throws Exception {
        var changed = folder.resolve("changed" + RecordingWriter.SUFFIX);
        try (var to = new GZIPOutputStream(Files.newOutputStream(changed))) {
            var text = text(RECORDING);
            var other = text.replace("\"loadAverageFractionTarget\":0.9", "\"loadAverageFractionTarget\":0.8");
            assertThat(other).isNotEqualTo(text);
            to.write(other.getBytes(StandardCharsets.UTF_8));
        }

        assertThat(score(changed).count(Comparison.UNEXPLAINED)).isPositive();
    }
}
