package io.sluice.agent.core.metrics;

import java.util.HashMap;
import java.util.Map;

/** Walks along one line of Prometheus' text format. */
final class LineCursor {
    private static final int SHOWN_MAX = 80;

    private final String line;
    private int at;

    LineCursor(String line) {
        this.line = line;
    }

    boolean atEnd() {
        return at >= line.length();
    }

    void skipBlanks() {
        while (!atEnd() && isBlank(line.charAt(at))) {
            at++;
        }
    }

    boolean take(char expected) {
        if (atEnd() || line.charAt(at) != expected) {
            return false;
        }
        at++;
        return true;
    }

    /** Up to the next blank, or the end. */
    String word() {
        int from = at;
        while (!atEnd() && !isBlank(line.charAt(at))) {
            at++;
        }
        return line.substring(from, at);
    }

    String metricName() {
        return name(true);
    }

    /** What follows the opening brace, with the closing one. A comma may stand before that. */
    Map<String, String> labels() {
        Map<String, String> labels = new HashMap<>();
        skipBlanks();
        while (!take('}')) {
            var name = name(false);
            skipBlanks();
            expect('=');
            skipBlanks();
            labels.put(name, quoted());
            skipBlanks();
            if (!take(',') && !(at < line.length() && line.charAt(at) == '}')) {
                throw malformed("expected a comma or a brace");
            }
            skipBlanks();
        }
        return labels;
    }

    double value() {
        var word = word();
        return switch (word) {
            case "NaN" -> Double.NaN;
            case "Inf", "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> number(word);
        };
    }

    void timestamp() {
        try {
            Long.parseLong(word());
        } catch (NumberFormatException notWhole) {
            throw malformed("expected a timestamp");
        }
        skipBlanks();
        if (!atEnd()) {
            throw malformed("something follows the timestamp");
        }
    }

    MalformedException malformed(String what) {
        var shown = line.length() <= SHOWN_MAX ? line : line.substring(0, SHOWN_MAX) + "...";
        return new MalformedException(what + ": " + shown);
    }

    private double number(String word) {
        // Java also reads a trailing type letter and hexadecimal floats, which nobody writes here.
        if (word.isEmpty() || !word.chars().allMatch(c -> c >= '0' && c <= '9' || "+-.eE".indexOf(c) >= 0)) {
            throw malformed("expected a number");
        }
        try {
            return Double.parseDouble(word);
        } catch (NumberFormatException notANumber) {
            throw malformed("expected a number");
        }
    }

    private String name(boolean colonAllowed) {
        int from = at;
        while (!atEnd() && belongsToName(line.charAt(at), at == from, colonAllowed)) {
            at++;
        }
        if (at == from) {
            throw malformed("expected a name");
        }
        return line.substring(from, at);
    }

    /** As it is written: no value that is looked at has anything to escape. */
    private String quoted() {
        expect('"');
        int from = at;
        while (!take('"')) {
            if (take('\\') && (atEnd() || "\\\"n".indexOf(line.charAt(at)) < 0)) {
                throw malformed("an unknown escape");
            }
            if (atEnd()) {
                throw malformed("a label's value has no end");
            }
            at++;
        }
        return line.substring(from, at - 1);
    }

    private void expect(char expected) {
        if (!take(expected)) {
            throw malformed("expected " + expected);
        }
    }

    private static boolean belongsToName(char c, boolean first, boolean colonAllowed) {
        boolean letter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == ':' && colonAllowed;
        return letter || !first && c >= '0' && c <= '9';
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }
}
