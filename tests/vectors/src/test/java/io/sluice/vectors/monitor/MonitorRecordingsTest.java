package io.sluice.vectors.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.units.VmId;
import io.sluice.vectors.Difference;
import io.sluice.vectors.Recording;
import io.sluice.vectors.Tally;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Recorded monitors, played against the real dispatcher: each session ends as expected, and nothing is left of any. */
class MonitorRecordingsTest {
    private static final Path FOLDER = Path.of("src/main/resources/vectors/monitor");

    @TempDir
    private Path folder;

    private static List<Recording> shipped() throws IOException {
        try (var files = Files.walk(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".jsonl.gz"))
                    .sorted()
                    .map(Recording::new)
                    .toList();
        }
    }

    private static Recording recording(String name) {
        return new Recording(FOLDER.resolve(name + ".jsonl.gz"));
    }

    @Test
    void areAllPlayedAndEndInTheRightState() throws IOException {
        var tally = new Tally();
        new MonitorPlayer(Timing.SQUEEZED).play(shipped(), tally);
        assertThat(tally.first()).isEmpty();
        assertThat(tally.commands()).isEqualTo(203);
    }

    @Test
    void areAllKnownButThoseLeftToChance() throws IOException {
        var known = new Connections();
        var unknown = shipped().stream()
                .map(RecordedSession::of)
                .filter(session -> session.connections().stream()
                        .anyMatch(number -> known.of(session.name(), number).isEmpty()))
                .map(RecordedSession::name)
                .toList();
        assertThat(unknown).containsExactly("memory/process-paused", "memory/sampler-stalls");
    }

    @Test
    void goTheSameWayWithTheirPausesKept() {
        var tally = new Tally();
        new MonitorPlayer(Timing.KEPT)
                .play(List.of(recording("memory/downscale-at-once"), recording("message/pipelined")), tally);
        assertThat(tally.first()).isEmpty();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(quoteCharacter = '`', textBlock = """
        message/downscale, "Ok":true, "Ok":false
        cache/denied, "Ok":false, "Ok":true
        cache/database-gone, "InternalError", "UpscaleConfirmation"
        handshake/exact, "version":1, "version":2
        handshake/none-zero, "error", `"version":1,"note"`
        memory/at-threshold, "UpscaleRequest", "HealthCheck"
        http/root, 404 Not Found, 405 Method Not Allowed
        """)
    void areFoundWhenOneResultIsChanged(String name, String word, String other) throws IOException {
        var lines = new ArrayList<String>();
        recording(name).forEach(line -> {
            var json = ((ObjectNode) line.json()).deepCopy();
            if (json.path("dir").asText().equals("monitor->agent")) {
                json.put("text", json.path("text").asText().replace(word, other));
            }
            lines.add(json.toString());
        });
        var copy = folder.resolve("changed.jsonl");
        Files.write(copy, lines);
        var tally = new Tally();
        new MonitorPlayer(Timing.SQUEEZED).play(new Recording(copy), tally);
        assertThat(tally.different()).isEqualTo(1);
        assertThat(tally.first()).extracting(Difference::place).contains(name);
        assertThat(tally.first()).extracting(Difference::key).contains("connection 1");
    }

    /** Sluice's course is compared with the expected one, not with itself. */
    @Test
    void areFoundWhenOursDoesSomethingElse() throws IOException {
        var session = RecordedSession.of(recording("message/downscale"));
        var expected = new HashMap<Integer, Course>();
        expected.put(1, new Course(true, false, List.of(Course.NO), Course.BY_US));
        try (var dispatcher = new Dispatcher(Timing.SQUEEZED)) {
            assertThat(new SessionPlayer(session, Timing.SQUEEZED, dispatcher).play(expected))
                    .extracting(Difference::got)
                    .containsExactly("connected, yes, closed by us");
        }
    }

    @Test
    void wouldNotHideASessionThatIsLeft() throws IOException {
        try (var dispatcher = new Dispatcher(Timing.SQUEEZED);
                var silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            assertThat(dispatcher.left()).isEmpty();
            var wanted = dispatcher.wanted(new VmId("neonvm", "recorded", "left", "uid"));
            wanted.attach(silent.getLocalPort());
            assertThat(dispatcher.left()).containsExactly("1 attached", "1 sockets", "1 timers");
            wanted.detach();
        }
    }
}
