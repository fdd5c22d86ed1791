package io.sluice.workers;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.workers.v1.SchedulerFrame;
import io.vertx.grpc.common.GrpcStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class WorkerSessionsTest {
    private static final SchedulerFrame FRAME = SchedulerFrame.getDefaultInstance();

    /** As Vert.x has it between the reset of a stream and the call of its handlers. */
    private static final WorkerSessions.Stream ENDED = new WorkerSessions.Stream() {
        @Override
        public boolean isFull() {
            return false;
        }

        @Override
        public void write(SchedulerFrame frame) {
            throw new IllegalStateException("The stream has been closed");
        }

        @Override
        public void close(GrpcStatus status, String reason) {
            throw new IllegalStateException("The stream has been closed");
        }

        @Override
        public void pause() {
            throw new IllegalStateException("The stream has been closed");
        }

        @Override
        public void resume() {
            throw new IllegalStateException("The stream has been closed");
        }
    };

    /** All frames of a step are sent in one go. */
    @Test
    void aStreamThatHasJustEndedKeepsNoFrameFromOthers() {
        var sessions = new WorkerSessions(() -> true);
        var ended = sessions.open(ENDED, Instant.MAX, Instant.EPOCH);
        var received = new ArrayList<SchedulerFrame>();
        var other = sessions.open(WorkerSessions.Stream.within(received::add), Instant.MAX, Instant.EPOCH);

        sessions.send(ended.number(), FRAME);
        sessions.send(other.number(), FRAME);
        assertThat(received).containsExactly(FRAME);

        sessions.close(ended.number(), GrpcStatus.ABORTED, "superseded");
        assertThat(sessions.size()).isEqualTo(1);
        assertThat(sessions.ended(other.number())).contains(other);
    }

    @Test
    void aStreamIsClosedWhenNoHelloCameAndNotBecauseThisProcessStoodStill() {
        var lease = Duration.ofSeconds(15);
        var sessions = new WorkerSessions(() -> true);
        var now = Instant.EPOCH.plusSeconds(1_000);
        sessions.closeUnregistered(lease, now);
        var session = sessions.open(WorkerSessions.Stream.within(frame -> {}), Instant.MAX, now);
        var registered = sessions.open(WorkerSessions.Stream.within(frame -> {}), Instant.MAX, now);
        registered.registered("w1");

        // The loop was blocked; then the timers that were due run in one go.
        now = now.plusSeconds(20);
        for (int due = 0; due < 20; due++) {
            sessions.closeUnregistered(lease, now);
        }
        assertThat(sessions.find(session.number())).contains(session);

        for (int second = 1; second < 15; second++) {
            now = now.plusSeconds(1);
            sessions.closeUnregistered(lease, now);
        }
        assertThat(sessions.find(session.number())).contains(session);
        sessions.closeUnregistered(lease, now.plusSeconds(1));
        assertThat(sessions.find(session.number())).isEmpty();
        assertThat(sessions.find(registered.number())).contains(registered);
    }
}
