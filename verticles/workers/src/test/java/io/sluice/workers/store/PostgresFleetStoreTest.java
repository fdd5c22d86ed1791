package io.sluice.workers.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.shell.PostgresServer;
import io.sluice.workers.core.Row;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Goal: one process at a time writes, whatever becomes of the others. Method: a real server. */
class PostgresFleetStoreTest {
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofMinutes(5);

    private static PostgresServer server;

    private final PostgresDatabase database = new PostgresDatabase(server.url());
    private final PostgresLeadership one = new PostgresLeadership(database, "one:1", SHORT);
    private final PostgresLeadership other = new PostgresLeadership(database, "other:1", LONG);

    @BeforeAll
    static void startServer() throws Exception {
        server = PostgresServer.start();
    }

    @AfterAll
    static void stopServer() throws Exception {
        if (server != null) {
            server.close();
        }
    }

    @AfterEach
    void empty() throws Exception {
        one.close();
        other.close();
        try (var connection = database.connect();
                var statement = connection.createStatement()) {
            statement.execute("DROP TABLE sluice_fleet_row, sluice_fleet_leader");
        }
    }

    private PostgresFleetStore store(long term) {
        return new PostgresFleetStore(database, term, SomeRows.NOW);
    }

    @Test
    void hasWhatWasCommittedAfterItIsOpenedAgain() {
        long term = other.take().orElseThrow();
        try (var store = store(term)) {
            store.commit(SomeRows.rows());
        }
        try (var store = store(term)) {
            SomeRows.loadedFrom(store);
        }
    }

    @Test
    void leadsUntilItsTermIsOverAndThenWritesNothing() {
        long first = one.take().orElseThrow();
        assertThat(one.renew(first)).isTrue();
        try (var paused = store(first)) {
            paused.commit(SomeRows.rows());
            // It renews no more, as a process that was stopped.
            var second =
                    await().atMost(LONG).until(other::take, Optional::isPresent).orElseThrow();
            assertThat(second).isGreaterThan(first);
            assertThat(other.leader()).isEqualTo("other:1");
            assertThatThrownBy(() -> paused.commit(List.of(new Row.Removed("instance/a"))))
                    .isInstanceOf(FencedException.class);
            assertThatThrownBy(() -> store(first).load()).isInstanceOf(FencedException.class);
            assertThat(one.renew(first)).isFalse();
            try (var store = store(second)) {
                SomeRows.loadedFrom(store);
            }
        }
    }

    @Test
    void isTakenAtOnceAfterARelease() {
        long first = other.take().orElseThrow();
        assertThat(one.take()).isEmpty();
        other.release(first);
        assertThat(one.take()).isPresent();
    }

    @Test
    void statementsOfAnEarlierConnectionWriteNothing() {
        long term = other.take().orElseThrow();
        try (var before = store(term);
                var after = store(term)) {
            before.commit(SomeRows.rows());
            after.commit(List.of(new Row.Removed("order/w1/1")));
            assertThatThrownBy(() -> before.commit(SomeRows.rows())).isInstanceOf(FencedException.class);
            assertThat(after.load().orders()).isEmpty();
        }
    }

    @Test
    void onlyOneOfManyThatTakeAtOnceLeads() {
        var terms = IntStream.range(0, 8)
                .mapToObj(number -> CompletableFuture.supplyAsync(() -> {
                    try (var taking = new PostgresLeadership(database, "p" + number, LONG)) {
                        return taking.take();
                    }
                }))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .flatMap(Optional::stream)
                .toList();
        assertThat(terms).hasSize(1);
    }

    @Test
    void whatWasCommittedOutlivesACrashOfTheServer() throws Exception {
        long term = other.take().orElseThrow();
        try (var store = store(term)) {
            store.commit(SomeRows.rows());
            server.kill();
            assertThatThrownBy(() -> store.commit(List.of(new Row.Removed("order/w1/1"))))
                    .isInstanceOf(FleetStoreException.class);
            server.resume();
            SomeRows.loadedFrom(store);
        }
    }
}
