package io.sluice.gateway.core.console;

import java.util.Objects;

/**
 * A pattern in which {@code *} matches any text; the empty pattern matches everything.
 *
 * @param pattern as users write it
 */
public record Glob(String pattern) {
    /** Matches everything. */
    public static final Glob ALL = new Glob("");

    public Glob {
        Objects.requireNonNull(pattern, "pattern");
    }

    /** Returns whether it matches everything. */
    public boolean isAll() {
        return pattern.isEmpty() || pattern.equals("*");
    }

    /** Returns whether a text matches; allocates nothing, as it is called for every message. */
    public boolean fits(String text) {
        if (isAll()) {
            return true;
        }
        int at = 0;
        int next = 0;
        int star = -1;
        int starAt = 0;
        while (at < text.length()) {
            if (next < pattern.length() && pattern.charAt(next) == '*') {
                star = next++;
                starAt = at;
            } else if (next < pattern.length() && pattern.charAt(next) == text.charAt(at)) {
                next++;
                at++;
            } else if (star >= 0) {
                next = star + 1;
                at = ++starAt;
            } else {
                return false;
            }
        }
        while (next < pattern.length() && pattern.charAt(next) == '*') {
            next++;
        }
        return next == pattern.length();
    }
}
