package io.sluice.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Compares the results of one command with its line. An absent key is null, false or empty. */
final class Comparison {
    private static final String ABSENT = "absent";

    private final Recording.Line line;
    private final List<Difference> differences = new ArrayList<>();

    Comparison(Recording.Line line) {
        this.line = line;
    }

    List<Difference> differences() {
        return List.copyOf(differences);
    }

    /** Compares an amount that must exist exactly if ours does. */
    void amount(String key, Optional<Resources> got) {
        text(key, got.map(Comparison::text).orElse(ABSENT));
    }

    void amount(String key, Resources got) {
        amount(key, Optional.of(got));
    }

    void flag(String key, boolean got) {
        boolean expected = at(key).asBoolean(false);
        if (expected != got) {
            differences.add(difference(key, Boolean.toString(expected), Boolean.toString(got)));
        }
    }

    void number(String key, Optional<Integer> got) {
        text(key, got.map(String::valueOf).orElse(ABSENT));
    }

    void name(String key, Optional<String> got) {
        text(key, got.map(name -> '"' + name + '"').orElse(ABSENT));
    }

    /** Compares names in order. */
    void names(String key, List<String> got) {
        text(key, got.stream().map(name -> '"' + name + '"').collect(Collectors.joining(",", "[", "]")));
    }

    /** Compares whether an object exists; its content is compared by its own keys. */
    boolean present(String key, boolean got) {
        boolean expected = line.has(key);
        if (expected != got) {
            differences.add(difference(key, expected ? at(key).toString() : ABSENT, got ? "there" : ABSENT));
        }
        return expected && got;
    }

    private void text(String key, String got) {
        var node = at(key);
        var expected = node.isMissingNode() || node.isNull() ? ABSENT : node.toString();
        if (!expected.equals(got)) {
            differences.add(difference(key, expected, got));
        }
    }

    private JsonNode at(String key) {
        JsonNode node = line.json();
        for (var part : key.split("\\.")) {
            node = node.path(part);
        }
        return node;
    }

    private Difference difference(String key, String expected, String got) {
        return new Difference(line.file(), line.place(), key, expected, got);
    }

    private static String text(Resources amount) {
        return "[" + amount.milliCpu() + "," + amount.memoryBytes() + "]";
    }
}
