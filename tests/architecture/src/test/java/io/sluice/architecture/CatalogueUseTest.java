package io.sluice.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.architecture.BusUse.Way;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The tables of {@code bus-codecs/README.md} name the modules whose code serves, requests, publishes and consumes. */
class CatalogueUseTest {
    private static final List<String> REQUESTS =
            List.of("address", "request", "reply", "served by", "requested by", "timeout", "on loss");
    private static final List<String> EVENTS = List.of("address", "event", "published by", "consumed by", "on loss");

    private static final BusUse USE = BusUse.read();

    @Test
    void requestsAreServedAndSentByTheModulesOfTheTable() {
        assertColumn(REQUESTS, "served by", Way.SERVE);
        assertColumn(REQUESTS, "requested by", Way.REQUEST);
    }

    @Test
    void eventsArePublishedAndConsumedByTheModulesOfTheTable() {
        assertColumn(EVENTS, "published by", Way.PUBLISH);
        assertColumn(EVENTS, "consumed by", Way.SUBSCRIBE);
    }

    private static void assertColumn(List<String> columns, String column, Way way) {
        var table = column(columns, column);
        var code = Addresses.byConstant().entrySet().stream()
                .filter(constant -> table.containsKey(constant.getValue()))
                .collect(Collectors.toMap(
                        Map.Entry::getValue,
                        constant -> new TreeSet<>(USE.modules(constant.getKey(), way)),
                        (one, other) -> one,
                        TreeMap::new));

        assertThat(table).as(column).isEqualTo(code);
    }

    /** The cells of one column as sets of modules, by address. */
    private static Map<String, Set<String>> column(List<String> columns, String column) {
        var header = "| " + String.join(" | ", columns) + " |";
        var rows = new TreeMap<String, Set<String>>();
        Sources.lines(Sources.TOP.resolve("bus-codecs/README.md")).stream()
                .dropWhile(line -> !line.equals(header))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> Arrays.stream(line.split("\\|"))
                        .skip(1)
                        .map(String::strip)
                        .toList())
                .forEach(cells -> rows.put(
                        cells.getFirst().replace("`", ""),
                        Arrays.stream(cells.get(columns.indexOf(column)).split(", "))
                                .filter(module -> !module.equals("none yet"))
                                .collect(Collectors.toCollection(TreeSet::new))));
        assertThat(rows).as("rows below %s", header).isNotEmpty();
        return rows;
    }
}
