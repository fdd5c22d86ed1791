package io.sluice.launcher.client;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;

/** A table of {@code sluice top}: its columns, and what explains one of its rows. */
enum TopView {
    /** What nodes have promised. */
    NODES(
            "node",
            List.of(
                    text("NODE", 24, "name"),
                    column("STATE", 12, (node, now) -> Cell.of(nodeState(node))),
                    share("CPU", 0),
                    share("MEMORY", 1),
                    amount("RESERVED", "reserved"),
                    amount("TOTAL", "total"),
                    amount("HELD", "held"),
                    amount("BUFFER", "buffer"),
                    amount("MOVING", "migrating"))),
    /** The sizes of VMs, and what keeps them from their goals. */
    VMS(
            "vm",
            List.of(
                    text("VM", 30, "key"),
                    text("NODE", 16, "node"),
                    text("DRIVER", 10, "driver"),
                    amount("SIZE", "size"),
                    amount("GOAL", "goal"),
                    amount("PERMIT", "permit"),
                    amount("MAX", "max"),
                    column("WAITS FOR", 18, (vm, now) -> Cell.of(words(vm.path("waiting")))),
                    text("REASON", 0, "reason"))),
    /** The pods that wait for a node. */
    PODS(
            "pod",
            List.of(
                    text("POD", 34, "key"),
                    text("VM", 20, "vm"),
                    since("WAITS", "createdAt"),
                    amount("CHARGE", "charge"),
                    text("REASON", 0, "now"))),
    /** The migrations that have not ended, or did so lately. */
    MIGRATIONS(
            "vm",
            List.of(
                    text("MIGRATION", 30, "name"),
                    text("VM", 26, "vm"),
                    column("PHASE", 12, (migration, now) -> Cell.of(words(migration.path("phase")))),
                    text("FROM", 16, "from"),
                    text("TO", 16, "to"),
                    since("SINCE", "sinceMs")));

    private final String explained;
    private final List<Column> columns;

    TopView(String explained, List<Column> columns) {
        this.explained = explained;
        this.columns = columns;
    }

    /**
     * What is shown of one row.
     *
     * @param text to be read
     * @param order by which rows are sorted, before their text
     */
    record Cell(String text, double order) implements Comparable<Cell> {
        static Cell of(String text) {
            return new Cell(text, 0);
        }

        @Override
        public int compareTo(Cell other) {
            int byNumber = Double.compare(order, other.order);
            return byNumber == 0 ? text.compareTo(other.text) : byNumber;
        }
    }

    /**
     * A column.
     *
     * @param title above it
     * @param width in characters; 0 for what the others leave
     * @param cell of a row, at a time
     */
    record Column(String title, int width, BiFunction<Json, Instant, Cell> cell) {}

    List<Column> columns() {
        return columns;
    }

    /** The name by which a row is known. */
    String key(Json row) {
        return row.path(this == NODES || this == MIGRATIONS ? "name" : "key").text();
    }

    /** The path of what explains a row; a migration is explained by its VM. */
    String explanation(Json row) {
        var name = this == MIGRATIONS ? row.path("vm").text() : key(row);
        return WhyCommand.path(explained, name);
    }

    private static Column column(String title, int width, BiFunction<Json, Instant, Cell> cell) {
        return new Column(title, width, cell);
    }

    private static Column text(String title, int width, String field) {
        return column(title, width, (row, now) -> Cell.of(row.path(field).text()));
    }

    private static Column amount(String title, String field) {
        return column(title, 16, (row, now) -> {
            var amount = row.path(field);
            return new Cell(Amounts.text(amount), amount.isList() ? of(amount, 0) : -1);
        });
    }

    /** The share of a node's total that is promised, of one kind. */
    private static Column share(String title, int kind) {
        return column(title, 9, (node, now) -> {
            long total = of(node.path("total"), kind);
            double share = total == 0 ? 0 : 100.0 * of(node.path("reserved"), kind) / total;
            return new Cell("%.0f%%".formatted(share), share);
        });
    }

    private static long of(Json amount, int kind) {
        return amount.isList() ? amount.values().get(kind).number() : 0;
    }

    private static Column since(String title, String field) {
        return column(title, 12, (row, now) -> {
            long millis = Math.max(0, now.toEpochMilli() - row.path(field).number());
            return new Cell(StatusCommand.time(Duration.ofMillis(millis)), millis);
        });
    }

    private static String nodeState(Json node) {
        if (!node.path("complete").isTrue()) {
            return "incomplete";
        }
        if (!node.path("readiness").text().equals("READY")) {
            return words(node.path("readiness"));
        }
        return node.path("underPressure").isTrue() ? "pressed" : "ready";
    }

    private static String words(Json word) {
        var text = word.text().toLowerCase(Locale.ROOT).replace('_', ' ');
        return text.equals("nothing") ? "" : text;
    }
}
