package io.sluice.workers.store;

import com.google.protobuf.InvalidProtocolBufferException;
import io.sluice.workers.core.Instance;
import io.sluice.workers.core.JoinToken;
import io.sluice.workers.core.Order;
import io.sluice.workers.core.Row;
import io.sluice.workers.core.Worker;
import io.sluice.workers.store.v1.StoredInstance;
import io.sluice.workers.store.v1.StoredOrder;
import io.sluice.workers.store.v1.StoredToken;
import io.sluice.workers.store.v1.StoredWorker;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** A file of SQLite, for one process: its lock keeps every other process out. A commit is synced before it returns. */
public final class SqliteFleetStore implements FleetStore {
    private static final String TABLE = "CREATE TABLE IF NOT EXISTS row (key TEXT PRIMARY KEY, value BLOB NOT NULL)";

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
            var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
            try (var statement = connection.createStatement()) {
                for (var pragma : List.of("locking_mode=EXCLUSIVE", "journal_mode=WAL", "synchronous=FULL")) {
                    statement.execute("PRAGMA " + pragma);
                }
                statement.execute(TABLE);
            }
            connection.setAutoCommit(false);
            return new SqliteFleetStore(connection, now);
        } catch (SQLException failed) {
            throw new FleetStoreException(file + " cannot be opened", failed);
        }
    }

    @Override
    public Stored load() {
        var workers = new ArrayList<Worker>();
        var instances = new ArrayList<Instance>();
        var orders = new ArrayList<Order>();
        var tokens = new ArrayList<JoinToken>();
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT key, value FROM row")) {
            while (rows.next()) {
                var bytes = rows.getBytes(2);
                var key = rows.getString(1);
                switch (key.substring(0, key.indexOf('/'))) {
                    case "worker" -> workers.add(StoredRows.worker(StoredWorker.parseFrom(bytes), now));
                    case "instance", "replaced" -> instances.add(StoredRows.instance(StoredInstance.parseFrom(bytes)));
                    case "order" -> orders.add(StoredRows.order(StoredOrder.parseFrom(bytes)));
                    case "token" -> tokens.add(StoredRows.token(StoredToken.parseFrom(bytes)));
                    default -> throw new SQLException("a row has the unknown key " + key);
                }
            }
            return new Stored(workers, instances, orders, tokens);
        } catch (SQLException | InvalidProtocolBufferException failed) {
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
