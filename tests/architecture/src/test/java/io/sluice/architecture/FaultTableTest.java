package io.sluice.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Goal: tests/faults.md names, for each fault that has to be survived, tests that exist and name the fault. Method: the
 * table is compared with the display names in the sources, both ways.
 */
class FaultTableTest {
    private static final int FAULTS = 23;
    private static final Pattern ROW = Pattern.compile("\\| (F\\d+) \\|.*\\|(.*)\\|(.*)\\|");
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");

    // Concatenated, so that this source does not match itself.
    private static final String DISPLAY_NAME = "@Display" + "Name(";
    private static final Pattern MARKED = Pattern.compile("@Display" + "Name\\(\\s*\"(F\\d+(?:, F\\d+)*): ");
    private static final Pattern DECLARED = Pattern.compile("(?m)^ *(?:[a-z]+ )*(?:class (\\w+)|void (\\w+)\\()");
    private static final Pattern FAULT_OF_CLUSTER = Pattern.compile("\"([a-z]+(?:-[a-z]+)+)\"");

    /**
     * One row of the table.
     *
     * @param tests tests as the table names them: {@code Class} or {@code Class#method}, with packages where two
     *     classes share a name
     * @param clusterFaults names of faults of the cluster suite
     */
    private record Row(List<String> tests, List<String> clusterFaults) {}

    private final Map<String, Row> table = table();

    /** The faults in the display name of each {@code path/of/Class} or {@code path/of/Class#method}. */
    private final Map<String, Set<String>> marked = marked();

    @Test
    void everyFaultHasARowWithATest() {
        assertThat(table.keySet())
                .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, FAULTS)
                        .mapToObj(number -> "F" + number)
                        .toList());
        assertThat(table).allSatisfy((fault, row) -> assertThat(row.tests()).isNotEmpty());
    }

    @Test
    void everyTestInTheTableExistsAndCarriesTheNumber() {
        var wrong = new ArrayList<String>();
        table.forEach((fault, row) -> row.tests().forEach(test -> {
            var found =
                    marked.keySet().stream().filter(key -> isNamed(key, test)).toList();
            if (found.size() != 1 || !marked.get(found.getFirst()).contains(fault)) {
                wrong.add(fault + ": " + test + " is " + found);
            }
        }));
        assertThat(wrong).isEmpty();
    }

    @Test
    void everyTestThatCarriesANumberIsInTheTable() {
        var missing = new ArrayList<String>();
        marked.forEach((key, faults) -> faults.forEach(fault -> {
            var row = table.get(fault);
            if (row == null || row.tests().stream().noneMatch(test -> isNamed(key, test))) {
                missing.add(fault + ": " + key);
            }
        }));
        assertThat(missing).isEmpty();
    }

    @Test
    void everyFaultOfTheClusterSuiteInTheTableIsPlayedThere() {
        var played = new HashSet<String>();
        for (var source : Sources.endingWith(".java")) {
            if (Sources.TOP.relativize(source).startsWith(Path.of("tests", "cluster", "src", "main"))) {
                var names = FAULT_OF_CLUSTER.matcher(Sources.text(source));
                while (names.find()) {
                    played.add(names.group(1));
                }
            }
        }
        assertThat(table.values()).allSatisfy(row -> assertThat(played).containsAll(row.clusterFaults()));
    }

    private static boolean isNamed(String key, String test) {
        var wanted = test.replace('.', '/');
        return key.equals(wanted) || key.endsWith("/" + wanted);
    }

    private static Map<String, Row> table() {
        var rows = new TreeMap<String, Row>();
        for (var line : Sources.lines(Sources.TOP.resolve("tests").resolve("faults.md"))) {
            var row = ROW.matcher(line);
            if (row.matches()) {
                assertThat(rows.put(row.group(1), new Row(names(row.group(2)), names(row.group(3)))))
                        .as("an earlier row of %s", row.group(1))
                        .isNull();
            }
        }
        return rows;
    }

    private static List<String> names(String cell) {
        return NAME.matcher(cell).results().map(found -> found.group(1)).toList();
    }

    private static Map<String, Set<String>> marked() {
        var all = new HashMap<String, Set<String>>();
        for (var source : Sources.endingWith(".java")) {
            var text = Sources.text(source);
            if (text.contains(DISPLAY_NAME)) {
                var path = source.toString().replace('\\', '/').replace(".java", "");
                var marks = MARKED.matcher(text);
                while (marks.find()) {
                    var declared = DECLARED.matcher(text);
                    assertThat(declared.find(marks.end()))
                            .as("code behind a display name of %s", source)
                            .isTrue();
                    boolean isMethod = declared.group(1) == null;
                    if (isMethod) {
                        assertThat(text.substring(text.lastIndexOf("\n\n", marks.start()), declared.end()))
                                .as("what makes %s of %s a test", declared.group(2), source)
                                .containsPattern("@\\w*Test\\b");
                    }
                    var key = isMethod ? path + "#" + declared.group(2) : path;
                    all.put(key, Set.of(marks.group(1).split(", ")));
                }
            }
        }
        return all;
    }
}
