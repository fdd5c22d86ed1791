package io.sluice.pods.core;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads the samples of containers in the text of a kubelet. Lines of other metrics, and lines that are not of the
 * format, are skipped.
 */
public final class KubeletText {
    private static final String CONTAINER = "container_";

    private KubeletText() {}

    /**
     * One line.
     *
     * @param metric its name
     * @param pod the pod
     * @param container the container; empty for a sample of a whole pod
     * @param value its value
     * @param atMs its timestamp, in milliseconds since 1970; 0 if it has none
     */
    public record Line(String metric, PodKey pod, String container, double value, long atMs) {}

    /** Reads all lines about containers. */
    public static void read(String text, Consumer<Line> each) {
        text.lines()
                .filter(line -> line.startsWith(CONTAINER))
                .flatMap(line -> line(line).stream())
                .forEach(each);
    }

    private static Optional<Line> line(String line) {
        int open = line.indexOf('{');
        if (open < 0) {
            return Optional.empty();
        }
        var labels = new HashMap<String, String>();
        int close = labels(line, open + 1, labels);
        var rest = close < 0 ? new String[0] : line.substring(close + 1).strip().split("\\s+");
        if (rest.length < 1 || rest.length > 2 || !labels.containsKey("pod") || !labels.containsKey("namespace")) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Line(
                    line.substring(0, open),
                    new PodKey(labels.get("namespace"), labels.get("pod")),
                    labels.getOrDefault("container", ""),
                    Double.parseDouble(rest[0]),
                    rest.length == 2 ? Long.parseLong(rest[1]) : 0));
        } catch (NumberFormatException notANumber) {
            return Optional.empty();
        }
    }

    /** Reads {@code name="value",…}} from a place on. Returns the place of the brace, or -1. */
    private static int labels(String line, int from, Map<String, String> labels) {
        int at = from;
        while (at < line.length() && line.charAt(at) != '}') {
            int equals = line.indexOf("=\"", at);
            if (equals < 0) {
                return -1;
            }
            var value = new StringBuilder();
            int end = value(line, equals + 2, value);
            if (end < 0) {
                return -1;
            }
            labels.put(line.substring(at, equals).strip(), value.toString());
            at = end + 1;
            if (at < line.length() && line.charAt(at) == ',') {
                at++;
            }
        }
        return at < line.length() ? at : -1;
    }

    /** Reads a label's value with its escapes. Returns the place of the closing quote, or -1. */
    private static int value(String line, int from, StringBuilder value) {
        for (int at = from; at < line.length(); at++) {
            char letter = line.charAt(at);
            if (letter == '"') {
                return at;
            }
            if (letter == '\\' && at + 1 < line.length()) {
                at++;
                value.append(line.charAt(at) == 'n' ? '\n' : line.charAt(at));
            } else {
                value.append(letter);
            }
        }
        return -1;
    }
}
