package io.sluice.workers.store;

import io.sluice.workers.core.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Optional;

/**
 * Tables of PostgreSQL, for several processes of which one writes at a time. Each write is one statement that changes
 * nothing unless the term and the connection are the newest ones. So neither a process that was paused while another
 * took over writes anything, nor a statement of a connection that was given up and is still under way.
 */
public final class PostgresFleetStore implements FleetStore {
    private static final String BEGIN =
            "UPDATE sluice_fleet_leader SET writer = writer + 1 WHERE term = ?" + " RETURNING writer";
    private static final String WRITE = """
        WITH leader AS (SELECT term FROM sluice_fleet_leader WHERE term = ? AND writer = ? FOR SHARE),
          removed AS (DELETE FROM sluice_fleet_row USING leader WHERE key = ANY (?)),
          kept AS (INSERT INTO sluice_fleet_row
            SELECT given.key, given.value FROM leader, unnest(?::text[], ?::bytea[]) AS given (key, value)
            ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value)
        SELECT term FROM leader\
        """;
    private static final int FETCHED_AT_ONCE = 10_000;

    private final PostgresDatabase database;
    private final long term;
    private final Instant now;
    private Optional<Connection> connection = Optional.empty();
    private long writer;

    /**
     * @param term of this process's {@link PostgresLeadership}
     * @param now what the workers' last frames are taken to have come at
     */
    public PostgresFleetStore(PostgresDatabase database, long term, Instant now) {
        this.database = database;
        this.term = term;
        this.now = now;
    }

    @Override
    public Stored load() {
        try (var reading = database.connect();
                var statement = reading.createStatement()) {
            // Without it all rows would be in memory twice.
            reading.setAutoCommit(false);
            statement.setFetchSize(FETCHED_AT_ONCE);
            // From here on, no statement of an earlier term takes effect.
            begin();
            try (var rows = statement.executeQuery("SELECT key, value FROM sluice_fleet_row")) {
                return StoredRows.all(rows, now);
            }
        } catch (SQLException failed) {
            throw new FleetStoreException("the fleet's rows cannot be read", failed);
        }
    }

    @Override
    public void commit(Collection<Row> rows) {
        var removed = new ArrayList<String>();
        var keys = new ArrayList<String>();
        var values = new ArrayList<byte[]>();
        rows.forEach(row -> StoredRows.bytes(row)
                .ifPresentOrElse(
                        bytes -> {
                            keys.add(row.key());
                            values.add(bytes);
                        },
                        () -> removed.add(row.key())));
        try {
            var open = begin();
            try (var statement = open.prepareStatement(WRITE)) {
                statement.setLong(1, term);
                statement.setLong(2, writer);
                statement.setArray(3, open.createArrayOf("text", removed.toArray()));
                statement.setArray(4, open.createArrayOf("text", keys.toArray()));
                statement.setArray(5, open.createArrayOf("bytea", values.toArray(byte[][]::new)));
                try (var written = statement.executeQuery()) {
                    if (!written.next()) {
                        throw new FencedException("term " + term + " is over: another process leads");
                    }
                }
            }
        } catch (SQLException failed) {
            close();
            throw new FleetStoreException("the fleet's rows cannot be written", failed);
        }
    }

    /** The connection for writes; a new one makes void what is under way on those before. */
    private Connection begin() throws SQLException {
        if (connection.isPresent()) {
            return connection.get();
        }
        var opened = database.connect();
        try (var statement = opened.prepareStatement(BEGIN)) {
            statement.setLong(1, term);
            try (var rows = statement.executeQuery()) {
                if (!rows.next()) {
                    throw new FencedException("term " + term + " is over: another process leads");
                }
                writer = rows.getLong(1);
            }
        } catch (SQLException | FencedException failed) {
            opened.close();
            throw failed;
        }
        connection = Optional.of(opened);
        return opened;
    }

    @Override
    public void close() {
        var last = connection;
        connection = Optional.empty();
        PostgresDatabase.close(last);
    }
}
