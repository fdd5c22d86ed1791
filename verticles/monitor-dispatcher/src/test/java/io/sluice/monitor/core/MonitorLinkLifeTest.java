package io.sluice.monitor.core;

import static io.sluice.monitor.core.DrivenLink.CONFIG;
import static io.sluice.monitor.core.DrivenLink.START;
import static io.sluice.monitor.core.DrivenLink.TWO;
import static io.sluice.monitor.core.DrivenLink.VERSION;
import static io.sluice.monitor.core.DrivenLink.VM;
import static io.sluice.monitor.core.DrivenLink.healthy;
import static io.sluice.monitor.core.DrivenLink.only;
import static io.sluice.monitor.core.DrivenLink.reported;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.monitor.ResizeReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a connection ends sessions, gives up, dials again, and keeps its invariants over any history. */
class MonitorLinkLifeTest {
    private final DrivenLink drive = new DrivenLink();

    @Test
    void givesUpWaitingAndThenComplainsOverTheLateAnswer() {
        drive.live();
        drive.request(CallKind.DOWNSCALE, 71);
        assertThat(only(
                        ConnectionAction.Answer.class,
                        drive.after(CONFIG.responseTimeout().minusNanos(1))))
                .isEmpty();
        assertThat(only(ConnectionAction.Answer.class, drive.after(Duration.ofNanos(1))))
                .containsExactly(new ConnectionAction.Answer(
                        71, new ResizeReply.Failed("the monitor did not answer within 5s")));
        var late = drive.receive("{\"type\":\"DownscaleResult\",\"Ok\":true,\"Status\":\"\",\"id\":4}");
        assertThat(only(ConnectionAction.Answer.class, late)).isEmpty();
        assertThat(reported(only(ConnectionAction.Send.class, late).getFirst())).contains("InvalidMessage");
        assertThat(drive.link.state().connected()).isTrue();
    }

    @Test
    void repliesToWaitingRequestsWhenTheSessionIsLost() {
        drive.live();
        drive.request(CallKind.DOWNSCALE, 71);
        var actions = drive.on(new ConnectionEvent.Disconnected(1, "the monitor ended the connection"));
        assertThat(actions)
                .contains(new ConnectionAction.Answer(
                        71, new ResizeReply.Failed("the session ended: the monitor ended the connection")));
    }

    @Test
    void checksHealthEveryIntervalWithEvenIds() {
        drive.live();
        var ids = new ArrayList<String>();
        for (long id = 4; id <= 8; id += 2) {
            var sent = only(ConnectionAction.Send.class, drive.after(CONFIG.healthInterval()));
            ids.add(sent.getFirst().text());
            drive.receive(healthy(id));
        }
        assertThat(ids).allMatch(text -> text.contains("HealthCheck"));
        assertThat(ids.get(0)).contains("\"id\":4");
        assertThat(ids.get(2)).contains("\"id\":8");
    }

    @Test
    void hangsUpOnAMonitorThatIsSilentForTooLong() {
        drive.live();
        Duration silent = Duration.ZERO;
        while (drive.link.state().connected()) {
            drive.on(new ConnectionEvent.Requested());
            drive.after(Duration.ofSeconds(1));
            silent = silent.plusSeconds(1);
            assertThat(silent).isLessThan(Duration.ofMinutes(2));
        }
        // The first check is sent after 5 s and fails after 10 s; the first failure more than 30 s later is at 45 s.
        assertThat(silent).isEqualTo(Duration.ofSeconds(45));
        assertThat(drive.link.state().reason()).contains("health");
    }

    @Test
    void forgivesARunOfFailuresAfterOneSuccess() {
        drive.live();
        for (int i = 0; i < 100; i++) {
            drive.on(new ConnectionEvent.Requested());
            var sent = only(ConnectionAction.Send.class, drive.after(Duration.ofSeconds(5)));
            if (i % 5 == 4 && !sent.isEmpty()) {
                var text = sent.getLast().text();
                drive.receive(healthy(Long.parseLong(text.substring(text.lastIndexOf(':') + 1, text.length() - 1))));
            }
        }
        assertThat(drive.link.state().connected()).isTrue();
    }

    @Test
    void givesUpAnAttemptAtEachDeadline() {
        drive.on(new ConnectionEvent.Requested());
        assertThat(only(ConnectionAction.Close.class, drive.after(CONFIG.connectionTimeout())))
                .hasSize(1);
        assertThat(drive.link.state().reason()).contains("did not open");
        assertThat(drive.on(new ConnectionEvent.Opened(1)))
                .contains(new ConnectionAction.Close(1, new CloseReason(1000, "opened too late")));
    }

    @Test
    void givesUpWithoutAVersionAndWithoutAFirstAnswer() {
        drive.on(new ConnectionEvent.Requested());
        drive.on(new ConnectionEvent.Opened(1));
        drive.after(CONFIG.connectionTimeout());
        assertThat(drive.link.state().reason()).contains("no version");
        drive.after(Duration.ofSeconds(1));
        drive.on(new ConnectionEvent.Opened(2));
        drive.on(new ConnectionEvent.Received(2, VERSION));
        drive.after(CONFIG.responseTimeout());
        assertThat(drive.link.state().reason()).contains("no first answer");
    }

    @Test
    void closesARefusedHandshakeAsAProtocolError() {
        drive.on(new ConnectionEvent.Requested());
        drive.on(new ConnectionEvent.Opened(1));
        var actions = drive.receive("{\"error\":\"no common version\"}");
        assertThat(actions)
                .contains(new ConnectionAction.Close(1, new CloseReason(1002, "refused: no common version")));
    }

    @Test
    void hangsUpOnAFlood() {
        drive.live();
        for (int i = 0;
                i < CONFIG.maxMessagesPerSecond() * 2 && drive.link.state().connected();
                i++) {
            drive.receive("{\"type\":\"UpscaleRequest\",\"id\":3}");
        }
        assertThat(drive.link.state().reason()).contains("more than 100 messages");
    }

    @Test
    void ignoresWhatAnOlderSocketSends() {
        drive.live();
        drive.on(new ConnectionEvent.Disconnected(1, "gone"));
        drive.after(Duration.ofSeconds(1));
        var before = drive.link.state();
        assertThat(drive.on(new ConnectionEvent.Disconnected(1, "gone again"))).isEmpty();
        assertThat(drive.receive(VERSION)).isEmpty();
        assertThat(drive.link.state()).isEqualTo(before);
    }

    @Test
    void redialsSoonAfterASessionThatLivedAndForgetsItsFailures() {
        drive.live();
        drive.now = drive.now.plusSeconds(2);
        assertThat(only(ConnectionAction.RecordEnd.class, drive.on(new ConnectionEvent.Disconnected(1, "gone"))))
                .containsExactly(new ConnectionAction.RecordEnd("gone", 0));
        assertThat(only(ConnectionAction.Dial.class, drive.after(Duration.ofMillis(250))))
                .hasSize(1);
    }

    @Test
    void endsWhenItsLeaseIsNotRenewed() {
        drive.live();
        drive.now = drive.now.plusSeconds(30);
        drive.on(new ConnectionEvent.Requested());
        drive.now = drive.now.plusSeconds(59);
        drive.on(new ConnectionEvent.Woken());
        assertThat(drive.link.over()).isFalse();
        var actions = drive.after(Duration.ofSeconds(1));
        assertThat(drive.link.over()).isTrue();
        assertThat(drive.link.wakeAt()).isEmpty();
        assertThat(only(ConnectionAction.Close.class, actions))
                .singleElement()
                .satisfies(close -> assertThat(close.reason().code()).isEqualTo(1000));
        assertThat(only(ConnectionAction.Announce.class, actions)).hasSize(1);
    }

    @Test
    void announcesItsStateEveryFiveSecondsWhileNothingChanges() {
        drive.live();
        int announced = 0;
        for (int i = 0; i < 20; i++) {
            announced += only(ConnectionAction.Announce.class, drive.after(Duration.ofSeconds(1)))
                    .size();
            drive.on(new ConnectionEvent.Requested());
        }
        assertThat(announced).isBetween(3, 4);
    }

    @Test
    void beginsAboveEveryGenerationBefore() {
        var later = new MonitorConnection(VM, CONFIG, new Random(1), Long.MAX_VALUE / 2, START);
        assertThat(later.state().generation()).isGreaterThan(Long.MAX_VALUE / 2);
        var restarted = new MonitorConnection(VM, CONFIG, new Random(1), 0, START.plusSeconds(1));
        assertThat(restarted.state().generation())
                .isGreaterThan(drive.link.state().generation());
    }

    /**
     * Over any history generations grow, every request is replied to at most once, and at most one resize is under way.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 20261121})
    void keepsItsPromisesUnderAnyHistory(long seed) {
        var random = new Random(seed);
        var open = new ArrayList<Long>();
        var answered = new ArrayList<Long>();
        long socket = 0;
        long request = 0;
        for (int step = 0; step < 20_000; step++) {
            long generation = drive.link.state().generation();
            drive.now = drive.now.plusMillis(random.nextInt(2000));
            var event = anyEvent(random, socket, request + 1);
            if (event instanceof ConnectionEvent.ResizeRequested) {
                request++;
                open.add(request);
            }
            for (var action : drive.on(event)) {
                if (action instanceof ConnectionAction.Dial(var dialled)) {
                    assertThat(dialled).isEqualTo(++socket);
                }
                if (action instanceof ConnectionAction.Answer(var answer, var reply)) {
                    answered.add(answer);
                    assertThat(open.remove(answer))
                            .as("seed %d step %d", seed, step)
                            .isTrue();
                }
            }
            assertThat(open).as("seed %d step %d", seed, step).hasSizeLessThanOrEqualTo(1);
            assertThat(drive.link.state().generation()).isGreaterThanOrEqualTo(generation);
            assertThat(drive.link.wakeAt().orElseThrow()).isAfter(drive.now);
        }
        assertThat(answered).hasSizeGreaterThan(1000).doesNotHaveDuplicates();
    }

    private ConnectionEvent anyEvent(Random random, long socket, long request) {
        long near = Math.max(1, socket - random.nextInt(8) / 7);
        return switch (random.nextInt(10)) {
            case 0, 1 -> new ConnectionEvent.Requested();
            case 2 -> new ConnectionEvent.Opened(near);
            case 3 -> new ConnectionEvent.Received(near, VERSION);
            case 4 -> new ConnectionEvent.Received(near, healthy(2 + 2 * random.nextInt(3)));
            case 5 ->
                new ConnectionEvent.Received(
                        near,
                        "{\"type\":\"DownscaleResult\",\"Ok\":true,\"Status\":\"\",\"id\":" + 2 * random.nextInt(6)
                                + "}");
            case 6 ->
                random.nextInt(5) == 0 ? new ConnectionEvent.Disconnected(near, "gone") : new ConnectionEvent.Woken();
            case 7, 8 ->
                new ConnectionEvent.ResizeRequested(
                        request,
                        random.nextBoolean() ? CallKind.UPSCALE : CallKind.DOWNSCALE,
                        drive.link.state().generation() - random.nextInt(10) / 9,
                        TWO);
            default -> random.nextInt(20) == 0 ? new ConnectionEvent.Received(near, "{") : new ConnectionEvent.Woken();
        };
    }
}
