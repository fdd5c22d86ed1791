package io.sluice.agent.core.metrics;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** A cursor over the Prometheus text format, line by line. Only requested values are copied out of it. */
final class TextCursor {
    private static final int SHOWN_MAX = 80;

    /** Each label's name is compared with those before it on its line, so many labels would take long. */
    private static final int LABELS_MAX = 64;

    private final byte[] text;
    private final int[] names = new int[LABELS_MAX * 2];
    private int lineAt;
    private int metricAt;
    private int metricEnd;
    private int at;
    private int end;
    private int next;

    TextCursor(byte[] text) {
        this.text = text;
    }

    /**
     * Moves to the next line, if there is one. A last line without a line end is the first part of a truncated text.
     */
    boolean nextLine() {
        if (next >= text.length) {
            return false;
        }
        lineAt = next;
        at = next;
        int feed = at;
        while (feed < text.length && text[feed] != '\n') {
            feed++;
        }
        next = feed + 1;
        end = feed > at && text[feed - 1] == '\r' ? feed - 1 : feed;
        if (feed == text.length) {
            throw malformed("the text is truncated");
        }
        return true;
    }

    boolean atEnd() {
        return at >= end;
    }

    void skipBlanks() {
        while (!atEnd() && isBlank(text[at])) {
            at++;
        }
    }

    boolean take(char expected) {
        if (atEnd() || text[at] != expected) {
            return false;
        }
        at++;
        return true;
    }

    /** Skips exactly this word, or nothing. */
    boolean takeWord(String word) {
        int after = at + word.length();
        if (after > end || !matches(word, at) || after < end && !isBlank(text[after])) {
            return false;
        }
        at = after;
        return true;
    }

    void takeMetricName() {
        metricAt = at;
        skipName(true);
        metricEnd = at;
    }

    /** Whether the metric name that was taken last is this one. */
    boolean isMetric(String name) {
        return metricEnd - metricAt == name.length() && matches(name, metricAt);
    }

    /** Reads the labels after the opening brace, with the closing one. A comma may precede that. */
    Map<String, String> labels(boolean wanted) {
        Map<String, String> labels = wanted ? new HashMap<>() : Map.of();
        skipBlanks();
        for (int count = 0; !take('}'); count++) {
            int nameAt = labelName(count);
            int nameEnd = at;
            skipBlanks();
            expect('=');
            skipBlanks();
            int valueAt = at + 1;
            skipQuoted();
            if (wanted) {
                labels.put(string(nameAt, nameEnd), string(valueAt, at - 1));
            }
            skipBlanks();
            if (!take(',') && !(at < end && text[at] == '}')) {
                throw malformed("expected a comma or a brace");
            }
            skipBlanks();
        }
        return labels;
    }

    double value() {
        int from = at;
        skipValue();
        var word = string(from, at);
        return switch (text[at - 1] | 0x20) {
            case 'n' -> Double.NaN;
            case 'f', 'y' -> word.charAt(0) == '-' ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
            default -> Double.parseDouble(word);
        };
    }

    /** Skips the characters of a value. */
    void skipValue() {
        if (!atEnd() && (text[at] == '+' || text[at] == '-')) {
            at++;
        }
        int from = at;
        int digits = skipDigits();
        if (take('.')) {
            digits += skipDigits();
        }
        if (digits > 0 && (take('e') || take('E'))) {
            if (!take('-')) {
                take('+');
            }
            digits = skipDigits();
        }
        boolean number = digits > 0;
        if (!number && at == from) {
            skipWord();
            number = isNamed(from);
        }
        if (!number || !atEnd() && !isBlank(text[at])) {
            throw malformed("expected a number");
        }
    }

    void timestamp() {
        int from = at;
        skipWord();
        try {
            Long.parseLong(string(from, at));
        } catch (NumberFormatException notWhole) {
            throw malformed("expected a timestamp");
        }
        skipBlanks();
        if (!atEnd()) {
            throw malformed("something follows the timestamp");
        }
    }

    MalformedException malformed(String what) {
        boolean all = end - lineAt <= SHOWN_MAX;
        var shown = all ? string(lineAt, end) : string(lineAt, lineAt + SHOWN_MAX) + "...";
        return new MalformedException(MetricsFault.MALFORMED, what + ": " + shown);
    }

    private boolean isNamed(int from) {
        return switch (at - from) {
            case 3 -> matchesAnyCase("nan", from) || matchesAnyCase("inf", from);
            case 8 -> matchesAnyCase("infinity", from);
            default -> false;
        };
    }

    private boolean matchesAnyCase(String lower, int from) {
        for (int i = 0; i < lower.length(); i++) {
            if ((text[from + i] | 0x20) != lower.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private int skipDigits() {
        int from = at;
        while (!atEnd() && text[at] >= '0' && text[at] <= '9') {
            at++;
        }
        return at - from;
    }

    private void skipWord() {
        while (!atEnd() && !isBlank(text[at])) {
            at++;
        }
    }

    /** The start of the name that was read. */
    private int labelName(int count) {
        int from = at;
        skipName(false);
        if (count == LABELS_MAX) {
            throw malformed("more than " + LABELS_MAX + " labels");
        }
        for (int other = 0; other < count; other++) {
            if (sameText(names[2 * other], names[2 * other + 1], from, at)) {
                throw malformed("a label occurs twice");
            }
        }
        names[2 * count] = from;
        names[2 * count + 1] = at;
        return from;
    }

    private boolean sameText(int from, int to, int otherFrom, int otherTo) {
        if (to - from != otherTo - otherFrom) {
            return false;
        }
        for (int i = 0; i < to - from; i++) {
            if (text[from + i] != text[otherFrom + i]) {
                return false;
            }
        }
        return true;
    }

    private void skipName(boolean colonAllowed) {
        int from = at;
        while (!atEnd() && belongsToName(text[at], at == from, colonAllowed)) {
            at++;
        }
        if (at == from) {
            throw malformed("expected a name");
        }
    }

    /** The text stays as it is written: no value that is read contains an escape. */
    private void skipQuoted() {
        expect('"');
        int from = at;
        int bits = 0;
        while (!take('"')) {
            if (take('\\') && (atEnd() || "\\\"n".indexOf(text[at]) < 0)) {
                throw malformed("an unknown escape sequence");
            }
            if (atEnd()) {
                throw malformed("a label's value is not closed");
            }
            bits |= text[at];
            at++;
        }
        if (bits < 0) {
            requireUtf8(from, at - 1);
        }
    }

    private void requireUtf8(int from, int to) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text, from, to - from));
        } catch (CharacterCodingException broken) {
            throw malformed("a label's value is not quoted");
        }
    }

    private void expect(char expected) {
        if (!take(expected)) {
            throw malformed("expected " + expected);
        }
    }

    private boolean matches(String expected, int from) {
        for (int i = 0; i < expected.length(); i++) {
            if (text[from + i] != expected.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private String string(int from, int to) {
        return new String(text, from, to - from, StandardCharsets.UTF_8);
    }

    private static boolean belongsToName(byte c, boolean first, boolean colonAllowed) {
        boolean letter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == ':' && colonAllowed;
        return letter || !first && c >= '0' && c <= '9';
    }

    private static boolean isBlank(byte c) {
        return c == ' ' || c == '\t';
    }
}
