package io.sluice.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Names of types follow {@code GLOSSARY.md}. */
class NamesTest {
    /** Metaphors and participles that the glossary has a term for. */
    private static final Set<String> REFUSED = Set.of(
            "asker",
            "asking",
            "book",
            "booked",
            "booking",
            "books",
            "company",
            "courier",
            "cried",
            "cries",
            "crowd",
            "cry",
            "desk",
            "door",
            "doors",
            "doorway",
            "errand",
            "errands",
            "harvest",
            "heard",
            "hearing",
            "house",
            "lane",
            "lanes",
            "listing",
            "patience",
            "remark",
            "remarks",
            "resync",
            "roster",
            "seat",
            "seats",
            "senses",
            "shelf",
            "shelves",
            "sight",
            "talk",
            "talks",
            "teller",
            "territory",
            "told",
            "unheard",
            "veto",
            "vetoed",
            "vetoes");

    private static final Pattern NOT_CODE = Pattern.compile(
            "//[^\\n]*|/\\*.*?\\*/|\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])+'",
            Pattern.DOTALL);
    private static final Pattern TYPE = Pattern.compile("\\b(?:class|record|interface|enum)\\s+([A-Z]\\w*)");
    private static final Pattern WORD = Pattern.compile("[A-Z]?[a-z0-9]+|[A-Z0-9]+(?![a-z])");
    private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w+)`");

    @Test
    void noTypeIsNamedByAMetaphor() {
        var refused = Sources.endingWith(".java").stream()
                .flatMap(source -> types(source).filter(NamesTest::isRefused).map(type -> file(source) + ": " + type))
                .toList();

        assertThat(refused).isEmpty();
    }

    @Test
    void oneNameMeansOneThingInMainCode() {
        var places = new TreeMap<String, Set<String>>();
        for (var source : Sources.endingWith(".java")) {
            var file = file(source);
            if (file.contains("/src/main/") && !file.startsWith("tests/") && !file.endsWith("-info.java")) {
                var name = source.getFileName().toString().replace(".java", "");
                places.computeIfAbsent(name, key -> new TreeSet<>()).add(file);
            }
        }
        places.values().removeIf(files -> files.size() == 1);

        assertThat(places).isEmpty();
    }

    @Test
    void theGlossaryNamesTypesThatExist() {
        var types =
                Sources.endingWith(".java").stream().flatMap(NamesTest::types).collect(Collectors.toSet());
        var named = NAMED.matcher(Sources.text(Sources.TOP.resolve("GLOSSARY.md")))
                .results()
                .map(found -> found.group(1))
                .toList();

        assertThat(named).isNotEmpty();
        assertThat(types).containsAll(named);
    }

    private static boolean isRefused(String type) {
        return WORD.matcher(type)
                .results()
                .map(MatchResult::group)
                .anyMatch(word -> REFUSED.contains(word.toLowerCase(Locale.ROOT)));
    }

    private static Stream<String> types(Path source) {
        var code = NOT_CODE.matcher(Sources.text(source)).replaceAll("");
        return TYPE.matcher(code).results().map(found -> found.group(1));
    }

    private static String file(Path source) {
        return Sources.TOP.relativize(source).toString();
    }
}
