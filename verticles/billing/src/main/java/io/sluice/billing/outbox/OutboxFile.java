package io.sluice.billing.outbox;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * An open SQLite file of the outbox. Not thread-safe.
 *
 * <p>A change is one transaction. It is first synced in SQLite's log ({@code -wal}), then copied to the file, which is
 * synced too. So the log only matters while a change is under way: whatever happens to it later, the file has
 * everything.
 */
final class OutboxFile implements AutoCloseable {
    /** The version of the tables. A file with a greater one is not opened. */
    private static final int VERSION = 1;

    private static final int LOG_BYTES = 1 << 20;
    private static final int TIDY_PAGES = 256;

    /** The waiting events and batches; the index contains all that is counted. */
    private static final List<String> TABLES = List.of(
            "CREATE TABLE item (id INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, batch INTEGER NOT NULL,"
                    + " name TEXT NOT NULL, closed INTEGER NOT NULL, since INTEGER NOT NULL,"
                    + " events INTEGER NOT NULL, size INTEGER NOT NULL, body BLOB NOT NULL, sum INTEGER NOT NULL)",
            "CREATE INDEX waiting ON item (queue, batch, id, since, events, size)",
            "CREATE TABLE entry (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL,"
                    + " body BLOB NOT NULL, sum INTEGER NOT NULL, UNIQUE (kind, name))");

    private final Connection connection;
    private final Map<String, PreparedStatement> statements = new HashMap<>();

    private OutboxFile(Connection connection) {
        this.connection = connection;
    }

    /** Reads one row. */
    interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** Opens the file, or creates it where there is none. */
    static OutboxFile open(Path path) {
        try {
            var file = new OutboxFile(DriverManager.getConnection("jdbc:sqlite:" + path));
            try {
                file.prepare();
                return file;
            } catch (RuntimeException unreadable) {
                file.close();
                throw unreadable;
            }
        } catch (SQLException unreadable) {
            throw new OutboxException(path + " cannot be opened", unreadable);
        }
    }

    private void prepare() {
        for (var pragma : List.of(
                "locking_mode=EXCLUSIVE",
                "auto_vacuum=INCREMENTAL",
                "journal_mode=WAL",
                "synchronous=FULL",
                "wal_autocheckpoint=0",
                "journal_size_limit=" + LOG_BYTES)) {
            query("PRAGMA " + pragma, row -> 0);
        }
        long version = number("PRAGMA user_version");
        if (version > VERSION) {
            throw new OutboxException("the outbox was written by a later Sluice: its tables have version " + version
                    + ", this version reads " + VERSION);
        }
        if (version == 0) {
            change(() -> {
                TABLES.forEach(this::update);
                return update("PRAGMA user_version=" + VERSION);
            });
        }
    }

    /** Makes all changes of a function durable, or none of them. If it throws, the result is unknown. */
    <T> T change(Supplier<T> changes) {
        update("BEGIN IMMEDIATE");
        T result;
        try {
            result = changes.get();
            update("COMMIT");
        } catch (RuntimeException failed) {
            try {
                update("ROLLBACK");
            } catch (OutboxException alreadyRolledBack) {
                failed.addSuppressed(alreadyRolledBack);
            }
            throw failed;
        }
        settle();
        return result;
    }

    /** Copies the log to the file, and syncs it. */
    void settle() {
        try {
            query("PRAGMA wal_checkpoint", row -> 0);
        } catch (OutboxException failed) {
            // The change is durable in the log; the next one tries again.
            if (!isFull(failed)) {
                throw failed;
            }
        }
    }

    /** Gives free space back to the disk, a bounded part of it at once. */
    void tidy() {
        long free = number("PRAGMA freelist_count");
        if (free > TIDY_PAGES && free > number("PRAGMA page_count") / 2) {
            // A prepared statement would free one page and stop there.
            try (var statement = connection.createStatement()) {
                statement.executeUpdate("PRAGMA incremental_vacuum(" + TIDY_PAGES + ")");
            } catch (SQLException failed) {
                throw new OutboxException("SQLite", failed);
            }
            settle();
        }
    }

    long bytes() {
        return number("PRAGMA page_count") * number("PRAGMA page_size");
    }

    int update(String sql, Object... values) {
        try {
            return prepared(sql, values).executeUpdate();
        } catch (SQLException failed) {
            throw failed(sql, failed);
        }
    }

    <T> List<T> query(String sql, Row<T> reader, Object... values) {
        var rows = new ArrayList<T>();
        each(sql, row -> rows.add(reader.read(row)), values);
        return rows;
    }

    /** Passes all rows, if there are any; what was passed before a failure counts. */
    <T> void each(String sql, Row<T> reader, Object... values) {
        try {
            var statement = prepared(sql, values);
            if (statement.execute()) {
                try (var rows = statement.getResultSet()) {
                    while (rows.next()) {
                        reader.read(rows);
                    }
                }
            }
        } catch (SQLException failed) {
            throw failed(sql, failed);
        }
    }

    /** The driver closes a statement that fails. */
    private OutboxException failed(String sql, SQLException failure) {
        statements.remove(sql);
        return new OutboxException("SQLite", failure);
    }

    /** Returns the first number of the first row; 0 where there is none. */
    long number(String sql, Object... values) {
        return query(sql, row -> row.getLong(1), values).stream().findFirst().orElse(0L);
    }

    private PreparedStatement prepared(String sql, Object... values) throws SQLException {
        var statement = statements.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            statements.put(sql, statement);
        }
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }

    /** The greatest id that an item has ever had. */
    long lastItem() {
        return number("SELECT seq FROM sqlite_sequence WHERE name = 'item'");
    }

    /** Returns what is wrong with the file; reads all of it. */
    Optional<String> damage() {
        try {
            var found =
                    query("PRAGMA integrity_check(1)", row -> row.getString(1)).getFirst();
            if (!found.equals("ok")) {
                return Optional.of(found);
            }
            for (var table : Table.values()) {
                each("SELECT * FROM " + table.word, row -> table.checked(table.read(row)));
            }
            return Optional.empty();
        } catch (OutboxException damaged) {
            if (!isDamage(damaged)) {
                throw damaged;
            }
            return Optional.of(OutboxException.root(damaged));
        }
    }

    static boolean isFull(Throwable failure) {
        return code(failure) == SQLiteErrorCode.SQLITE_FULL.code;
    }

    /** Whether the disk failed. What can be read may then differ from what is on the disk. */
    static boolean isDiskFailure(Throwable failure) {
        return (code(failure) & 0xff) == SQLiteErrorCode.SQLITE_IOERR.code;
    }

    /** Whether the file has other contents than were written. */
    static boolean isDamage(Throwable failure) {
        int code = code(failure) & 0xff;
        return code == SQLiteErrorCode.SQLITE_CORRUPT.code
                || code == SQLiteErrorCode.SQLITE_NOTADB.code
                || code == SQLiteErrorCode.SQLITE_TOOBIG.code
                || failure.getCause() == null;
    }

    private static int code(Throwable failure) {
        var cause = failure;
        while (cause != null && !(cause instanceof SQLiteException)) {
            cause = cause.getCause();
        }
        return cause instanceof SQLiteException known ? known.getResultCode().code : 0;
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException unclean) {
            throw new OutboxException("closing the file failed", unclean);
        }
    }

    /** A table, whose last column is the checksum of the columns before. */
    enum Table {
        ITEM("item", 10, 0),
        /** The ids of these rows have no meaning. */
        ENTRY("entry", 5, 1);

        final String word;
        private final int columns;
        private final int summedFrom;

        Table(String word, int columns, int summedFrom) {
            this.word = word;
            this.columns = columns;
            this.summedFrom = summedFrom;
        }

        Object[] read(ResultSet row) throws SQLException {
            var values = new Object[columns];
            for (int i = 0; i < columns; i++) {
                values[i] = row.getObject(i + 1);
            }
            return values;
        }

        boolean isIntact(Object[] row) {
            return row[columns - 1] instanceof Number sum && sum.longValue() == sum(row);
        }

        /** The checksum of a row's values, in their order. */
        long sum(Object... row) {
            var sum = new CRC32C();
            for (int i = summedFrom; i < columns - 1; i++) {
                var bytes = row[i] instanceof byte[] blob
                        ? blob
                        : String.valueOf(row[i]).getBytes(StandardCharsets.UTF_8);
                sum.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
                sum.update(bytes);
            }
            return sum.getValue();
        }

        Object[] checked(Object[] row) {
            if (!isIntact(row)) {
                throw new OutboxException("row " + row[0] + " of " + word + " is damaged: its checksum differs");
            }
            return row;
        }

        /** The queue of a damaged row, as far as that can be known. */
        String queue(Object[] row) {
            return this == ITEM ? String.valueOf(row[1]) : "state";
        }

        String insert() {
            return "INSERT INTO " + word + " VALUES (?" + ", ?".repeat(columns - 1) + ")";
        }
    }
}
