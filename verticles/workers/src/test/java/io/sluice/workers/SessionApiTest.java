package io.sluice.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.units.Resources;
import io.sluice.workers.control.v1.SubmitResult;
import io.sluice.workers.control.v1.WatchRequest;
import io.sluice.workers.control.v1.WorkloadSpec;
import io.sluice.workers.v1.Heartbeat;
import io.sluice.workers.v1.InstanceReport;
import io.sluice.workers.v1.InstanceState;
import io.sluice.workers.v1.SchedulerFrame;
import io.sluice.workers.v1.WorkerFrame;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The listeners, with workers and controllers that do not keep to the protocol, and a store that fails. */
@ExtendWith(VertxExtension.class)
class SessionApiTest {
    private static final Duration WITHIN = Duration.ofSeconds(20);
    private static final String LOOPBACK = "127.0.0.1";

    /** A connection without a frame ends after four of it. */
    static final Duration LEASE = Duration.ofSeconds(15);

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final UnreliableStore store = new UnreliableStore();
    private WorkersVerticle verticle;
    private GrpcClient client;
    private ControlClient control;

    private WorkerClient peer() {
        return new WorkerClient(client, verticle.port());
    }

    @BeforeEach
    void start(Vertx vertx) {
        verticle = deployed(vertx, LEASE);
        client = GrpcClient.client(vertx, ControlClient.connection(WorkersTls.NONE));
        control = new ControlClient(vertx, LOOPBACK, verticle.controlPort(), WorkersTls.NONE);
    }

    private WorkersVerticle deployed(Vertx vertx, Duration lease) {
        var shell = new Shell(InstantSource.system(), meters, new Readiness(), new Random(1));
        var workers = new WorkersVerticle(config(lease), shell, () -> store);
        vertx.deployVerticle(workers).await();
        return workers;
    }

    static WorkersConfig config(Duration lease) {
        var defaults = WorkersConfig.DEFAULTS;
        return new WorkersConfig(
                defaults.host(),
                0,
                0,
                defaults.tls(),
                defaults.store(),
                Duration.ofMillis(500),
                lease,
                defaults.lostAfter(),
                defaults.selfFence(),
                defaults.stopGrace(),
                defaults.ackTimeout(),
                defaults.startTimeout(),
                defaults.recoveryWindow(),
                defaults.reserve(),
                2,
                10,
                defaults.controlHost(),
                defaults.enrolment(),
                defaults.rik(),
                defaults.kubernetes());
    }

    private Future<SubmitResult> submit(String id, String definition) {
        return control.call(
                GrpcMethods.SUBMIT,
                WorkloadSpec.newBuilder()
                        .setInstanceId(id)
                        .setDefinition(definition)
                        .addAllRequests(WireForm.resources(new Resources(1_000, 1L << 30)))
                        .build());
    }

    private double counted(String name) {
        return meters.find(name).counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    @Test
    void aFrameBeforeHelloEndsTheStreamWhateverItsEpoch() {
        var peer = peer().send(WorkerFrame.newBuilder()
                .setSessionEpoch(9)
                .setHeartbeat(Heartbeat.newBuilder().setAtMs(1)));
        assertThat(peer.end()).isEqualTo(GrpcStatus.FAILED_PRECONDITION);
    }

    /** What a page in a browser can send to a listener on loopback. */
    @Test
    void noListenerSpeaksTheWebsFormOfGrpc(Vertx vertx) {
        for (int port : List.of(verticle.port(), verticle.controlPort())) {
            for (var type : List.of("application/grpc-web+proto", "application/grpc-web-text", "application/json")) {
                var response = vertx.createHttpClient()
                        .request(HttpMethod.POST, port, WorkerClient.LOOPBACK, "/sluice.control.v1.Control/Workers")
                        .compose(request ->
                                request.putHeader("Content-Type", type).send(Buffer.buffer(new byte[5])))
                        .await();
                assertThat(response.statusCode()).as(type).isEqualTo(415);
            }
        }
    }

    @Test
    @DisplayName("AT-W16 empty frames are counted, and ten in a row end the session")
    void emptyFrames() {
        var peer = peer().hello("w1");
        peer.awaits(SchedulerFrame.FCase.WELCOME);
        for (int i = 0; i < 10; i++) {
            peer.send(WorkerFrame.newBuilder());
        }
        assertThat(peer.end()).isEqualTo(GrpcStatus.INVALID_ARGUMENT);
        assertThat(counted("sluice.workers.frames.ignored")).isEqualTo(9);
        peer().hello("w1").awaits(SchedulerFrame.FCase.WELCOME);
    }

    @Test
    @DisplayName(
            "AT-W16 ten reports of instances that are not its own end the session; a state of no meaning is counted")
    void foreignReports() {
        var peer = peer().hello("w1");
        peer.awaits(SchedulerFrame.FCase.WELCOME);
        peer.send(WorkerFrame.newBuilder().setReport(InstanceReport.newBuilder().setStateValue(99)));
        for (int i = 0; i < 10; i++) {
            peer.send(WorkerFrame.newBuilder()
                    .setReport(InstanceReport.newBuilder()
                            .setInstanceId("other" + i)
                            .setState(InstanceState.RUNNING)));
        }
        assertThat(peer.end()).isEqualTo(GrpcStatus.PERMISSION_DENIED);
        assertThat(counted("sluice.workers.reports.foreign")).isEqualTo(10);
        assertThat(counted("sluice.workers.frames.ignored")).isEqualTo(1);
    }

    @Test
    @DisplayName("AT-W16 a definition that is no JSON, and a restart policy of no meaning, are refused and not kept")
    void garbageOfControllers() {
        assertThatThrownBy(() -> submit("a", "{").await()).hasMessageContaining("INVALID_ARGUMENT");
        assertThatThrownBy(() -> submit("A!", "{\"kind\":\"Process\"}").await())
                .hasMessageContaining("INVALID_ARGUMENT");
        assertThatThrownBy(() -> control.call(
                                GrpcMethods.SUBMIT,
                                WorkloadSpec.newBuilder()
                                        .setInstanceId("a")
                                        .setDefinition("{\"kind\":\"Process\"}")
                                        .addAllRequests(WireForm.resources(new Resources(1, 1)))
                                        .setRestartValue(7)
                                        .build())
                        .await())
                .hasMessageContaining("INVALID_ARGUMENT");
        assertThat(store.rows).isEmpty();
    }

    @Test
    @DisplayName("AT-W12 the same submission twice is accepted, another content of its id is ALREADY_EXISTS")
    void submitsOnce() {
        submit("a", "{\"kind\":\"Process\"}").await();
        assertThat(submit("a", "{\"kind\":\"Process\"}").await().getGeneration())
                .isEqualTo(1);
        assertThatThrownBy(
                        () -> submit("a", "{\"kind\":\"Process\",\"args\":[]}").await())
                .hasMessageContaining("ALREADY_EXISTS");
    }

    @Test
    @DisplayName("AT-W15 the first of two sessions of one worker ends as ABORTED")
    void superseded() {
        var first = peer().hello("w1");
        first.awaits(SchedulerFrame.FCase.WELCOME);
        var second = peer().hello("w1");
        second.awaits(SchedulerFrame.FCase.WELCOME);
        assertThat(first.end()).isEqualTo(GrpcStatus.ABORTED);
        assertThat(second.frames.peek().getWelcome().getSessionEpoch()).isEqualTo(2);
    }

    @Test
    void aStreamWithoutHelloEnds(Vertx vertx) {
        verticle = deployed(vertx, Duration.ofSeconds(3));
        assertThat(peer().send(WorkerFrame.newBuilder()).end()).isEqualTo(GrpcStatus.DEADLINE_EXCEEDED);
    }

    @Test
    void refusesMoreWorkersThanItMayHave() {
        peer().hello("w1").awaits(SchedulerFrame.FCase.WELCOME);
        peer().hello("w2").awaits(SchedulerFrame.FCase.WELCOME);
        assertThat(peer().hello("w3").end()).isEqualTo(GrpcStatus.RESOURCE_EXHAUSTED);
    }

    @Test
    @DisplayName("AT-W23 without its store it refuses submissions and acknowledges heartbeats; then it goes on")
    void storeDown() {
        var peer = peer().hello("w1");
        peer.awaits(SchedulerFrame.FCase.WELCOME);
        store.fails = true;
        var inDoubt = submit("a", "{\"kind\":\"Process\"}");
        await().atMost(WITHIN)
                .until(() -> submit("b", "{\"kind\":\"Process\"}")
                        .transform(reply -> Future.succeededFuture(
                                reply.failed() && reply.cause().getMessage().startsWith("UNAVAILABLE")))
                        .await());
        peer.send(WorkerFrame.newBuilder().setHeartbeat(Heartbeat.newBuilder().setAtMs(1)));
        peer.awaits(SchedulerFrame.FCase.HEARTBEAT_ACK);
        assertThat(inDoubt.isComplete()).isFalse();

        store.fails = false;
        assertThat(inDoubt.await().getAccepted()).isTrue();
        assertThat(store.rows).containsKey("instance/a").doesNotContainKey("instance/b");
        submit("b", "{\"kind\":\"Process\"}").await();
    }

    @Test
    @DisplayName("AT-W17 a controller goes on from its number with all events after it, in order")
    void resumes() {
        var received = new ConcurrentLinkedQueue<Long>();
        watch(0, received);
        for (var id : List.of("a", "b", "c")) {
            submit(id, "{\"kind\":\"Process\"}").await();
        }
        await().atMost(WITHIN).until(() -> received.size() >= 4);
        var all = new ArrayList<>(received);
        assertThat(all).isSorted();

        var resumed = new ConcurrentLinkedQueue<Long>();
        watch(all.get(1), resumed);
        await().atMost(WITHIN).until(() -> resumed.size() >= 2);
        assertThat(all).containsSubsequence(all.get(2), all.get(3));
        assertThat(new ArrayList<>(resumed).subList(0, 2)).containsExactly(all.get(2), all.get(3));
    }

    /** An event that comes before there is a handler is dropped. */
    private void watch(long from, Collection<Long> into) {
        client.request(SocketAddress.inetSocketAddress(verticle.controlPort(), LOOPBACK), GrpcMethods.WATCH.called())
                .compose(request -> {
                    var open =
                            request.response().onSuccess(events -> events.handler(event -> into.add(event.getSeq())));
                    return request.end(
                                    WatchRequest.newBuilder().setFromSeq(from).build())
                            .compose(sent -> open);
                })
                .await();
    }
}
