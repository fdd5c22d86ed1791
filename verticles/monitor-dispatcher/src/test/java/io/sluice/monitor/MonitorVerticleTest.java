package io.sluice.monitor;

import static io.sluice.monitor.MonitorClient.TWO;
import static io.sluice.monitor.MonitorClient.vm;
import static io.sluice.monitor.ScriptedMonitor.VERSION;
import static io.sluice.monitor.ScriptedMonitor.id;
import static io.sluice.monitor.ScriptedMonitor.politely;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.MonitorAddresses;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.monitor.AttachMonitor;
import io.sluice.messages.monitor.DetachMonitor;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeGuest;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.monitor.UpscaleRequest;
import io.sluice.monitor.core.MonitorConfig;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.units.VmId;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The dispatcher over a real bus, with scripted monitors over real websockets. Its times are shortened. */
@ExtendWith(VertxExtension.class)
class MonitorVerticleTest {
    private static final MonitorConfig QUICK = quick(Duration.ofSeconds(10));
    private static final VmId VM = vm("one");

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final BlockingQueue<Object> news = new LinkedBlockingQueue<>();
    private final MonotonicClock clock = new MonotonicClock();
    private final Readiness readiness = new Readiness();
    private volatile Duration ahead = Duration.ZERO;
    private Vertx vertx;
    private ScriptedMonitor monitor;
    private Bus bus;
    private String deployed;

    private static MonitorConfig quick(Duration healthGiveUp) {
        return new MonitorConfig(
                Duration.ofSeconds(5),
                Duration.ofMillis(1500),
                Duration.ofMillis(200),
                healthGiveUp,
                Duration.ofMinutes(1),
                Duration.ofMillis(50),
                Duration.ofMillis(200),
                Duration.ofMillis(400),
                64 << 10,
                100,
                10);
    }

    @BeforeEach
    void listen(Vertx injected) {
        vertx = injected;
        monitor = new ScriptedMonitor(vertx);
        bus = new Bus(vertx);
        bus.subscribe(MonitorAddresses.STATE, news::add).await();
        bus.subscribe(MonitorAddresses.MEMORY_WANTED, news::add).await();
        deploy(QUICK);
    }

    private void deploy(MonitorConfig config) {
        var shell = new Shell(() -> clock.instant().plus(ahead), meters, readiness, new Random(1));
        deployed = vertx.deployVerticle(new MonitorVerticle(config, shell)).await();
    }

    private MonitorState attach(VmId vm, Endpoint endpoint) {
        return MonitorClient.reply(bus, MonitorAddresses.ATTACH, new AttachMonitor(vm, endpoint));
    }

    private MonitorState detach() {
        return MonitorClient.reply(bus, MonitorAddresses.DETACH, new DetachMonitor(VM));
    }

    private MonitorState state(VmId vm, Predicate<MonitorState> condition) throws InterruptedException {
        while (true) {
            var next = news.take();
            if (next instanceof MonitorState state && state.vm().equals(vm) && condition.test(state)) {
                return state;
            }
        }
    }

    private MonitorState connected() throws InterruptedException {
        attach(VM, monitor.endpoint());
        return state(VM, MonitorState::connected);
    }

    private ResizeReply upscale(long generation) {
        return MonitorClient.reply(bus, MonitorAddresses.UPSCALE, new ResizeGuest(VM, generation, TWO));
    }

    private ResizeReply downscale(long generation) {
        return MonitorClient.reply(bus, MonitorAddresses.DOWNSCALE, new ResizeGuest(VM, generation, TWO));
    }

    /** A failed health check would show in no rate if its series began with it. */
    @Test
    void countsEachOutcomeOfACallFromItsStart() {
        assertThat(List.of("ok", "denied", "failed", "timed_out", "lost"))
                .allSatisfy(outcome -> assertThat(meters.get("sluice.monitor.calls")
                                .tag("kind", "health_check")
                                .tag("outcome", outcome)
                                .timer()
                                .count())
                        .isZero());
    }

    @Test
    void keepsASessionFromAttachToDetach() throws InterruptedException {
        var state = connected();
        assertThat(monitor.next()).isEqualTo("{\"min\":1,\"max\":1}");
        assertThat(monitor.next()).isEqualTo("{\"content\":{},\"type\":\"HealthCheck\",\"id\":2}");
        assertThat(upscale(state.generation())).isEqualTo(new ResizeReply.Accepted(""));
        assertThat(monitor.next("Upscale")).contains("\"granted\":{\"cpu\":0.5,\"mem\":2147483648}");
        assertThat(downscale(state.generation())).isEqualTo(new ResizeReply.Accepted("fine"));
        var detached = detach();
        assertThat(detached.connected()).isFalse();
        assertThat(detached.generation()).isGreaterThan(state.generation());
        assertThat(monitor.next("closed")).startsWith("closed 1000");
        assertThat(meters.get("sluice.monitor.attached").gauge().value()).isZero();
        assertThat(meters.get("sluice.monitor.connected").gauge().value()).isZero();
    }

    @Test
    void passesOnADeniedDownscale() throws InterruptedException {
        var state = connected();
        monitor.play((line, text) -> line.report(
                "{\"type\":\"DownscaleResult\",\"Ok\":false,\"Status\":\"in use\",\"id\":" + id(text) + "}"));
        assertThat(downscale(state.generation())).isEqualTo(new ResizeReply.Denied("in use"));
    }

    @Test
    void publishesTheUpscaleRequestThatFollowsTheVersionAfterTheConnection() throws InterruptedException {
        monitor.play((line, text) -> {
            if (text.contains("min")) {
                line.report(VERSION);
                line.report("{\"type\":\"UpscaleRequest\",\"id\":3}");
            }
        });
        var state = connected();
        assertThat(news.take()).isEqualTo(new UpscaleRequest(VM, state.generation()));
    }

    @Test
    void dialsAgainAfterADropRightBehindTheVersion() throws InterruptedException {
        monitor.play((line, text) -> {
            if (text.contains("min")) {
                line.reportAndCut(VERSION);
            }
        });
        attach(VM, monitor.endpoint());
        var lost = firstNews();
        assertThat(lost.connected()).isFalse();
        assertThat(lost.reason()).isEqualTo("the monitor ended the connection");
        await().until(() -> monitor.connections() >= 3);
        monitor.play(ScriptedMonitor::politely);
        assertThat(state(VM, MonitorState::connected).generation()).isGreaterThan(lost.generation());
    }

    /** The state after the one with which a session begins, which is published again while the dial takes long. */
    private MonitorState firstNews() throws InterruptedException {
        return state(VM, state -> !state.reason().equals("not connected yet"));
    }

    @Test
    void comesBackAfterABareEndInTheMiddle() throws InterruptedException {
        var first = connected();
        monitor.line().cut();
        var lost = state(VM, state -> !state.connected());
        assertThat(lost.reason()).isEqualTo("the monitor ended the connection");
        assertThat(state(VM, MonitorState::connected).generation())
                .isGreaterThan(lost.generation())
                .isGreaterThan(first.generation());
    }

    @Test
    void givesUpOnALateAnswerButNotOnTheSession() throws InterruptedException {
        var state = connected();
        var requested = new LinkedBlockingQueue<String>();
        monitor.play((line, text) -> {
            if (text.contains("DownscaleRequest")) {
                requested.add(text);
            } else {
                politely(line, text);
            }
        });
        var late = bus.request(MonitorAddresses.DOWNSCALE, new ResizeGuest(VM, state.generation(), TWO));
        assertThat(late.await()).isEqualTo(new ResizeReply.Failed("the monitor did not answer within 1s500ms"));
        var id = id(requested.take());
        monitor.line().report("{\"type\":\"DownscaleResult\",\"Ok\":true,\"Status\":\"\",\"id\":" + id + "}");
        assertThat(monitor.next("InvalidMessage")).endsWith("\"id\":" + id + "}");
        assertThat(upscale(state.generation())).isEqualTo(new ResizeReply.Accepted(""));
    }

    @Test
    void complainsOverAnUnknownIdAndLivesOn() throws InterruptedException {
        var state = connected();
        monitor.line().report("{\"type\":\"UpscaleConfirmation\",\"id\":1234}");
        assertThat(monitor.next("InvalidMessage")).endsWith("\"id\":1234}");
        assertThat(upscale(state.generation())).isEqualTo(new ResizeReply.Accepted(""));
    }

    @Test
    void refusesWhatIsMeantForAnotherSession() throws InterruptedException {
        var state = connected();
        int connections = monitor.connections();
        assertThat(upscale(state.generation() + 1)).isInstanceOf(ResizeReply.Failed.class);
        assertThat(monitor.connections()).isEqualTo(connections);
    }

    @Test
    void hangsUpOnAFlood() throws InterruptedException {
        connected();
        for (int i = 0; i < 1000; i++) {
            monitor.line().report("{\"type\":\"UpscaleRequest\",\"id\":3}");
        }
        assertThat(state(VM, state -> !state.connected()).reason()).contains("bytes in a second");
        assertThat(meters.get("sluice.monitor.upscale.requests").counter().count())
                .isLessThan(5);
    }

    @Test
    void hangsUpOnTooLargeAMessage() throws InterruptedException {
        connected();
        monitor.line().report("x".repeat(70_000));
        assertThat(state(VM, state -> !state.connected()).reason()).isNotEmpty();
        state(VM, MonitorState::connected);
    }

    @Test
    void closesARefusedHandshakeAsAProtocolError() throws InterruptedException {
        monitor.play((line, text) -> line.report("{\"error\":\"no common version\"}"));
        attach(VM, monitor.endpoint());
        assertThat(firstNews().reason()).isEqualTo("refused: no common version");
        assertThat(monitor.next("closed")).isEqualTo("closed 1002 refused: no common version");
    }

    @Test
    void givesUpOnAMonitorThatSendsNothing() throws InterruptedException {
        monitor.play((line, text) -> {});
        attach(VM, monitor.endpoint());
        assertThat(state(VM, state -> state.reason().contains("no version")).connected())
                .isFalse();
    }

    @Test
    void givesUpOnAPortThatAcceptsAndSendsNothing() throws Exception {
        try (var silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            attach(VM, new Endpoint("127.0.0.1", silent.getLocalPort(), "/monitor"));
            assertThat(state(VM, state -> state.reason().length() > 20).reason())
                    .containsAnyOf("did not open", "cannot connect");
        }
    }

    @Test
    void hangsUpOnAMonitorThatFallsSilent() throws InterruptedException {
        vertx.undeploy(deployed).await();
        deploy(quick(Duration.ofMillis(600)));
        connected();
        monitor.play((line, text) -> {});
        assertThat(state(VM, state -> !state.connected()).reason()).contains("no successful health check");
    }

    @Test
    void countsAMonitorWithoutAHealthCheckForTwentySecondsUntilOneSucceeds() throws InterruptedException {
        monitor.play((line, text) -> {});
        attach(VM, monitor.endpoint());
        state(VM, lost -> !lost.connected());
        assertThat(silent()).isZero();
        ahead = Duration.ofSeconds(21);
        await().until(() -> silent() == 1 && !readiness.troubles().isEmpty());
        assertThat(readiness.troubles())
                .singleElement()
                .satisfies(trouble -> assertThat(trouble.sentence()).startsWith("no answer from the monitor of "));

        monitor.play(ScriptedMonitor::politely);
        state(VM, MonitorState::connected);
        await().until(() -> silent() == 0 && readiness.troubles().isEmpty());
    }

    private double silent() {
        return meters.get("sluice.monitor.silent").gauge().value();
    }

    @Test
    void closesASessionThatIsNoLongerRequested() throws InterruptedException {
        connected();
        ahead = QUICK.leaseTimeout().plusSeconds(1);
        assertThat(state(VM, state -> !state.connected()).reason()).contains("was not requested");
        assertThat(monitor.next("closed")).startsWith("closed 1000");
        assertThat(detach().reason()).isEqualTo("no session with it was requested");
        assertThat(meters.get("sluice.monitor.attached").gauge().value()).isZero();
    }

    @Test
    void repeatsItsStateWhileNothingChanges() throws InterruptedException {
        var state = connected();
        assertThat(state(VM, repeated -> true)).isEqualTo(state);
        assertThat(state(VM, repeated -> true)).isEqualTo(state);
    }

    @Test
    void movesToAnotherEndpoint() throws InterruptedException {
        var first = connected();
        var elsewhere = new ScriptedMonitor(vertx);
        attach(VM, elsewhere.endpoint());
        assertThat(monitor.next("closed")).startsWith("closed 1000");
        assertThat(state(VM, MonitorState::connected).generation()).isGreaterThan(first.generation());
        assertThat(elsewhere.connections()).isEqualTo(1);
    }

    @Test
    void reportsWhyItDoesNotAttach() {
        var none = new Endpoint("", 10_301, "/monitor");
        assertThat(attach(VM, none).reason()).contains("no address");
        for (int i = 0; i < QUICK.maxSessions(); i++) {
            attach(vm("vm-" + i), monitor.endpoint());
        }
        assertThat(attach(VM, monitor.endpoint()).reason()).contains("monitor.maxSessions=10");
        assertThat(upscale(1)).isInstanceOf(ResizeReply.Failed.class);
    }

    @Test
    @DisplayName("F16: no VM is affected by another VM's monitor")
    void letsNoVmFeelWhatAnotherVmsMonitorDoes() throws InterruptedException {
        var bad = new ScriptedMonitor(vertx);
        bad.play((line, text) -> line.report(text.contains("min") ? VERSION : "{\"type\":7}"));
        var state = connected();
        int connections = monitor.connections();
        attach(vm("bad"), bad.endpoint());
        for (int i = 0; i < 5; i++) {
            state(vm("bad"), lost -> !lost.connected());
            attach(VM, monitor.endpoint());
            assertThat(upscale(state.generation())).isEqualTo(new ResizeReply.Accepted(""));
        }
        assertThat(monitor.connections()).isEqualTo(connections);
    }
}
