package io.sluice.bench.workers;

import com.google.protobuf.InvalidProtocolBufferException;
import io.sluice.units.Resources;
import io.sluice.workers.WireForm;
import io.sluice.workers.v1.Capacity;
import io.sluice.workers.v1.Heartbeat;
import io.sluice.workers.v1.Hello;
import io.sluice.workers.v1.InstanceReport;
import io.sluice.workers.v1.InstanceState;
import io.sluice.workers.v1.OrderAck;
import io.sluice.workers.v1.SchedulerFrame;
import io.sluice.workers.v1.WorkerFrame;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientConnection;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A connection, and the sessions of its workers, which take every order and start nothing. */
final class WorkerSite {
    private static final int PREFIX_BYTES = 5;
    private static final long MEMORY = 8L << 30;

    private final HttpClientConnection connection;
    private final WorkerFleetLoad load;

    WorkerSite(HttpClientConnection connection, WorkerFleetLoad load) {
        this.connection = connection;
        this.load = load;
    }

    /** The state of one worker that outlives its session. */
    static final class SiteWorker {
        private final int number;
        private final Map<String, Long> instances = new ConcurrentHashMap<>();
        private final Set<String> exclusive = ConcurrentHashMap.newKeySet();
        private volatile long fenceAtMs = Long.MAX_VALUE;
        private long lastSeq;
        private volatile long epoch;
        private volatile HttpClientRequest request;
        private volatile int everyMs = 5_000;
        private volatile long nextBeatMs;

        SiteWorker(int number) {
            this.number = number;
        }

        boolean isWelcome() {
            return epoch > 0;
        }

        /** Its connection is cut. */
        void cut() {
            epoch = 0;
            request = null;
        }

        /** What its guards end, now that the scheduler has acknowledged nothing for so long. */
        List<String> fenced(long nowMs) {
            if (nowMs < fenceAtMs || exclusive.isEmpty()) {
                return List.of();
            }
            var ended = List.copyOf(exclusive);
            exclusive.clear();
            ended.forEach(instances::remove);
            return ended;
        }

        void beat(long nowMs) {
            var open = request;
            if (open != null && epoch > 0 && nowMs >= nextBeatMs) {
                nextBeatMs = nowMs + everyMs;
                open.write(framed(WorkerFrame.newBuilder()
                        .setSessionEpoch(epoch)
                        .setHeartbeat(Heartbeat.newBuilder().setAtMs(nowMs))));
            }
        }
    }

    void close() {
        connection.close();
    }

    /** Registers a worker over a new stream; one that it has already is superseded. */
    Future<Void> register(SiteWorker worker) {
        var options = new RequestOptions().setMethod(HttpMethod.POST).setURI("/sluice.worker.v1.WorkerGateway/Session");
        return connection.request(options).compose(request -> {
            request.putHeader("content-type", "application/grpc").putHeader("te", "trailers");
            request.setChunked(true);
            var frames = new Frames(worker, request);
            // Or streams that the scheduler has ended count among those of the connection.
            request.response()
                    .onSuccess(response -> response.handler(frames::received).endHandler(ended -> {
                        request.end();
                        // A scheduler that is late may have given up waiting for the Hello.
                        if (worker.request == request && !worker.isWelcome()) {
                            register(worker);
                        }
                    }));
            request.exceptionHandler(ended -> {});
            worker.epoch = 0;
            worker.request = request;
            return request.write(framed(WorkerFrame.newBuilder().setHello(hello(worker))));
        });
    }

    private static Hello.Builder hello(SiteWorker worker) {
        var hello = Hello.newBuilder()
                .setWorkerId(WorkerCertificates.name(worker.number))
                .setBootEpoch(1)
                .addRuntimes("Process")
                .setSupportsResize(true)
                .setLastOrderSeq(worker.lastSeq)
                .setCapacity(Capacity.newBuilder().addAllTotal(WireForm.resources(new Resources(4_000, MEMORY))));
        worker.instances.forEach((id, generation) -> hello.addInventory(running(id, generation)));
        return hello;
    }

    private static InstanceReport.Builder running(String id, long generation) {
        return InstanceReport.newBuilder()
                .setInstanceId(id)
                .setGeneration(generation)
                .setState(InstanceState.RUNNING);
    }

    private static Buffer framed(WorkerFrame.Builder frame) {
        var bytes = frame.build().toByteArray();
        return Buffer.buffer(PREFIX_BYTES + bytes.length)
                .appendByte((byte) 0)
                .appendInt(bytes.length)
                .appendBytes(bytes);
    }

    /** Reads the frames of one stream. */
    private final class Frames {
        private final SiteWorker worker;
        private final HttpClientRequest request;
        private Buffer rest = Buffer.buffer();
        private long fenceMs;

        Frames(SiteWorker worker, HttpClientRequest request) {
            this.worker = worker;
            this.request = request;
        }

        void received(Buffer bytes) {
            rest.appendBuffer(bytes);
            int from = 0;
            List<SchedulerFrame> frames = new ArrayList<>();
            while (rest.length() - from >= PREFIX_BYTES) {
                int length = rest.getInt(from + 1);
                if (rest.length() - from - PREFIX_BYTES < length) {
                    break;
                }
                frames.add(parsed(rest.getBytes(from + PREFIX_BYTES, from + PREFIX_BYTES + length)));
                from += PREFIX_BYTES + length;
            }
            rest = from == rest.length() ? Buffer.buffer() : rest.getBuffer(from, rest.length());
            frames.forEach(this::received);
        }

        private static SchedulerFrame parsed(byte[] bytes) {
            try {
                return SchedulerFrame.parseFrom(bytes);
            } catch (InvalidProtocolBufferException broken) {
                throw new IllegalStateException(broken);
            }
        }

        private void received(SchedulerFrame frame) {
            switch (frame.getFCase()) {
                case WELCOME -> {
                    if (worker.request == request) {
                        worker.epoch = frame.getWelcome().getSessionEpoch();
                        worker.everyMs = frame.getWelcome().getHeartbeatMs();
                        fenceMs = frame.getWelcome().getSelfFenceMs();
                        worker.fenceAtMs = WorkerFleetLoad.millis() + fenceMs;
                        load.welcomed(worker);
                    }
                }
                case HEARTBEAT_ACK -> {
                    worker.everyMs = Math.max(frame.getHeartbeatAck().getHeartbeatMs(), 1);
                    if (worker.request == request) {
                        worker.fenceAtMs = frame.getHeartbeatAck().getAtMs() + fenceMs;
                    }
                    load.acknowledged();
                }
                case ASSIGN -> {
                    var assign = frame.getAssign();
                    answer(frame.getSeq());
                    if (worker.instances.put(assign.getInstanceId(), assign.getGeneration()) == null) {
                        load.started();
                    }
                    if (assign.getExclusive() && worker.exclusive.add(assign.getInstanceId())) {
                        load.exclusiveStarted(assign.getInstanceId());
                    }
                    send(WorkerFrame.newBuilder().setReport(running(assign.getInstanceId(), assign.getGeneration())));
                }
                case STOP -> {
                    var stop = frame.getStop();
                    answer(frame.getSeq());
                    if (worker.exclusive.remove(stop.getInstanceId())) {
                        load.exclusiveEnded(stop.getInstanceId());
                    }
                    if (worker.instances.remove(stop.getInstanceId()) != null) {
                        send(WorkerFrame.newBuilder()
                                .setReport(running(stop.getInstanceId(), stop.getGeneration())
                                        .setState(InstanceState.TERMINATED)));
                    }
                }
                default -> {
                    // Nothing that a bench's worker has.
                }
            }
        }

        private void answer(long seq) {
            worker.lastSeq = Math.max(worker.lastSeq, seq);
            send(WorkerFrame.newBuilder()
                    .setAck(OrderAck.newBuilder().setSeq(seq).setAccepted(true)));
        }

        private void send(WorkerFrame.Builder frame) {
            request.write(framed(frame.setSessionEpoch(worker.epoch)));
        }
    }
}
