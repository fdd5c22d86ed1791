package io.sluice.monitor.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A thousand sessions are lost in one instant, in virtual time: they do not all dial in one instant. */
class StormTest {
    private static final int SESSIONS = 1000;
    private static final Duration BUCKET = Duration.ofMillis(10);
    private static final Instant START = Instant.parse("2026-11-21T00:00:00Z");

    /** One connection, and how often it dialled. */
    private static final class Dialling {
        private final MonitorConnection link;
        private long socket;

        Dialling(int number, Random random) {
            var vm = new VmId("neonvm", "default", "vm-" + number, "uid-" + number);
            link = new MonitorConnection(vm, MonitorConfig.DEFAULTS, random, 0, START);
            on(new ConnectionEvent.Requested(), START);
        }

        boolean on(ConnectionEvent event, Instant now) {
            long before = socket;
            for (var action : link.on(event, now)) {
                socket = action instanceof ConnectionAction.Dial(var dialled) ? dialled : socket;
            }
            return socket > before;
        }

        void live(Instant now) {
            on(new ConnectionEvent.Opened(socket), now);
            on(new ConnectionEvent.Received(socket, DrivenLink.VERSION), now);
            on(new ConnectionEvent.Received(socket, DrivenLink.healthy(2)), now);
            assertThat(link.state().connected()).isTrue();
        }
    }

    private static List<Dialling> storm(long seed) {
        var random = new Random(seed);
        var sessions = new ArrayList<Dialling>();
        for (int i = 0; i < SESSIONS; i++) {
            var session = new Dialling(i, random);
            session.live(START);
            sessions.add(session);
        }
        return sessions;
    }

    /** The most dials within ten milliseconds, after a pause of this length. */
    private static int densest(List<Dialling> sessions, Instant from, Duration span) {
        var dials = new TreeMap<Long, Integer>();
        for (var now = from; now.isBefore(from.plus(span)); now = now.plusMillis(1)) {
            for (var session : sessions) {
                if (!session.link.wakeAt().orElseThrow().isAfter(now) && session.on(new ConnectionEvent.Woken(), now)) {
                    dials.merge(Duration.between(from, now).dividedBy(BUCKET), 1, Integer::sum);
                }
            }
        }
        assertThat(dials.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(SESSIONS);
        return dials.values().stream().mapToInt(Integer::intValue).max().orElseThrow();
    }

    /** After a long session they dial within a quarter of a second, about forty in each ten milliseconds. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 20261121})
    void comesBackSpreadOverAQuarterOfASecond(long seed) {
        var sessions = storm(seed);
        var death = START.plusSeconds(3);
        sessions.forEach(session -> session.on(new ConnectionEvent.Disconnected(session.socket, "gone"), death));
        assertThat(densest(sessions, death, Duration.ofMillis(260))).isLessThan(100);
    }

    /** If no monitor answers, each round is spread wider than the one before, up to the bound. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 20261121})
    void growsThinnerWithEachRoundThatFails(long seed) {
        var sessions = storm(seed);
        var now = START.plusSeconds(3);
        for (long longestMs : new long[] {260, 1010, 2010, 4010, 8010}) {
            var failed = now;
            sessions.forEach(
                    session -> session.on(new ConnectionEvent.Disconnected(session.socket, "cannot connect"), failed));
            int densest = densest(sessions, now, Duration.ofMillis(longestMs));
            assertThat(densest).as("of waits up to %d ms", longestMs).isLessThan((int) (30_000 / longestMs) + 25);
            now = now.plusMillis(longestMs);
        }
    }
}
