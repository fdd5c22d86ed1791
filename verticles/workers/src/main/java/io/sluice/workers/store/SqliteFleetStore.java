package io.sluice.workers.store;

import io.sluice.shell.SqliteLibrary;
import io.sluice.workers.core.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** A file of SQLite, for one process: its lock keeps every other process out. A commit is synced before it returns. */
public final class SqliteFleetStore implements FleetStore {
    private static final String TABLE = "CREATE TABLE IF NOT EXISTS row (key TEXT PRIMARY KEY, value BLOB NOT NULL)";

    private static final Set<PosixFilePermission> OWNER_ALONE = PosixFilePermissions.fromString("rw-------");

    private final Connection connection;
    private final Instant now;

    private SqliteFleetStore(Connection connection, Instant now) {
        this.connection = connection;
        this.now = now;
    }

    /**
     * Opens the file, or creates it where there is none.
     *
     * @param now what the workers' last frames are taken to have come at
     */
    public static SqliteFleetStore open(Path file, Instant now) {
        try {
            SqliteLibrary.unpack(file.toAbsolutePath().getParent());
            // Definitions may have secrets. SQLite gives the files beside it the same rights.
            if (Files.notExists(file)) {
                Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNER_ALONE));
            }
            Files.setPosixFilePermissions(file, OWNER_ALONE);
            var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
            try (var statement = connection.createStatement()) {
                for (var pragma : List.of("locking_mode=EXCLUSIVE", "journal_mode=WAL", "synchronous=FULL")) {
                    statement.execute("PRAGMA " + pragma);
                }
                statement.execute(TABLE);
            }
            connection.setAutoCommit(false);
            return new SqliteFleetStore(connection, now);
        } catch (SQLException | IOException failed) {
            throw new FleetStoreException(file + " cannot be opened", failed);
        }
    }

    @Override
    public Stored load() {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT key, value FROM row")) {
            return StoredRows.all(rows, now);
        } catch (SQLException failed) {
            throw new FleetStoreException("the fleet's rows cannot be read", failed);
        }
    }

    @Override
    public void commit(Collection<Row> rows) {
        try (var put = connection.prepareStatement("INSERT OR REPLACE INTO row VALUES (?, ?)");
                var delete = connection.prepareStatement("DELETE FROM row WHERE key = ?")) {
            for (var row : rows) {
                var bytes = StoredRows.bytes(row);
                var statement = bytes.isPresent() ? put : delete;
                statement.setString(1, row.key());
                if (bytes.isPresent()) {
                    statement.setBytes(2, bytes.get());
                }
                statement.addBatch();
            }
            put.executeBatch();
            delete.executeBatch();
            connection.commit();
        } catch (SQLException failed) {
            rollBack(failed);
            throw new FleetStoreException("the fleet's rows cannot be written", failed);
        }
    }

    private void rollBack(SQLException failed) {
        try {
            connection.rollback();
        } catch (SQLException alreadyRolledBack) {
            failed.addSuppressed(alreadyRolledBack);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException failed) {
            throw new FleetStoreException("the fleet's file cannot be closed", failed);
        }
    }
}
