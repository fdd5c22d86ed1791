package io.sluice.workers;

import io.sluice.workers.control.v1.StatusEvent;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.server.GrpcServerResponse;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/**
 * The last changes of states, numbered, and the controllers that watch them. Nothing waits for a controller: one that
 * does not read is disconnected, and goes on from the last number that it has.
 */
final class StatusLog {
    private final int most;
    private final Deque<StatusEvent> events = new ArrayDeque<>();
    private final List<GrpcServerResponse<?, StatusEvent>> watchers = new ArrayList<>();
    private long seq;

    /**
     * @param most the most events that are remembered
     * @param start a number above all that an earlier process gave
     */
    StatusLog(int most, long start) {
        this.most = most;
        this.seq = start;
    }

    void add(StatusEvent.Builder event, Instant now) {
        var numbered = event.setSeq(++seq).setAtMs(now.toEpochMilli()).build();
        events.addLast(numbered);
        if (events.size() > most) {
            events.removeFirst();
        }
        List.copyOf(watchers).forEach(watcher -> send(watcher, numbered));
    }

    private void send(GrpcServerResponse<?, StatusEvent> watcher, StatusEvent event) {
        if (watcher.writeQueueFull()) {
            watchers.remove(watcher);
            watcher.status(GrpcStatus.RESOURCE_EXHAUSTED)
                    .statusMessage("the controller does not read")
                    .end();
        } else {
            watcher.write(event);
        }
    }

    /**
     * Sends every event after that number, and each that follows. If some of them are forgotten, it begins with a
     * snapshot instead, whose end is marked.
     */
    void watch(GrpcServerResponse<?, StatusEvent> watcher, long from, Supplier<List<StatusEvent.Builder>> snapshot) {
        watcher.setWriteQueueMaxSize(most);
        watchers.add(watcher);
        boolean complete = from > 0 && from <= seq && from >= first() - 1;
        if (complete) {
            events.stream().filter(event -> event.getSeq() > from).forEach(event -> send(watcher, event));
            return;
        }
        snapshot.get().forEach(event -> send(watcher, event.setSeq(seq).build()));
        send(watcher, StatusEvent.newBuilder().setSeq(seq).setSnapshotEnd(true).build());
    }

    private long first() {
        return events.isEmpty() ? seq + 1 : events.getFirst().getSeq();
    }

    void gone(GrpcServerResponse<?, StatusEvent> watcher) {
        watchers.remove(watcher);
    }
}
