package io.sluice.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;

/** The files of the repository as they are checked in. */
final class Sources {
    /** Modules are built with their own folder as the working directory. */
    static final Path TOP = Path.of("..", "..").toAbsolutePath().normalize();

    private Sources() {}

    /** All files with that ending; there is at least one. */
    static List<Path> endingWith(String ending) {
        try (var all = Files.walk(TOP)) {
            var found = all.filter(file -> file.toString().endsWith(ending))
                    .filter(file -> StreamSupport.stream(TOP.relativize(file).spliterator(), false)
                            .map(Path::toString)
                            .noneMatch(name -> name.equals("target") || name.startsWith(".")))
                    .toList();
            assertThat(found).as("files that end with %s", ending).isNotEmpty();
            return found;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The path from the repository's top. */
    static String relative(Path file) {
        return TOP.relativize(file).toString();
    }

    static List<String> lines(Path file) {
        return text(file).lines().toList();
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
