package io.sluice.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.units.Resources;
import io.sluice.workers.control.v1.Instance;
import io.sluice.workers.control.v1.ListRequest;
import io.sluice.workers.control.v1.WorkloadSpec;
import io.sluice.workers.v1.CertRequest;
import io.sluice.workers.v1.Goodbye;
import io.sluice.workers.v1.Heartbeat;
import io.sluice.workers.v1.Hello;
import io.sluice.workers.v1.InstanceReport;
import io.sluice.workers.v1.Inventory;
import io.sluice.workers.v1.NodeUsage;
import io.sluice.workers.v1.OrderAck;
import io.sluice.workers.v1.ResizeAsk;
import io.sluice.workers.v1.SchedulerFrame;
import io.sluice.workers.v1.WorkerFrame;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.ServiceName;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Goal: a worker that keeps to no protocol harms nobody else. Method: after each attack an honest worker is served. */
class HostileWorkersTest {
    private static final int FRAMES = 100_000;
    private static final int STREAMS = 300;

    /** What is read of one session in a second: 5,000, and what has arrived by the time it is read on. */
    private static final int FRAMES_PER_SECOND = 10_000;

    /** Streams without a Hello end after it, and idle connections after four of it. */
    private static final Duration LEASE = Duration.ofSeconds(3);

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Random random = new Random(20_261_126);
    private final Vertx vertx = Vertx.vertx();
    private WorkersVerticle verticle;
    private GrpcClient client;
    private GrpcClient other;
    private ControlClient control;
    private WorkerClient honest;

    @BeforeEach
    void start() {
        verticle = new WorkersVerticle(
                SessionApiTest.config(LEASE),
                new Shell(InstantSource.system(), meters, new Readiness(), random),
                UnreliableStore::new);
        vertx.deployVerticle(verticle).await();
        client = GrpcClient.client(vertx, ControlClient.connection(WorkersTls.NONE));
        other = GrpcClient.client(vertx, ControlClient.connection(WorkersTls.NONE));
        control = new ControlClient(vertx, WorkerClient.LOOPBACK, verticle.controlPort(), WorkersTls.NONE);
        honest = new WorkerClient(client, verticle.port()).welcome("w1");
        vertx.setPeriodic(
                200,
                timer -> honest.send(WorkerFrame.newBuilder()
                        .setHeartbeat(Heartbeat.newBuilder().setAtMs(1))));
    }

    private void theHonestOneIsServed() {
        honest.frames.clear();
        honest.awaits(SchedulerFrame.FCase.HEARTBEAT_ACK);
        await().atMost(WorkerClient.WITHIN)
                .untilAsserted(() -> assertThat(control.call(GrpcMethods.WORKERS, ListRequest.getDefaultInstance())
                                .await()
                                .getWorkersList())
                        .allMatch(worker -> worker.getWorkerId().matches("[-a-z0-9.]+"))
                        .anyMatch(worker -> worker.getWorkerId().equals("w1")
                                && worker.getState().equals("READY")
                                && worker.getSessionEpoch() == 1));
    }

    /** Nothing waits for streams that an attack has left open. */
    @AfterEach
    void close() {
        vertx.close();
    }

    private WorkerClient hostile() {
        return new WorkerClient(other, verticle.port());
    }

    private double counted(String name) {
        return meters.find(name).counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    @Test
    void randomBytesEndTheirStreamAlone() {
        for (int i = 0; i < STREAMS; i++) {
            var bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            other.request(SocketAddress.inetSocketAddress(verticle.port(), WorkerClient.LOOPBACK))
                    .compose(request -> {
                        request.serviceName(ServiceName.create("sluice.worker.v1.WorkerGateway"))
                                .methodName(random.nextBoolean() ? "Session" : "Enroll");
                        return request.end(Buffer.buffer(bytes));
                    })
                    .await();
        }
        theHonestOneIsServed();
    }

    @Test
    void aHundredThousandRandomFrames() {
        List<WorkerClient> peers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            peers.add(hostile().hello("w2"));
        }
        for (int sent = 0; sent < FRAMES; sent++) {
            int slot = random.nextInt(peers.size());
            if (peers.get(slot).isOver()) {
                peers.set(slot, hostile().hello("w2"));
            }
            peers.get(slot).send(frame());
        }
        peers.forEach(peer -> peer.request.cancel());
        await().atMost(WorkerClient.WITHIN)
                .untilAsserted(() -> assertThat(
                                meters.get("sluice.workers.sessions").gauge().value())
                        .isEqualTo(1));
        theHonestOneIsServed();
    }

    /** Of the form of a frame, with contents of no meaning. */
    private WorkerFrame.Builder frame() {
        var frame = WorkerFrame.newBuilder();
        if (random.nextInt(10) == 0) {
            frame.setSessionEpoch(random.nextLong());
        }
        return switch (random.nextInt(100) > 0 ? random.nextInt(5) : 5 + random.nextInt(4)) {
            case 0 ->
                frame.setHeartbeat(Heartbeat.newBuilder()
                        .setAtMs(random.nextLong())
                        .setInstanceSetHash(random.nextLong())
                        .setUsage(NodeUsage.newBuilder()
                                .setCpuPercent(random.nextBoolean() ? Double.NaN : -random.nextDouble() * 1e300)
                                .setMemoryUsed(random.nextLong())
                                .setMemoryTotal(random.nextLong())));
            case 1, 2 ->
                frame.setAck(OrderAck.newBuilder().setSeq(random.nextLong()).setAccepted(random.nextBoolean()));
            case 3 ->
                frame.setResize(ResizeAsk.newBuilder()
                        .setInstanceId(name())
                        .addWant(WireForm.resources(new Resources(1, 1)).getFirst().toBuilder()
                                .setAmount(random.nextLong())));
            case 4 ->
                frame.setInventory(Inventory.newBuilder().addItems(report()).addItems(report()));
            case 5 -> frame.setReport(report());
            case 6 ->
                frame.setCert(CertRequest.newBuilder()
                        .setCsr(ByteString.copyFrom(
                                random.doubles(20).toString().getBytes())));
            case 7 -> frame.setGoodbye(Goodbye.getDefaultInstance());
            default -> frame;
        };
    }

    private InstanceReport.Builder report() {
        return InstanceReport.newBuilder()
                .setInstanceId(name())
                .setGeneration(random.nextLong())
                .setStateValue(random.nextInt(12) - 2)
                .setReason(name())
                .setExitCode(random.nextInt());
    }

    private String name() {
        return Long.toString(random.nextLong(), 36);
    }

    @Test
    void aReportOfAnothersInstanceChangesNothingAndIsCounted() {
        control.call(
                        GrpcMethods.SUBMIT,
                        WorkloadSpec.newBuilder()
                                .setInstanceId("a")
                                .setDefinition("{\"kind\":\"Process\"}")
                                .addAllRequests(WireForm.resources(new Resources(1_000, 1L << 30)))
                                .build())
                .await();
        var peer = hostile().welcome("w2");
        for (int i = 0; i < 10; i++) {
            peer.send(WorkerFrame.newBuilder()
                    .setReport(InstanceReport.newBuilder()
                            .setInstanceId("a")
                            .setGeneration(1)
                            .setStateValue(i % 2 == 0 ? 2 : 4)));
        }
        assertThat(peer.end()).isEqualTo(GrpcStatus.PERMISSION_DENIED);
        assertThat(counted("sluice.workers.reports.foreign")).isEqualTo(10);
        assertThat(control.call(GrpcMethods.INSTANCES, ListRequest.getDefaultInstance())
                        .await()
                        .getInstancesList())
                .singleElement()
                .extracting(Instance::getState, Instance::getGeneration)
                .containsExactly("PENDING", 1L);
        theHonestOneIsServed();
    }

    @Test
    void aHelloOfManyOrLongLabelsIsRefused() {
        for (var labels : List.of(
                IntStream.range(0, 65).boxed().collect(Collectors.toMap(i -> "label" + i, i -> "x")),
                Map.of("label", "x".repeat(257)))) {
            var hello = Hello.newBuilder().setWorkerId("w2").putAllLabels(labels);
            assertThat(hostile().send(WorkerFrame.newBuilder().setHello(hello)).end())
                    .isEqualTo(GrpcStatus.INVALID_ARGUMENT);
        }
        theHonestOneIsServed();
    }

    @Test
    void aFloodOfFramesIsReadNoFasterThanOthersAreServed() {
        long begun = System.nanoTime();
        var peer = hostile().welcome("w2");
        for (int i = 0; i < FRAMES; i++) {
            peer.send(
                    WorkerFrame.newBuilder().setHeartbeat(Heartbeat.newBuilder().setAtMs(i)));
        }
        theHonestOneIsServed();
        long answered =
                peer.frames.stream().filter(SchedulerFrame::hasHeartbeatAck).count();
        long seconds = Duration.ofNanos(System.nanoTime() - begun).toSeconds();
        assertThat(answered).isLessThanOrEqualTo((seconds + 2) * FRAMES_PER_SECOND);
        peer.request.cancel();
    }

    @Test
    void halfOpenStreamsAndConnectionsEnd() {
        var connections = vertx.createNetClient();
        List<Future<?>> closed = new ArrayList<>();
        List<WorkerClient> streams = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            // Vert.x does not call a handler that is set after the end.
            closed.add(connections
                    .connect(verticle.port(), WorkerClient.LOOPBACK)
                    .compose(socket -> Future.<Void>future(promise -> socket.closeHandler(promise::complete))));
            streams.add(hostile().send(WorkerFrame.newBuilder()));
        }
        streams.forEach(stream -> assertThat(stream.end()).isEqualTo(GrpcStatus.DEADLINE_EXCEEDED));
        Future.all(closed).await();
        theHonestOneIsServed();
    }

    @Test
    void aFrameAboveTheLimitEndsItsStream() {
        var peer = hostile().welcome("w2");
        peer.send(WorkerFrame.newBuilder()
                .setReport(InstanceReport.newBuilder().setReasonBytes(ByteString.copyFrom(new byte[2 << 20]))));
        assertThat(peer.end()).isNotEqualTo(GrpcStatus.OK);
        theHonestOneIsServed();
    }
}
