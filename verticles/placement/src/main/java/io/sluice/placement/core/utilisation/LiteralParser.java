package io.sluice.placement.core.utilisation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads what Python prints for dictionaries, lists, tuples, texts and numbers; JSON too. It is tolerant: what cannot be
 * read ends the reading, and what was read until then counts. Length and depth are bounded.
 */
public final class LiteralParser {
    private static final int LENGTH_MAX = 64 * 1024;
    private static final int DEPTH_MAX = 8;

    private final String text;
    private int at;

    private LiteralParser(String text) {
        this.text = text.length() > LENGTH_MAX ? "" : text;
    }

    /** The dictionary that the text holds; empty where it holds none. Values are maps, lists or texts. */
    public static Map<String, Object> dictionary(String text) {
        return new LiteralParser(text).value(0) instanceof Map<?, ?> read ? texts(read) : Map.of();
    }

    private static Map<String, Object> texts(Map<?, ?> read) {
        var byText = new LinkedHashMap<String, Object>();
        read.forEach((key, value) -> byText.put(String.valueOf(key), value));
        return byText;
    }

    private Object value(int depth) {
        skipSpace();
        if (at >= text.length() || depth > DEPTH_MAX) {
            at = text.length();
            return "";
        }
        return switch (text.charAt(at)) {
            case '{' -> map(depth);
            case '[' -> list(']', depth);
            case '(' -> list(')', depth);
            case '\'', '"' -> quoted();
            default -> bare();
        };
    }

    private Map<String, Object> map(int depth) {
        at++;
        var read = new LinkedHashMap<String, Object>();
        while (more('}')) {
            var key = value(depth + 1);
            skipSpace();
            if (at >= text.length() || text.charAt(at) != ':') {
                at = text.length();
                return read;
            }
            at++;
            read.put(String.valueOf(key), value(depth + 1));
            separator('}');
        }
        return read;
    }

    private List<Object> list(char end, int depth) {
        at++;
        var read = new ArrayList<Object>();
        while (more(end)) {
            read.add(value(depth + 1));
            separator(end);
        }
        return read;
    }

    /** Whether another element follows; the end is taken. */
    private boolean more(char end) {
        skipSpace();
        if (at < text.length() && text.charAt(at) == end) {
            at++;
            return false;
        }
        return at < text.length();
    }

    private void separator(char end) {
        skipSpace();
        if (at < text.length() && text.charAt(at) == ',') {
            at++;
        } else if (at < text.length() && text.charAt(at) != end) {
            at = text.length();
        }
    }

    private String quoted() {
        char quote = text.charAt(at++);
        var read = new StringBuilder();
        while (at < text.length() && text.charAt(at) != quote) {
            if (text.charAt(at) == '\\' && at + 1 < text.length()) {
                at++;
            }
            read.append(text.charAt(at++));
        }
        at++;
        return read.toString();
    }

    private String bare() {
        int begin = at;
        while (at < text.length() && ",:}])".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return text.substring(begin, at).strip();
    }

    private void skipSpace() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }
}
