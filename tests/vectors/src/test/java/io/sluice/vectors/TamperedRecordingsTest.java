package io.sluice.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.sluice.vectors.billing.BillingPlayer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Goal: the player can fail: one result changed in one line is found, by its key, in that line. Method: the history of
 * that line and those beside it are played.
 */
class TamperedRecordingsTest {
    private static final Path FOLDER = Path.of("src/main/resources/vectors");

    private static final Map<Path, List<JsonNode>> READ = new HashMap<>();

    @TempDir
    private Path folder;

    static Stream<Arguments> results() {
        var history = Stream.of(
                        "r.status",
                        "r.permit",
                        "r.short",
                        "r.migrate",
                        "node.reserved",
                        "node.buffer",
                        "node.pressure",
                        "node.accounted",
                        "member.reserved",
                        "member.buffer",
                        "member.pressure",
                        "member.min",
                        "member.max",
                        "member.migrating",
                        "tooMuch",
                        "clear",
                        "logical",
                        "slack",
                        "next")
                .map(key -> Arguments.of("deviating", key));
        var overcommit = Stream.of(
                        "accepted",
                        "permit",
                        "done",
                        "watermark",
                        "node.reserved",
                        "node.committed",
                        "node.migrating",
                        "member.reserved",
                        "member.requested",
                        "member.charge",
                        "member.migrating",
                        "excess",
                        "over")
                .map(key -> Arguments.of("overcommit", key));
        var choose = Stream.of("chosen", "excessBefore", "excessAfter").map(key -> Arguments.of("choose", key));
        return Stream.of(
                        history,
                        overcommit,
                        choose,
                        Stream.of(Arguments.of("watermark", "watermark"), Arguments.of("plain", "watermark")))
                .flatMap(each -> each);
    }

    static Stream<Arguments> bills() {
        var history = Stream.of(
                        "present.0.uid",
                        "present.0.endpoint",
                        "present.0.cpu",
                        "held.0.uid",
                        "held.0.endpoint",
                        "held.0.open.start",
                        "held.0.open.end",
                        "held.0.open.cpu",
                        "held.0.closedCpuSeconds",
                        "held.0.closedActiveNs",
                        "lost",
                        "keyTotal",
                        "keyTime",
                        "pairs.0.uid",
                        "pairs.0.cpuSeconds",
                        "pairs.0.activeNs",
                        "pairs.0.milliCpuNs",
                        "pairs.0.cpu.metric",
                        "pairs.0.cpu.type",
                        "pairs.0.cpu.endpoint_id",
                        "pairs.0.cpu.start_time",
                        "pairs.0.cpu.stop_time",
                        "pairs.0.cpu.value",
                        "pairs.0.active.metric",
                        "pairs.0.active.endpoint_id",
                        "pairs.0.active.stop_time",
                        "pairs.0.active.value")
                .map(key -> Arguments.of("history", key));
        var schedule = Stream.of(
                        "pushes.0.atMs",
                        "pushes.0.keyTotal",
                        "pushes.0.pairs.0.cpu.value",
                        "pushes.1.pairs.0.active.value",
                        "pushes.2.pairs.1.cpu.endpoint_id",
                        "pushes.0.pairs.0.cpu.start_time")
                .map(key -> Arguments.of("schedule", key));
        return Stream.concat(history, schedule);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("results")
    void areFound(String file, String key) throws IOException {
        areFound(new LedgerPlayer(), file, key);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("bills")
    void areFoundInBills(String file, String key) throws IOException {
        areFound(new BillingPlayer(), file, key);
    }

    private void areFound(KindPlayer player, String file, String key) throws IOException {
        var recording = FOLDER.resolve(player.kind()).resolve(file + ".jsonl.gz");
        var whole = new ArrayList<>(READ.computeIfAbsent(recording, TamperedRecordingsTest::lines));
        int tampered = tamper(whole, key.split("\\."));
        int from = edgeOfNeighbour(whole, tampered, -1);
        var lines = whole.subList(from, edgeOfNeighbour(whole, tampered, 1) + 1);

        var tally = new Tally();
        var copy = folder.resolve(file + ".jsonl");
        Files.write(copy, lines.stream().map(JsonNode::toString).toList());
        player.play(new Recording(copy), tally);

        assertThat(tally.different()).isEqualTo(1);
        assertThat(tally.first()).extracting(Difference::key).contains(key);
        assertThat(tally.first().getFirst().place()).isEqualTo(place(lines, tampered - from));
    }

    private static List<JsonNode> lines(Path recording) {
        var lines = new ArrayList<JsonNode>();
        new Recording(recording).forEach(line -> lines.add(line.json()));
        return lines;
    }

    /**
     * The last line, in a direction, of the history beside that of a line. Histories do not affect each other, and a
     * line without one stands alone.
     */
    private static int edgeOfNeighbour(List<JsonNode> lines, int at, int direction) {
        int edge = at;
        for (int others = 0; others < 2; others++) {
            var history = lines.get(edge).path("h");
            int next = edge + direction;
            while (isIn(history, lines, next)) {
                edge = next;
                next += direction;
            }
            if (others == 0 && next >= 0 && next < lines.size()) {
                edge = next;
            }
        }
        return edge;
    }

    private static boolean isIn(JsonNode history, List<JsonNode> lines, int at) {
        return !history.isMissingNode()
                && at >= 0
                && at < lines.size()
                && lines.get(at).path("h").equals(history);
    }

    private static String place(List<JsonNode> lines, int at) {
        var line = lines.get(at);
        return line.has("h") ? "h=" + line.get("h") + " i=" + line.get("i") : "line " + (at + 1);
    }

    /** Changes the key in the first line that has it and is compared; not a watermark that is also an argument. */
    private static int tamper(List<JsonNode> lines, String[] path) {
        for (int i = 0; i < lines.size(); i++) {
            var last = path[path.length - 1];
            if (parent(lines.get(i), path).has(last) && !lines.get(i).has("differs")) {
                JsonNode changed = lines.get(i).deepCopy();
                var parent = (ObjectNode) parent(changed, path);
                parent.set(last, other(parent.get(last)));
                lines.set(i, changed);
                return i;
            }
        }
        throw new AssertionError("no line has " + String.join(".", path));
    }

    private static JsonNode parent(JsonNode line, String[] path) {
        var parent = line;
        for (var name : Arrays.copyOf(path, path.length - 1)) {
            parent = parent.isArray() ? parent.path(Integer.parseInt(name)) : parent.path(name);
        }
        return parent;
    }

    private static JsonNode other(JsonNode value) {
        if (value.isBoolean()) {
            return BooleanNode.valueOf(!value.booleanValue());
        }
        if (value.isTextual()) {
            return TextNode.valueOf(value.textValue() + "x");
        }
        if (value.isArray()) {
            var copy = ((ArrayNode) value).deepCopy();
            if (copy.isEmpty() || copy.get(0).isTextual()) {
                return copy.add("somebody else");
            }
            copy.set(1, LongNode.valueOf(value.get(1).longValue() + 1));
            return copy;
        }
        return LongNode.valueOf(value.longValue() + 1);
    }
}
