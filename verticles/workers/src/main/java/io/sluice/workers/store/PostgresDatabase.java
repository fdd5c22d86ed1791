package io.sluice.workers.store;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;

/**
 * A database of PostgreSQL in which processes have one fleet. A password comes from the file that {@code PGPASSFILE}
 * names, or from {@code ~/.pgpass}.
 *
 * @param url with {@code jdbc:postgresql:}
 */
public record PostgresDatabase(String url) {
    /** What each URL begins with. */
    public static final String SCHEME = "jdbc:postgresql:";

    /** What a URL would override: a commit that is on disk, and an end of every statement. */
    private static final Set<String> OVERRIDES = Set.of(
            "options",
            "service",
            "sockettimeout",
            "connecttimeout",
            "logintimeout",
            "querytimeout",
            "cancelsignaltimeout",
            "tcpkeepalive");

    private static final List<String> TABLES = List.of(
            "CREATE TABLE IF NOT EXISTS sluice_fleet_row (key text PRIMARY KEY, value bytea NOT NULL)",
            "CREATE TABLE IF NOT EXISTS sluice_fleet_leader (one boolean PRIMARY KEY CHECK (one), term bigint NOT NULL,"
                    + " writer bigint NOT NULL, holder text NOT NULL, until timestamptz NOT NULL)",
            "INSERT INTO sluice_fleet_leader VALUES (true, 0, 0, '', to_timestamp(0)) ON CONFLICT DO NOTHING");

    public PostgresDatabase {
        int query = url.indexOf('?');
        for (var parameter :
                query < 0 ? new String[0] : url.substring(query + 1).split("&")) {
            var name = URLDecoder.decode(parameter.split("=", 2)[0], StandardCharsets.UTF_8);
            if (OVERRIDES.contains(name.toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException("workers.store must not have the parameter " + name
                        + ": commits would not be on disk, or statements would not end in time");
            }
        }
    }

    /** Opens a connection of which every statement ends in time, with or without success. */
    Connection connect() throws SQLException {
        var properties = new Properties();
        properties.setProperty("ApplicationName", "sluice");
        properties.setProperty("connectTimeout", "5");
        properties.setProperty("loginTimeout", "5");
        properties.setProperty("socketTimeout", "10");
        properties.setProperty("tcpKeepAlive", "true");
        // A commit is on disk whatever the database's default is.
        properties.setProperty("options", "-c synchronous_commit=on -c statement_timeout=8s -c lock_timeout=4s");
        return DriverManager.getConnection(url, properties);
    }

    /** Closes a connection, if there is one. */
    static void close(Optional<Connection> connection) {
        try {
            if (connection.isPresent()) {
                connection.get().close();
            }
        } catch (SQLException failed) {
            throw new FleetStoreException("the connection cannot be closed", failed);
        }
    }

    /** Makes the tables where there are none. */
    void create() throws SQLException {
        try (var connection = connect();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            // Two processes that make the same table at once would fail.
            statement.execute("SELECT pg_advisory_xact_lock(hashtext('sluice_fleet'))");
            for (var table : TABLES) {
                statement.execute(table);
            }
            connection.commit();
        }
    }
}
