package io.sluice.vectors.monitor;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How the shipped recordings went when they were looked at one by one. Held against what is told from a recording, so
 * that one that was changed does not pass by changing what is expected of it as well.
 */
final class KnownCourses {
    private static final String RESOURCE = "courses.txt";
    private static final String SEPARATOR = ": ";

    private final Map<String, String> courses = new HashMap<>();

    KnownCourses() {
        try (var in = new BufferedReader(
                new InputStreamReader(KnownCourses.class.getResourceAsStream(RESOURCE), StandardCharsets.UTF_8))) {
            in.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
                var parts = line.split(SEPARATOR, 2);
                courses.put(parts[0], parts[1]);
            });
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** How this connection of this recording went; empty where nobody has looked at it, or it is left to chance. */
    Optional<String> of(String name, int connection) {
        return Optional.ofNullable(courses.get(key(name, connection)));
    }

    private static String key(String name, int connection) {
        return name + " " + connection;
    }
}
