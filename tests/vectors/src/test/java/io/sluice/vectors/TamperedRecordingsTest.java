package io.sluice.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The player can fail: one result changed in one line is found, by its key, in that line. */
class TamperedRecordingsTest {
    private static final Path FOLDER = Path.of("src/main/resources/vectors/ledger");

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

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("results")
    void areFound(String file, String key) throws IOException {
        var lines = new ArrayList<JsonNode>();
        new Recording(FOLDER.resolve(file + ".jsonl.gz")).forEach(line -> lines.add(line.json()));
        int at = tamper(lines, key.split("\\."));

        var tally = new Tally();
        var copy = folder.resolve(file + ".jsonl");
        Files.write(copy, lines.stream().map(JsonNode::toString).toList());
        new LedgerPlayer().play(new Recording(copy), tally);

        assertThat(tally.different()).isEqualTo(1);
        assertThat(tally.first()).extracting(Difference::key).contains(key);
        assertThat(tally.first().getFirst().place()).isEqualTo(place(lines, at));
    }

    private static String place(List<JsonNode> lines, int at) {
        var line = lines.get(at);
        return line.has("h") ? "h=" + line.get("h") + " i=" + line.get("i") : "line " + (at + 1);
    }

    /** Changes the key in the first line that has it and is compared; a watermark that is an argument as well not. */
    private static int tamper(List<JsonNode> lines, String[] path) {
        for (int i = 0; i < lines.size(); i++) {
            JsonNode parent = path.length == 1 ? lines.get(i) : lines.get(i).path(path[0]);
            var last = path[path.length - 1];
            if (parent.has(last) && !lines.get(i).has("differs")) {
                ((ObjectNode) parent).set(last, other(parent.get(last)));
                return i;
            }
        }
        throw new AssertionError("no line has " + String.join(".", path));
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
