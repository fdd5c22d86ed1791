package io.sluice.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The rules of the house that only the text of a source can break. */
class SourceRulesTest {
    private static final int SOURCE_LINES_MAX = 500;

    @Test
    void noSourceIsLongerThanItsReadersPatience() {
        assertThat(offenders(".java", source -> Sources.lines(source).size() > SOURCE_LINES_MAX))
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
                        source -> Sources.lines(source).stream()
                                .anyMatch(line -> putOff.matcher(line).find())))
                .isEmpty();
    }

    /** The files of that ending which break a rule; without any file of that ending, the rule itself is broken. */
    private static List<Path> offenders(String ending, Predicate<Path> broken) {
        return Sources.endingWith(ending).stream()
                .filter(broken)
                .map(Sources.TOP::relativize)
                .toList();
    }
}
