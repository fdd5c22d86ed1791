package io.sluice.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.MonitorAddresses;
import io.sluice.messages.monitor.AttachMonitor;
import io.sluice.messages.monitor.DetachMonitor;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeGuest;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.monitor.UpscaleRequest;
import io.sluice.monitor.core.MonitorConfig;
import io.sluice.shell.FakePeers;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.units.VmId;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two dispatchers on one bus: a request to one of them reaches that one. */
@ExtendWith(VertxExtension.class)
class MonitorShareTest {
    private static final VmId VM = MonitorClient.vm("one");
    private static final long ATTACH_EVERY_MS = 500;

    private final BlockingQueue<MonitorState> states = new LinkedBlockingQueue<>();
    private final BlockingQueue<UpscaleRequest> upscaleRequests = new LinkedBlockingQueue<>();
    private Vertx vertx;
    private Bus bus;
    private ScriptedMonitor monitor;
    private String first;

    @BeforeEach
    void start(Vertx injected) {
        vertx = injected;
        bus = new Bus(vertx);
        monitor = new ScriptedMonitor(vertx);
        bus.subscribe(MonitorAddresses.STATE, states::add).await();
        bus.subscribe(MonitorAddresses.MEMORY_WANTED, upscaleRequests::add).await();
        first = deploy("d1");
        deploy("d2");
    }

    private String deploy(String id) {
        var shell = new Shell(new MonotonicClock(), new SimpleMeterRegistry(), new Readiness(), new Random(1));
        var peers = new FakePeers(id, "monitor");
        return vertx.deployVerticle(new MonitorVerticle(MonitorConfig.DEFAULTS, shell.among(peers)))
                .await();
    }

    @Test
    void sendsRequestsWhereTheMonitorsSessionIsAndNowhereElse() throws Exception {
        var session = connected("d1");

        assertThat(upscale("d1", session.generation())).isEqualTo(new ResizeReply.Accepted(""));
        assertThat(upscale("d2", session.generation()))
                .isEqualTo(new ResizeReply.Failed("no session with its monitor was requested"));
        var elsewhere = MonitorClient.reply(bus, MonitorAddresses.DETACH.at("d2"), new DetachMonitor(VM));
        assertThat(elsewhere.at()).isEqualTo("d2");
        assertThat(upscale("d1", session.generation())).isEqualTo(new ResizeReply.Accepted(""));

        monitor.line().report("{\"type\":\"UpscaleRequest\",\"id\":3}");
        assertThat(upscaleRequests.take()).isEqualTo(new UpscaleRequest(VM, session.generation(), "d1"));
    }

    @Test
    void aNewSessionIsHadFromAnotherWhenTheFirstIsGone() throws Exception {
        connected("d1");
        vertx.undeploy(first).await();

        var session = connected("d2");
        assertThat(upscale("d2", session.generation())).isEqualTo(new ResizeReply.Accepted(""));
    }

    /** As real monitors do, this one serves the newest connection; one runner continues to send requests. */
    @Test
    void aProcessThatLostTheMonitorToAnotherLetsGoOfIt() throws Exception {
        connected("d1");
        var served = new AtomicReference<>(monitor.line());
        monitor.play((line, text) -> {
            if (text.contains("\"min\"")) {
                served.getAndSet(line).cut();
            }
            ScriptedMonitor.politely(line, text);
        });
        vertx.setPeriodic(
                ATTACH_EVERY_MS,
                timer -> bus.request(MonitorAddresses.ATTACH.at("d2"), new AttachMonitor(VM, monitor.endpoint())));

        var left = state("d1", state -> !state.connected() && state.reason().contains("another process"));
        assertThat(left.vm()).isEqualTo(VM);
        var session = state("d2", MonitorState::connected);
        assertThat(upscale("d2", session.generation())).isEqualTo(new ResizeReply.Accepted(""));
    }

    private MonitorState connected(String at) throws InterruptedException {
        MonitorClient.reply(bus, MonitorAddresses.ATTACH.at(at), new AttachMonitor(VM, monitor.endpoint()));
        return state(at, MonitorState::connected);
    }

    private MonitorState state(String at, Predicate<MonitorState> condition) throws InterruptedException {
        while (true) {
            var state = states.take();
            if (state.at().equals(at) && condition.test(state)) {
                return state;
            }
        }
    }

    private ResizeReply upscale(String at, long generation) {
        return MonitorClient.reply(
                bus, MonitorAddresses.UPSCALE.at(at), new ResizeGuest(VM, generation, MonitorClient.TWO));
    }
}
