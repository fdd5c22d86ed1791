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
 * The courses of the shipped recordings, as found by inspection. They are compared with the courses derived from a
 * recording, so that a changed recording does not pass by changing its own expectation.
 */
final class Connections {
    private static final String RESOURCE = "courses.txt";
    private static final String SEPARATOR = ": ";

    private final Map<String, String> courses = new HashMap<>();

    Connections() {
        try (var in = new BufferedReader(
                new InputStreamReader(Connections.class.getResourceAsStream(RESOURCE), StandardCharsets.UTF_8))) {
            in.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
                var parts = line.split(SEPARATOR, 2);
                courses.put(parts[0], parts[1]);
            });
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** The course of this connection of this recording; empty if it was not inspected, or depends on chance. */
    Optional<String> of(String name, int connection) {
        return Optional.ofNullable(courses.get(key(name, connection)));
    }

    private static String key(String name, int connection) {
        return name + " " + connection;
    }
}
