package io.sluice.billing.outbox;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Copies the rows of a file to an empty file. Where a part cannot be read, it goes on behind that part. */
final class RowCopy {
    private static final int ROWS_AT_ONCE = 16;
    private static final long FURTHER = 100_000;

    private final OutboxFile source;
    private final OutboxFile target;
    private final Map<String, Long> setAside = new HashMap<>();
    private long unreadable;

    private RowCopy(OutboxFile source, OutboxFile target) {
        this.source = source;
        this.target = target;
    }

    /**
     * What was not copied.
     *
     * @param setAside rows with a wrong checksum, by queue
     * @param unreadable how many parts of the file could not be read; it is unknown how many rows they had
     */
    record Missing(Map<String, Long> setAside, long unreadable) {}

    /** Copies all rows with a right checksum. */
    static Missing between(OutboxFile source, OutboxFile target) {
        var copy = new RowCopy(source, target);
        for (var table : OutboxFile.Table.values()) {
            copy.all(table);
        }
        copy.numbers();
        return new Missing(copy.setAside, copy.unreadable);
    }

    /** No id is given twice, also if the last items are gone. */
    private void numbers() {
        long last = lastItem();
        long copied = target.lastItem();
        target.update("DELETE FROM sqlite_sequence");
        target.update("INSERT INTO sqlite_sequence VALUES ('item', ?)", Math.max(last, copied));
    }

    private void all(OutboxFile.Table table) {
        // The parts of a batch that was divided have negative ids.
        long done = Math.min(0, firstId(table) - 1);
        long end = Long.MAX_VALUE;
        boolean lost = false;
        while (done < end) {
            var rows = new ArrayList<Object[]>();
            boolean readable = read(table, rows, done);
            for (var row : rows) {
                keep(table, row);
                done = ((Number) row[0]).longValue();
            }
            if (rows.isEmpty() && readable) {
                return;
            }
            if (!rows.isEmpty()) {
                lost = false;
                end = Long.MAX_VALUE;
            } else {
                end = lost ? end : done + Math.max(FURTHER, lastItem());
                unreadable += lost ? 0 : 1;
                lost = true;
                done++;
            }
        }
    }

    /** Reads some of the rows behind that id, until one cannot be read; false then. */
    private boolean read(OutboxFile.Table table, List<Object[]> rows, long behind) {
        return readable(() -> source.each(
                "SELECT * FROM " + table.word + " NOT INDEXED WHERE id > ? ORDER BY id LIMIT " + ROWS_AT_ONCE,
                row -> rows.add(table.read(row)),
                behind));
    }

    private long firstId(OutboxFile.Table table) {
        var first = new long[1];
        return readable(() -> first[0] = source.number("SELECT min(id) FROM " + table.word)) ? first[0] : 0;
    }

    private long lastItem() {
        var last = new long[1];
        return readable(() -> last[0] = source.lastItem()) ? last[0] : 0;
    }

    private static boolean readable(Runnable reading) {
        try {
            reading.run();
            return true;
        } catch (OutboxException failed) {
            if (OutboxFile.isDamage(failed)) {
                return false;
            }
            throw failed;
        }
    }

    private void keep(OutboxFile.Table table, Object[] row) {
        if (table.isIntact(row)) {
            target.update(table.insert(), row);
        } else {
            setAside.merge(table.queue(row), 1L, Long::sum);
        }
    }
}
