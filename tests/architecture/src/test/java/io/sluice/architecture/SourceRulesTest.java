package io.sluice.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** The rules of the house that only the text of a source can break. */
class SourceRulesTest {
    private static final int SOURCE_LINES_MAX = 400;
    private static final int README_LINES_MAX = 150;

    /** Modules are built with their own folder as the working directory. */
    private static final Path TOP = Path.of("..", "..").toAbsolutePath().normalize();

    @Test
    void noSourceIsLongerThanItsReadersPatience() {
        assertThat(offenders(".java", source -> lines(source).size() > SOURCE_LINES_MAX))
                .isEmpty();
    }

    @Test
    void noReadmeIsLongerThanItsReadersPatience() {
        assertThat(offenders("README.md", readme -> lines(readme).size() > README_LINES_MAX))
                .isEmpty();
    }

    @Test
    void everyModuleWithCodeSaysWhatItIs() {
        assertThat(offenders(
                        "pom.xml",
                        pom -> Files.isDirectory(pom.resolveSibling("src").resolve("main"))
                                && Files.notExists(pom.resolveSibling("README.md"))))
                .isEmpty();
    }

    @Test
    void nothingIsPutOffInAComment() {
        // Put together here, so that this source does not find itself.
        var putOff = Pattern.compile("\\b(TO" + "DO|FIX" + "ME)\\b");
        assertThat(offenders(
                        ".java",
                        source -> lines(source).stream()
                                .anyMatch(line -> putOff.matcher(line).find())))
                .isEmpty();
    }

    /** The files of that ending which break a rule; without any file of that ending, the rule itself is broken. */
    private static List<Path> offenders(String ending, Predicate<Path> broken) {
        var files = files(ending);
        assertThat(files).as("files that end with %s", ending).isNotEmpty();
        return files.stream().filter(broken).map(TOP::relativize).toList();
    }

    private static List<Path> files(String ending) {
        try (var all = Files.walk(TOP)) {
            return all.filter(file -> file.toString().endsWith(ending))
                    .filter(file -> StreamSupport.stream(TOP.relativize(file).spliterator(), false)
                            .map(Path::toString)
                            .noneMatch(name -> name.equals("target") || name.startsWith(".")))
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
