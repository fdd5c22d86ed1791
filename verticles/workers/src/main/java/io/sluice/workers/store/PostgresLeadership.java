package io.sluice.workers.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * Which process leads those that share a database: a row that has the number of its term, and until when it leads by
 * the database's clock. Used by one thread at a time.
 */
public final class PostgresLeadership implements AutoCloseable {
    private static final String TAKE =
            "UPDATE sluice_fleet_leader SET term = term + 1, holder = ?, until = clock_timestamp() + ? * interval '1"
                    + " ms' WHERE until <= clock_timestamp() RETURNING term";
    private static final String RENEW =
            "UPDATE sluice_fleet_leader SET until = clock_timestamp() + ? * interval '1 ms' WHERE term = ?";
    private static final String RELEASE = "UPDATE sluice_fleet_leader SET until = to_timestamp(0) WHERE term = ?";

    private final PostgresDatabase database;
    private final String self;
    private final Duration lease;
    private Optional<Connection> connection = Optional.empty();
    private boolean created;

    private interface Work<T> {
        T with(PreparedStatement statement) throws SQLException;
    }

    /**
     * @param self where this process serves workers, for those that reach another
     * @param lease how long a term goes on after its last renewal
     */
    public PostgresLeadership(PostgresDatabase database, String self, Duration lease) {
        this.database = database;
        this.self = self;
        this.lease = lease;
    }

    /** Begins a term if no process leads; returns its number. */
    public Optional<Long> take() {
        return execute(TAKE, statement -> {
            statement.setString(1, self);
            statement.setLong(2, lease.toMillis());
            try (var rows = statement.executeQuery()) {
                return rows.next() ? Optional.of(rows.getLong(1)) : Optional.empty();
            }
        });
    }

    /** Prolongs a term; returns false if it is over, and another has begun. */
    public boolean renew(long term) {
        return execute(RENEW, statement -> {
            statement.setLong(1, lease.toMillis());
            statement.setLong(2, term);
            return statement.executeUpdate() == 1;
        });
    }

    /** Ends a term, so that another process leads at once. */
    public void release(long term) {
        execute(RELEASE, statement -> {
            statement.setLong(1, term);
            return statement.executeUpdate();
        });
    }

    /** Where the process serves workers that leads, or led last; empty before the first. */
    public String leader() {
        return execute("SELECT holder FROM sluice_fleet_leader", statement -> {
            try (var rows = statement.executeQuery()) {
                return rows.next() ? rows.getString(1) : "";
            }
        });
    }

    private <T> T execute(String sql, Work<T> work) {
        try {
            try (var statement = connected().prepareStatement(sql)) {
                return work.with(statement);
            }
        } catch (SQLException failed) {
            close();
            throw new FleetStoreException("the leader of the workers' database cannot be read or written", failed);
        }
    }

    private Connection connected() throws SQLException {
        if (!created) {
            database.create();
            created = true;
        }
        if (connection.isEmpty()) {
            connection = Optional.of(database.connect());
        }
        return connection.get();
    }

    @Override
    public void close() {
        var last = connection;
        connection = Optional.empty();
        PostgresDatabase.close(last);
    }
}
