package io.sluice.workers;

import io.sluice.shell.LogKeys;
import io.sluice.workers.v1.SchedulerFrame;
import io.sluice.workers.v1.WorkerFrame;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.server.GrpcServerRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The open streams of workers, by the number of their session. A worker that does not read is disconnected. */
final class WorkerSessions {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerSessions.class);
    private static final int FRAMES_MAX = 5_000;
    private static final Duration RENEWED_EVERY = Duration.ofSeconds(1);
    private static final Duration LOOKED_EVERY = Duration.ofSeconds(1);

    private final Map<Long, Session> open = new HashMap<>();
    private final BooleanSupplier leads;
    private Instant lookedAt = Instant.EPOCH;
    private long last;

    /** The stream of a worker, in whichever protocol. */
    interface Stream {
        boolean isFull();

        void write(SchedulerFrame frame);

        void close(GrpcStatus status, String reason);

        void pause();

        void resume();

        /** Within this process, where nothing waits. */
        static Stream within(Consumer<SchedulerFrame> frames) {
            return new Stream() {
                @Override
                public boolean isFull() {
                    return false;
                }

                @Override
                public void write(SchedulerFrame frame) {
                    frames.accept(frame);
                }

                @Override
                public void close(GrpcStatus status, String reason) {
                    // Its opener finds that its frames count for nothing.
                }

                @Override
                public void pause() {
                    // It sends no frames.
                }

                @Override
                public void resume() {
                    // It sends no frames.
                }
            };
        }

        static Stream of(GrpcServerRequest<WorkerFrame, SchedulerFrame> request) {
            var response = request.response();
            return new Stream() {
                @Override
                public boolean isFull() {
                    return response.writeQueueFull();
                }

                @Override
                public void write(SchedulerFrame frame) {
                    response.write(frame);
                }

                @Override
                public void close(GrpcStatus status, String reason) {
                    response.status(status).statusMessage(reason).end();
                }

                @Override
                public void pause() {
                    request.pause();
                }

                @Override
                public void resume() {
                    request.resume();
                }
            };
        }
    }

    /** @param leads whether this process may still act for the fleet; nothing is sent while it may not */
    WorkerSessions(BooleanSupplier leads) {
        this.leads = leads;
    }

    /** One stream, and the worker that opened it, once that is known. */
    static final class Session {
        private final long number;
        private final Stream stream;
        private Optional<String> worker = Optional.empty();
        private Duration waited = Duration.ZERO;
        private Instant certifiedUntil;
        private Instant renewableFrom;
        private int frames;
        private long epoch;
        private int empty;
        private int foreign;

        Session(long number, Stream stream, Instant openedAt, Instant certifiedUntil) {
            this.number = number;
            this.stream = stream;
            this.certifiedUntil = certifiedUntil;
            this.renewableFrom = openedAt;
        }

        /** Counts a frame; the stream of a worker that sends too many is read on in the next second. */
        void received() {
            if (++frames == FRAMES_MAX) {
                stream.pause();
            }
        }

        private void resume() {
            if (frames >= FRAMES_MAX) {
                stream.resume();
            }
            frames = 0;
        }

        /** Adds time in which its Hello could come; returns all of it. */
        private Duration waited(Duration more) {
            waited = waited.plus(more);
            return waited;
        }

        /** Whether it may get another certificate now. */
        boolean renews(Instant now) {
            return !now.isBefore(renewableFrom);
        }

        void certified(Instant until, Instant now) {
            certifiedUntil = until;
            renewableFrom = now.plus(RENEWED_EVERY);
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

    Session open(Stream stream, Instant certifiedUntil, Instant now) {
        var session = new Session(++last, stream, now, certifiedUntil);
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
            if (session.stream.isFull()) {
                close(number, GrpcStatus.RESOURCE_EXHAUSTED, "the worker does not read");
            } else {
                unlessEnded(() -> session.stream.write(frame));
            }
        });
    }

    /** Ends a stream; it is gone at once, whenever the other side notices. */
    void close(long number, GrpcStatus status, String reason) {
        var session = open.remove(number);
        if (session != null) {
            unlessEnded(() -> session.stream.close(status, reason));
        }
    }

    /** Of a stream that has just ended its handlers take note; what else the step has to do is done. */
    private static void unlessEnded(Runnable use) {
        try {
            use.run();
        } catch (IllegalStateException ended) {
            LOG.atDebug().addKeyValue(LogKeys.ERROR, ended.toString()).log("The stream of a worker has ended.");
        }
    }

    /**
     * Ends the streams over which no worker has registered for so long. Of a time in which this process stood still one
     * second counts: what came meanwhile has not been read yet.
     */
    void closeUnregistered(Duration limit, Instant now) {
        var passed = Duration.between(lookedAt, now);
        var counted = passed.compareTo(LOOKED_EVERY) > 0 ? LOOKED_EVERY : passed;
        lookedAt = now;
        for (var session : List.copyOf(open.values())) {
            if (session.worker.isEmpty() && session.waited(counted).compareTo(limit) > 0) {
                close(session.number, GrpcStatus.DEADLINE_EXCEEDED, "no Hello came");
            }
        }
    }

    /** Ends the streams whose certificate has ended; returns their workers and numbers. */
    Map<String, Long> closeUncertified(Instant now) {
        Map<String, Long> closed = new HashMap<>();
        for (var session : List.copyOf(open.values())) {
            if (!now.isBefore(session.certifiedUntil)) {
                session.worker.ifPresent(worker -> closed.put(worker, session.number));
                close(session.number, GrpcStatus.PERMISSION_DENIED, "its certificate has ended");
            }
        }
        return closed;
    }

    /** Reads on where too much came in the last second. */
    void resume() {
        open.values().forEach(Session::resume);
    }

    /** A stream has ended; returns it if it was still open. */
    Optional<Session> ended(long number) {
        return Optional.ofNullable(open.remove(number));
    }
}
