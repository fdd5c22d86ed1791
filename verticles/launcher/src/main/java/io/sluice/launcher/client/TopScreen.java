package io.sluice.launcher.client;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;

/** What {@code sluice top} shows: a table with its order, filter and selected row, or what explains that row. */
final class TopScreen {
    private static final String HELP =
            "1-4 table  s sort  r reverse  / filter  up, down, page up, page down select  Enter why  Esc back  q quit";
    private static final int LINES_AROUND = 4;
    private static final int FILTER_MAX = 60;
    private static final AttributedStyle PLAIN = AttributedStyle.DEFAULT;
    private static final AttributedStyle MARKED = AttributedStyle.DEFAULT.inverse();
    private static final AttributedStyle HEAD = AttributedStyle.DEFAULT.bold();
    private static final AttributedStyle BAD = AttributedStyle.DEFAULT.foreground(AttributedStyle.RED);

    private TopView view;
    private int column;
    private boolean reversed;
    private boolean typesFilter;
    private String filter = "";
    private String selected = "";
    private int first;
    private int fits = 1;
    private List<Json> rows = List.of();
    private Optional<List<String>> explanation = Optional.empty();

    /** A key: a character, or one of those that have none. */
    enum Key {
        UP,
        DOWN,
        PAGE_UP,
        PAGE_DOWN,
        HOME,
        END,
        ENTER,
        ESCAPE,
        ERASE
    }

    /** @param view the first table */
    TopScreen(TopView view) {
        this.view = view;
    }

    TopView view() {
        return view;
    }

    /** The row that is selected; empty if there is none. */
    Optional<Json> selected() {
        return place() < 0 ? Optional.empty() : Optional.of(rows.get(place()));
    }

    /** Whether Enter asks for an explanation now. */
    boolean canExplain() {
        return explanation.isEmpty() && !typesFilter && selected().isPresent();
    }

    /** Shows what explains the selected row, until Escape. */
    void explain(List<String> lines) {
        explanation = Optional.of(lines);
        first = 0;
    }

    /** Applies a character. Returns false if it ends the view. */
    boolean typed(char character) {
        if (typesFilter) {
            filter = filter.length() < FILTER_MAX ? filter + character : filter;
            return true;
        }
        switch (character) {
            case 'q' -> {
                return false;
            }
            case '1', '2', '3', '4' -> show(TopView.values()[character - '1']);
            case 's' -> column = (column + 1) % view.columns().size();
            case 'r' -> reversed = !reversed;
            case '/' -> typesFilter = true;
            case 'j' -> pressed(Key.DOWN);
            case 'k' -> pressed(Key.UP);
            default -> {}
        }
        return true;
    }

    private void show(TopView other) {
        view = other;
        column = 0;
        reversed = false;
        selected = "";
        first = 0;
        explanation = Optional.empty();
    }

    /** Applies a key without a character. */
    void pressed(Key key) {
        switch (key) {
            case UP -> move(-1);
            case DOWN -> move(1);
            case PAGE_UP -> move(-fits);
            case PAGE_DOWN -> move(fits);
            case HOME -> move(-Integer.MAX_VALUE / 2);
            case END -> move(Integer.MAX_VALUE / 2);
            case ENTER -> typesFilter = false;
            case ESCAPE -> back();
            case ERASE -> filter = typesFilter && !filter.isEmpty() ? filter.substring(0, filter.length() - 1) : filter;
        }
    }

    private void back() {
        if (typesFilter || explanation.isEmpty()) {
            filter = "";
        }
        typesFilter = false;
        explanation = Optional.empty();
    }

    private void move(int by) {
        if (explanation.isPresent()) {
            first = Math.clamp(
                    first + (long) by, 0, Math.max(0, explanation.get().size() - fits));
        } else if (!rows.isEmpty()) {
            int to = Math.clamp(place() + (long) by, 0, rows.size() - 1);
            selected = view.key(rows.get(to));
        }
    }

    private int place() {
        for (int row = 0; row < rows.size(); row++) {
            if (view.key(rows.get(row)).equals(selected)) {
                return row;
            }
        }
        return -1;
    }

    /** The lines of the screen, as many as it has. */
    List<AttributedString> lines(TopFleet fleet, int width, int height) {
        fits = Math.max(1, height - LINES_AROUND);
        sort(fleet);
        var lines = new ArrayList<AttributedString>();
        lines.add(title(fleet, width));
        lines.add(tabs(width));
        if (explanation.isPresent()) {
            lines.add(cut(view.key(selected().orElse(Json.absent())), width, HEAD));
            explanation.get().stream().skip(first).limit(fits).forEach(line -> lines.add(cut(line, width, PLAIN)));
        } else {
            lines.add(cut(head(), width, HEAD));
            int last = Math.min(rows.size(), first + fits);
            for (var row : rows.subList(first, last)) {
                lines.add(cut(line(row, fleet.at()), width, view.key(row).equals(selected) ? MARKED : PLAIN));
            }
        }
        while (lines.size() < height - 1) {
            lines.add(AttributedString.EMPTY);
        }
        lines.add(cut(typesFilter ? "filter: " + filter : HELP, width, PLAIN));
        return lines.subList(0, Math.max(0, Math.min(lines.size(), height)));
    }

    /** The rows that pass the filter, sorted; the selected one is on the screen. */
    private void sort(TopFleet fleet) {
        var by = view.columns().get(column).cell();
        var at = fleet.at();
        record Ranked(Json row, TopView.Cell cell) {}
        Comparator<Ranked> order = Comparator.comparing(Ranked::cell);
        rows = fleet.rows(view).stream()
                .filter(this::passes)
                .map(row -> new Ranked(row, by.apply(row, at)))
                .sorted((reversed ? order.reversed() : order).thenComparing(ranked -> view.key(ranked.row())))
                .map(Ranked::row)
                .toList();
        if (explanation.isEmpty()) {
            int place = place();
            selected = place < 0 && !rows.isEmpty() ? view.key(rows.getFirst()) : selected;
            place = Math.max(0, place);
            first = Math.clamp(first, Math.max(0, place - fits + 1), place);
        }
    }

    private boolean passes(Json row) {
        var wanted = filter.toLowerCase(Locale.ROOT);
        return wanted.isEmpty()
                || view.key(row).toLowerCase(Locale.ROOT).contains(wanted)
                || row.path("node").text().toLowerCase(Locale.ROOT).contains(wanted);
    }

    private static AttributedString title(TopFleet fleet, int width) {
        return fleet.trouble().isEmpty()
                ? cut("sluice top  " + fleet.counts() + "  " + time(fleet.at()), width, PLAIN)
                : cut("sluice top  no news: " + fleet.trouble(), width, BAD);
    }

    private static String time(Instant at) {
        return Instant.ofEpochSecond(at.getEpochSecond()).toString();
    }

    private AttributedString tabs(int width) {
        var tabs = new AttributedStringBuilder();
        for (var each : TopView.values()) {
            tabs.styled(
                    each == view ? MARKED : PLAIN,
                    " " + (each.ordinal() + 1) + " " + each.name().toLowerCase(Locale.ROOT) + " ");
        }
        tabs.append(filter.isEmpty() ? "" : "  filter: " + filter);
        return tabs.toAttributedString().columnSubSequence(0, width);
    }

    private String head() {
        var head = new StringBuilder();
        for (int each = 0; each < view.columns().size(); each++) {
            var mark = each == column ? reversed ? " v" : " ^" : "";
            append(head, view.columns().get(each), view.columns().get(each).title() + mark);
        }
        return head.toString();
    }

    private String line(Json row, Instant at) {
        var line = new StringBuilder();
        view.columns()
                .forEach(each -> append(line, each, each.cell().apply(row, at).text()));
        return line.toString();
    }

    /** The table as text, for outputs that are no terminal. */
    List<String> table(TopFleet fleet) {
        sort(fleet);
        var lines = new ArrayList<String>();
        lines.add(head().stripTrailing());
        rows.forEach(row -> lines.add(clean(line(row, fleet.at())).stripTrailing()));
        return lines;
    }

    private static void append(StringBuilder line, TopView.Column column, String text) {
        int width = column.width();
        if (width == 0) {
            line.append(text);
        } else {
            var fitting = text.length() > width - 2 ? text.substring(0, width - 3) + "~" : text;
            line.append(fitting).repeat(' ', Math.max(0, width - fitting.length()));
        }
    }

    private static AttributedString cut(String text, int width, AttributedStyle style) {
        return new AttributedString(clean(text), style).columnSubSequence(0, width);
    }

    /** Replaces control characters, which a terminal would obey. */
    private static String clean(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
