package io.sluice.vectors.scaling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.sluice.vectors.Difference;
import io.sluice.vectors.Recording;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Compares Sluice's results for one line with the recorded ones. */
final class Results {
    private final Recording.Line line;
    private final String place;
    private final List<Difference> differences = new ArrayList<>();

    Results(Recording.Line line, String place) {
        this.line = line;
        this.place = place;
    }

    void expect(String key, Optional<? extends JsonNode> got) {
        expect(key, line.json().path(key), got);
    }

    void expect(String key, JsonNode expected, Optional<? extends JsonNode> got) {
        JsonNode ours = got.isPresent() ? got.get() : MissingNode.getInstance();
        if (!Sameness.of(expected, ours)) {
            differences.add(new Difference(line.file(), place, key, text(expected), text(ours)));
        }
    }

    private static String text(JsonNode node) {
        return node.isMissingNode() ? "absent" : node.toString();
    }

    List<Difference> differences() {
        return List.copyOf(differences);
    }
}
