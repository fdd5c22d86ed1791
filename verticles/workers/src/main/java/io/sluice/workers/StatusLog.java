package io.sluice.workers;

import io.sluice.workers.control.v1.StatusEvent;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.server.GrpcServerRequest;
import io.vertx.grpc.server.GrpcServerResponse;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The last changes of states, numbered, and the controllers that watch them. Nothing waits for a controller: one that
 * does not read is disconnected, and goes on from the last number that it has.
 */
final class StatusLog {
    /** A controller's stream, in whichever protocol. */
    record Watcher(GrpcServerResponse<?, ?> response, Consumer<StatusEvent> write) {}

    private final int most;
    private final Deque<StatusEvent> events = new ArrayDeque<>();
    private final List<Watcher> watchers = new ArrayList<>();
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

    private void send(Watcher watcher, StatusEvent event) {
        if (watcher.response().writeQueueFull()) {
            watchers.remove(watcher);
            watcher.response()
                    .status(GrpcStatus.RESOURCE_EXHAUSTED)
                    .statusMessage("the controller does not read")
                    .end();
        } else {
            watcher.write().accept(event);
        }
    }

    /**
     * Sends every event after that number, and each that follows. If some of them are forgotten, it begins with a
     * snapshot instead, whose end is marked.
     */
    void watch(Watcher watcher, long from, Supplier<List<StatusEvent.Builder>> snapshot) {
        watcher.response().setWriteQueueMaxSize(most);
        watchers.add(watcher);
        boolean complete = from > 0 && from <= seq && from >= first() - 1;
        if (complete) {
            events.stream().filter(event -> event.getSeq() > from).forEach(event -> send(watcher, event));
            return;
        }
        snapshot.get().forEach(event -> send(watcher, event.setSeq(seq).build()));
        send(watcher, StatusEvent.newBuilder().setSeq(seq).setSnapshotEnd(true).build());
    }

    /** A stream to which events are sent in another form, as long as it is open. */
    <A> Watcher watcher(GrpcServerRequest<?, A> request, Function<StatusEvent, A> form) {
        var response = request.response();
        var watcher = new Watcher(response, event -> response.write(form.apply(event)));
        request.exceptionHandler(failed -> gone(watcher));
        request.errorHandler(failed -> gone(watcher));
        response.exceptionHandler(failed -> gone(watcher));
        return watcher;
    }

    /** The number of the newest event. */
    long last() {
        return seq;
    }

    private long first() {
        return events.isEmpty() ? seq + 1 : events.getFirst().getSeq();
    }

    void gone(Watcher watcher) {
        watchers.remove(watcher);
    }
}
