package io.sluice.workers;

import io.sluice.workers.v1.SchedulerFrame;
import io.sluice.workers.v1.WorkerFrame;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.server.GrpcServerRequest;
import io.vertx.grpc.server.GrpcServerResponse;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The open streams of workers, by the number of their session. A worker that does not read is disconnected. */
final class WorkerSessions {
    private final Map<Long, Session> open = new HashMap<>();
    private final BooleanSupplier leads;
    private long last;

    /** @param leads whether this process may still act for the fleet; nothing is sent while it may not */
    WorkerSessions(BooleanSupplier leads) {
        this.leads = leads;
    }

    /** One stream, and the worker that opened it, once that is known. */
    static final class Session {
        private final long number;
        private final GrpcServerResponse<WorkerFrame, SchedulerFrame> response;
        private final Instant openedAt;
        private Optional<String> worker = Optional.empty();
        private long epoch;
        private int empty;
        private int foreign;

        Session(long number, GrpcServerResponse<WorkerFrame, SchedulerFrame> response, Instant openedAt) {
            this.number = number;
            this.openedAt = openedAt;
            this.response = response;
        }

        long number() {
            return number;
        }

        /** The worker that registered over it. */
        Optional<String> worker() {
            return worker;
        }

        void registered(String id) {
            worker = Optional.of(id);
        }

        void welcomed(long newEpoch) {
            epoch = newEpoch;
        }

        /** Whether a frame with this epoch belongs to it; 0 is of a worker that does not name epochs. */
        boolean isOfEpoch(long named) {
            return named == 0 || named == epoch;
        }

        /** Counts a frame without contents; returns how many came in a row. */
        int emptyFrame(boolean isEmpty) {
            empty = isEmpty ? empty + 1 : 0;
            return empty;
        }

        /** Counts a report about another's instance. */
        int foreignReport() {
            return ++foreign;
        }
    }

    Session open(GrpcServerRequest<WorkerFrame, SchedulerFrame> request, Instant now) {
        var session = new Session(++last, request.response(), now);
        open.put(session.number(), session);
        return session;
    }

    int size() {
        return open.size();
    }

    Optional<Session> find(long number) {
        return Optional.ofNullable(open.get(number));
    }

    /** Sends a frame, or closes a stream that is full: what it misses comes again in the next session. */
    void send(long number, SchedulerFrame frame) {
        find(number).filter(session -> leads.getAsBoolean()).ifPresent(session -> {
            if (session.response.writeQueueFull()) {
                close(number, GrpcStatus.RESOURCE_EXHAUSTED, "the worker does not read");
            } else {
                session.response.write(frame);
            }
        });
    }

    /** Ends a stream; it is gone at once, whenever the other side notices. */
    void close(long number, GrpcStatus status, String reason) {
        var session = open.remove(number);
        if (session != null) {
            session.response.status(status).statusMessage(reason).end();
        }
    }

    /** Ends the streams that were opened before then and over which no worker has registered. */
    void closeUnregistered(Instant before) {
        List.copyOf(open.values()).stream()
                .filter(session -> session.worker.isEmpty() && session.openedAt.isBefore(before))
                .forEach(session -> close(session.number, GrpcStatus.DEADLINE_EXCEEDED, "no Hello came"));
    }

    /** A stream has ended; returns it if it was still open. */
    Optional<Session> ended(long number) {
        return Optional.ofNullable(open.remove(number));
    }
}
