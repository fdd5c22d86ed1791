package io.sluice.monitor;

import static io.sluice.monitor.MonitorClient.vm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.monitor.HostileMonitor.Script;
import io.sluice.monitor.core.MonitorConfig;
import io.sluice.units.VmId;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;

/**
 * A dispatcher with two sessions: one with a monitor that misbehaves, and one with a monitor that does not. The second
 * session must continue throughout.
 */
final class HostileRig {
    static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final VmId GOOD = vm("good");
    static final VmId BAD = vm("bad");
    static final int BYTES_MAX = 64 << 10;
    private static final MonitorConfig QUICK = new MonitorConfig(
            Duration.ofMillis(1500),
            Duration.ofMillis(1500),
            Duration.ofMillis(200),
            Duration.ofSeconds(10),
            Duration.ofMinutes(5),
            Duration.ofMillis(50),
            Duration.ofMillis(200),
            Duration.ofMillis(400),
            BYTES_MAX,
            100,
            10);

    final MonitorClient client;
    private final ScriptedMonitor wellBehaved;
    private final MonitorState good;
    private final int connectionsOfTheGood;
    HostileMonitor hostile;

    HostileRig(Vertx vertx) throws InterruptedException {
        client = new MonitorClient(vertx, QUICK);
        wellBehaved = new ScriptedMonitor(vertx);
        client.attach(GOOD, wellBehaved.endpoint());
        good = client.state(GOOD, MonitorState::connected);
        connectionsOfTheGood = wellBehaved.connections();
    }

    /** Checks that the second session was not affected and that nothing of either remains. */
    void close() throws IOException {
        assertThat(client.upscaleInTime(GOOD, good.generation())).isEqualTo(new ResizeReply.Accepted(""));
        assertThat(wellBehaved.connections()).isEqualTo(connectionsOfTheGood);
        client.detach(BAD);
        client.detach(GOOD);
        for (var gauge : new String[] {"attached", "connected", "sockets", "waiting", "timers"}) {
            await(gauge).atMost(TIMEOUT).until(() -> client.gauge(gauge) == 0);
        }
        await("its own view").atMost(TIMEOUT).until(() -> hostile.open() == 0);
        hostile.close();
    }

    void misbehave(Script script) throws IOException {
        hostile = new HostileMonitor(script);
        client.attach(BAD, hostile.endpoint());
    }

    MonitorState connected() throws InterruptedException {
        return client.state(BAD, MonitorState::connected);
    }

    /**
     * Awaits that the session is dropped for this reason, or for any if it is empty, and dialled again after a while.
     * On a busy machine a timeout may end an attempt before.
     */
    void isDroppedFor(String reason) throws InterruptedException {
        client.state(
                BAD,
                state -> !state.connected()
                        && !state.reason().equals("not connected yet")
                        && state.reason().contains(reason));
        int before = hostile.connections();
        await("another attempt").atMost(TIMEOUT).until(() -> hostile.connections() > before);
    }
}
