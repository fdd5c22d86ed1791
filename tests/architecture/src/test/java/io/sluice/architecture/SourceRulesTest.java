package io.sluice.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The rules of the project that only the text of a source can break. */
class SourceRulesTest {
    private static final int SOURCE_LINES_MAX = 500;
    private static final int FOLDER_SOURCES_MAX = 25;
    private static final int MARKDOWN_LINE_MAX = 199;

    /** Pages that are tables which a test writes or reads: one row, one line. */
    private static final Set<String> TABLES = Set.of(
            "config/reference.md",
            "dashboards/runbooks/README.md",
            "docs/dashboard-queries.md",
            "THIRD-PARTY.md",
            "tests/faults.md");

    @Test
    void noSourceIsLongerThanTheLimit() {
        assertThat(offenders(".java", source -> Sources.lines(source).size() > SOURCE_LINES_MAX))
                .isEmpty();
    }

    @Test
    void noFolderHasMoreSourcesThanTheLimit() {
        var sources = Sources.endingWith(".java").stream()
                .collect(Collectors.groupingBy(
                        source -> Sources.relative(source.getParent()), TreeMap::new, Collectors.counting()));
        sources.values().removeIf(count -> count <= FOLDER_SOURCES_MAX);

        assertThat(sources)
                .as("folders with more than %d sources", FOLDER_SOURCES_MAX)
                .isEmpty();
    }

    @Test
    void noLineOfMarkdownIsLongerThanTheLimit() {
        assertThat(offenders(
                        ".md",
                        page -> !TABLES.contains(Sources.relative(page))
                                && Sources.lines(page).stream().anyMatch(line -> line.length() > MARKDOWN_LINE_MAX)))
                .isEmpty();
    }

    @Test
    void everyModuleWithCodeDescribesItself() {
        assertThat(offenders(
                        "pom.xml",
                        pom -> Files.isDirectory(pom.resolveSibling("src").resolve("main"))
                                && Files.notExists(pom.resolveSibling("README.md"))))
                .isEmpty();
    }

    /**
     * Log collectors index by key, so that all keys are in one list. The bus does not know that list and has its own
     * names for three of them.
     */
    @Test
    void theKeysOfLogLinesAreThoseOfOneList() {
        var other = Pattern.compile(
                "\\.addKeyValue\\(\\s*+(?!LogKeys\\.[A-Z]|KEY_[A-Z]|isKey\\(kind\\) \\? kind : LogKeys)[^()]*,");
        assertThat(offenders(
                        ".java",
                        source -> Sources.relative(source).contains("src/main/")
                                && other.matcher(Sources.text(source)).find()))
                .isEmpty();
    }

    @Test
    void nothingIsPutOffInAComment() {
        // Concatenated, so that this source does not match itself.
        var putOff = Pattern.compile("\\b(TO" + "DO|FIX" + "ME)\\b");
        assertThat(offenders(
                        ".java",
                        source -> Sources.lines(source).stream()
                                .anyMatch(line -> putOff.matcher(line).find())))
                .isEmpty();
    }

    /** The files with that ending that break a rule; if there is none with that ending, that is a failure too. */
    private static List<Path> offenders(String ending, Predicate<Path> broken) {
        return Sources.endingWith(ending).stream()
                .filter(broken)
                .map(Sources.TOP::relativize)
                .toList();
    }
}
