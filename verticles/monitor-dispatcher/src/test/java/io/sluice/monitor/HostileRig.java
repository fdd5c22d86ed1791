package io.sluice.monitor;

import static io.sluice.monitor.MonitorClient.vm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.monitor.HostileMonitor.Script;
import io.sluice.units.VmId;
import java.io.IOException;
import java.time.Duration;

/**
 * A dispatcher with two sessions: one with a monitor that misbehaves, one with a well-behaved monitor, whose session
 * must go on answering throughout.
 */
final class HostileRig {
    static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final VmId GOOD = vm("good");
    static final VmId BAD = vm("bad");
    static final int BYTES_MAX = 64 << 10;
    private static final MonitorConfig QUICK = new MonitorConfig(
            Duration.ofMillis(1500),
            Duration.ofMillis(1500),
            Duration.ofMillis(200),
            Duration.ofMillis(600),
            Duration.ofMinutes(5),
            Duration.ofMillis(50),
            Duration.ofMillis(200),
            Duration.ofMillis(400),
            BYTES_MAX,
            100,
            10);

    final MonitorClient asker = new MonitorClient(QUICK);
    private final ScriptedMonitor wellBehaved = new ScriptedMonitor(asker.vertx);
    private final MonitorState good;
    private final int connectionsOfTheGood;
    HostileMonitor hostile;

    HostileRig() throws InterruptedException {
        asker.attach(GOOD, wellBehaved.endpoint());
        good = asker.state(GOOD, MonitorState::connected);
        connectionsOfTheGood = wellBehaved.connections();
    }

    /** The other never felt it, and nothing of either is left. */
    void close() throws IOException {
        assertThat(asker.upscale(GOOD, good.generation()).await()).isEqualTo(new ResizeReply.Accepted(""));
        assertThat(wellBehaved.connections()).isEqualTo(connectionsOfTheGood);
        asker.detach(BAD);
        asker.detach(GOOD);
        for (var gauge : new String[] {"attached", "connected", "sockets", "waiting", "timers"}) {
            await(gauge).atMost(PATIENCE).until(() -> asker.gauge(gauge) == 0);
        }
        await("its own view").atMost(PATIENCE).until(() -> hostile.open() == 0);
        hostile.close();
        asker.close();
    }

    void misbehave(Script script) throws IOException {
        hostile = new HostileMonitor(script);
        asker.attach(BAD, hostile.endpoint());
    }

    MonitorState connected() throws InterruptedException {
        return asker.state(BAD, MonitorState::connected);
    }

    /** It is dropped for this reason, and tried again after a while. */
    void isDroppedFor(String reason) throws InterruptedException {
        var lost =
                asker.state(BAD, state -> !state.connected() && !state.reason().equals("not connected yet"));
        assertThat(lost.reason()).contains(reason);
        int before = hostile.connections();
        await("another attempt").atMost(PATIENCE).until(() -> hostile.connections() > before);
    }
}
