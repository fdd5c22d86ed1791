package io.sluice.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Names of packages, types, methods, fields, parameters and variables follow {@code GLOSSARY.md}. */
class NamesTest {
    /** Whole words of camel-case names for which the glossary has another term. */
    private static final Set<String> REFUSED = Set.of(
            "ask",
            "asked",
            "asker",
            "asking",
            "asks",
            "believe",
            "believed",
            "believes",
            "book",
            "booked",
            "booking",
            "books",
            "brake",
            "company",
            "courier",
            "cried",
            "cries",
            "crowd",
            "cry",
            "deed",
            "deeds",
            "desk",
            "door",
            "doors",
            "doorway",
            "doubts",
            "errand",
            "errands",
            "everybody",
            "fact",
            "facts",
            "harvest",
            "he",
            "hear",
            "heard",
            "hearing",
            "hearings",
            "hears",
            "house",
            "keeper",
            "knew",
            "know",
            "knows",
            "lane",
            "lanes",
            "listing",
            "listings",
            "mischief",
            "mysteries",
            "mystery",
            "nobody",
            "note",
            "notes",
            "patience",
            "people",
            "question",
            "questions",
            "remark",
            "remarks",
            "resync",
            "resyncs",
            "roster",
            "said",
            "say",
            "says",
            "seat",
            "seats",
            "see",
            "seen",
            "sees",
            "senses",
            "settler",
            "shelf",
            "shelves",
            "sight",
            "somebody",
            "standing",
            "talk",
            "talks",
            "tell",
            "teller",
            "tells",
            "territory",
            "told",
            "town",
            "unheard",
            "verdict",
            "verdicts",
            "veto",
            "vetoed",
            "vetoes",
            "voice",
            "want",
            "wants",
            "who",
            "whoever",
            "whom",
            "whose",
            "wish",
            "wishes");

    private static final Pattern WORD = Pattern.compile("[A-Z]?[a-z0-9]+|[A-Z0-9]+(?![a-z])");
    private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w+)`");

    private static final List<Declared> DECLARED = declared();

    /**
     * A name that our code declares.
     *
     * @param file path from the repository's top
     * @param name the name
     * @param type whether it is a type's
     */
    private record Declared(String file, String name, boolean type) {
        boolean isRefused() {
            return WORD.matcher(name)
                    .results()
                    .map(MatchResult::group)
                    .anyMatch(word -> REFUSED.contains(word.toLowerCase(Locale.ROOT)));
        }
    }

    @Test
    void noNameHasARefusedWord() {
        var refused = DECLARED.stream()
                .filter(Declared::isRefused)
                .map(found -> found.file() + ": " + found.name())
                .distinct()
                .toList();

        assertThat(refused).isEmpty();
    }

    @Test
    void oneNameMeansOneThingInMainCode() {
        var places = new TreeMap<String, Set<String>>();
        for (var source : Sources.endingWith(".java")) {
            var file = Sources.relative(source);
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
        var types = DECLARED.stream().filter(Declared::type).map(Declared::name).collect(Collectors.toSet());
        var named = NAMED.matcher(Sources.text(Sources.TOP.resolve("GLOSSARY.md")))
                .results()
                .map(found -> found.group(1))
                .toList();

        assertThat(named).isNotEmpty();
        assertThat(types).containsAll(named);
    }

    private static List<Declared> declared() {
        var found = new ArrayList<Declared>();
        ParsedSources.each(file -> true, (file, unit) -> {
            found.add(new Declared(file, String.valueOf(unit.getPackageName()), false));
            new Names(file, found).scan(unit, null);
        });
        return found;
    }

    /** Collects what one file declares. */
    private static final class Names extends TreeScanner<Void, Void> {
        private final String file;
        private final List<Declared> found;

        Names(String file, List<Declared> found) {
            this.file = file;
            this.found = found;
        }

        @Override
        public Void visitClass(ClassTree type, Void nothing) {
            add(type.getSimpleName(), true);
            return super.visitClass(type, nothing);
        }

        @Override
        public Void visitMethod(MethodTree method, Void nothing) {
            add(method.getName(), false);
            return super.visitMethod(method, nothing);
        }

        @Override
        public Void visitVariable(VariableTree variable, Void nothing) {
            add(variable.getName(), false);
            return super.visitVariable(variable, nothing);
        }

        private void add(CharSequence name, boolean type) {
            found.add(new Declared(file, name.toString(), type));
        }
    }
}
