package io.sluice.workers;

import static org.awaitility.Awaitility.await;

import io.sluice.units.Resources;
import io.sluice.workers.v1.Capacity;
import io.sluice.workers.v1.Hello;
import io.sluice.workers.v1.SchedulerFrame;
import io.sluice.workers.v1.WorkerFrame;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.client.GrpcClientRequest;
import io.vertx.grpc.common.GrpcStatus;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/** A worker that sends what a test wants, and remembers what comes. */
final class WorkerClient {
    static final String LOOPBACK = "127.0.0.1";
    static final Duration WITHIN = Duration.ofSeconds(20);

    final ConcurrentLinkedQueue<SchedulerFrame> frames = new ConcurrentLinkedQueue<>();
    final GrpcClientRequest<WorkerFrame, SchedulerFrame> request;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile GrpcStatus status;
    private volatile Throwable lost;

    WorkerClient(GrpcClient client, int port) {
        request = client.request(SocketAddress.inetSocketAddress(port, LOOPBACK), GrpcMethods.SESSION.called())
                .await();
        request.response()
                .onSuccess(response -> {
                    response.handler(frames::add);
                    response.exceptionHandler(this::lost);
                    response.endHandler(end -> {
                        status = response.status();
                        ended.countDown();
                    });
                })
                .onFailure(this::lost);
    }

    private void lost(Throwable cause) {
        lost = cause;
        ended.countDown();
    }

    /** On a stream that the scheduler has just ended nothing is sent. */
    WorkerClient send(WorkerFrame.Builder frame) {
        try {
            request.write(frame.build());
        } catch (IllegalStateException over) {
            lost(over);
        }
        return this;
    }

    WorkerClient hello(String id) {
        return send(WorkerFrame.newBuilder()
                .setHello(Hello.newBuilder()
                        .setWorkerId(id)
                        .setBootEpoch(1)
                        .addRuntimes("Process")
                        .setCapacity(Capacity.newBuilder()
                                .addAllTotal(WireForm.resources(new Resources(4_000, 8L << 30))))));
    }

    /** A registered worker. */
    WorkerClient welcome(String id) {
        hello(id).awaits(SchedulerFrame.FCase.WELCOME);
        return this;
    }

    SchedulerFrame awaits(SchedulerFrame.FCase kind) {
        await().atMost(WITHIN).until(() -> first(kind).isPresent() || isOver());
        return first(kind)
                .orElseThrow(() -> new AssertionError("no " + kind + ", the end is " + status + ": " + frames, lost));
    }

    private Optional<SchedulerFrame> first(SchedulerFrame.FCase kind) {
        return frames.stream().filter(frame -> frame.getFCase() == kind).findFirst();
    }

    boolean isOver() {
        return ended.getCount() == 0;
    }

    GrpcStatus end() {
        await().atMost(WITHIN).until(this::isOver);
        request.cancel();
        return status;
    }
}
