package io.sluice.launcher;

import static org.awaitility.Awaitility.await;

import io.sluice.units.Resources;
import io.sluice.workers.GrpcMethods;
import io.sluice.workers.WireForm;
import io.sluice.workers.v1.Capacity;
import io.sluice.workers.v1.Heartbeat;
import io.sluice.workers.v1.Hello;
import io.sluice.workers.v1.InstanceReport;
import io.sluice.workers.v1.InstanceState;
import io.sluice.workers.v1.InstanceUsage;
import io.sluice.workers.v1.NodeUsage;
import io.sluice.workers.v1.OrderAck;
import io.sluice.workers.v1.SchedulerFrame;
import io.sluice.workers.v1.WorkerFrame;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.client.GrpcClientRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A worker of 4 CPUs and 8 GiB that takes every order and starts nothing: it reports what it is to start as running,
 * and what it is to stop as ended.
 */
final class TestWorker {
    private static final Duration WITHIN = Duration.ofSeconds(30);
    private static final long GIB = 1L << 30;

    private final GrpcClientRequest<WorkerFrame, SchedulerFrame> request;
    private final Map<String, Long> instances = new ConcurrentHashMap<>();
    private final Queue<SchedulerFrame> frames = new ConcurrentLinkedQueue<>();

    TestWorker(GrpcClient client, int port, String id, String runtime) {
        request = client.request(SocketAddress.inetSocketAddress(port, "127.0.0.1"), GrpcMethods.SESSION.called())
                .await();
        request.response().onSuccess(response -> response.handler(this::received));
        send(WorkerFrame.newBuilder()
                .setHello(Hello.newBuilder()
                        .setWorkerId(id)
                        .setBootEpoch(1)
                        .putLabels("host", id)
                        .addRuntimes(runtime)
                        .setSupportsResize(true)
                        .setCapacity(
                                Capacity.newBuilder().addAllTotal(WireForm.resources(new Resources(4_000, 8 * GIB))))));
        await().atMost(WITHIN).until(() -> frames.stream().anyMatch(SchedulerFrame::hasWelcome));
    }

    private void received(SchedulerFrame frame) {
        frames.add(frame);
        if (frame.getSeq() > 0) {
            send(WorkerFrame.newBuilder()
                    .setAck(OrderAck.newBuilder().setSeq(frame.getSeq()).setAccepted(true)));
        }
        if (frame.hasAssign()) {
            var assign = frame.getAssign();
            instances.put(assign.getInstanceId(), assign.getGeneration());
            report(assign.getInstanceId(), assign.getGeneration(), InstanceState.RUNNING);
        }
        if (frame.hasResize()) {
            instances.put(frame.getResize().getInstanceId(), frame.getResize().getGeneration());
        }
        if (frame.hasStop()) {
            instances.remove(frame.getStop().getInstanceId());
            report(frame.getStop().getInstanceId(), frame.getStop().getGeneration(), InstanceState.TERMINATED);
        }
    }

    private void report(String instance, long generation, InstanceState state) {
        send(WorkerFrame.newBuilder()
                .setReport(InstanceReport.newBuilder()
                        .setInstanceId(instance)
                        .setGeneration(generation)
                        .setState(state)));
    }

    void send(WorkerFrame.Builder frame) {
        request.write(frame.build());
    }

    /** All that it was sent. */
    Queue<SchedulerFrame> frames() {
        return frames;
    }

    /** What it has, with the generation of each. */
    Map<String, Long> instances() {
        return instances;
    }

    /** The same, each as id, colon and generation. */
    List<String> set() {
        return instances.entrySet().stream()
                .map(entry -> entry.getKey() + ":" + entry.getValue())
                .toList();
    }

    void heartbeat(double cpuPercent, long memory, long hash) {
        var beat = Heartbeat.newBuilder()
                .setAtMs(1)
                .setInstanceSetHash(hash)
                .setUsage(NodeUsage.newBuilder()
                        .setCpuPercent(cpuPercent)
                        .setMemoryTotal(8 * GIB)
                        .setMemoryUsed(memory));
        instances
                .keySet()
                .forEach(id -> beat.addInstances(InstanceUsage.newBuilder()
                        .setInstanceId(id)
                        .setCpuMillis((long) (cpuPercent * 10))
                        .setMemoryUsed(memory / 8)));
        send(WorkerFrame.newBuilder().setHeartbeat(beat));
    }
}
