package io.sluice.neonvm.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.neonvm.core.observed.ReservationLookup;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The ledger's replies to marks. */
class SourceMarksTest {
    private static final List<ReservationLookup> REQUESTS =
            List.of(new ReservationLookup("target", "n1", "source", "m1"));
    private static final Resources RESERVED = new Resources(3000, 1L << 30);

    private final Vertx vertx = Vertx.vertx();
    private final Bus bus = new Bus(vertx);
    private final LinkedBlockingQueue<Optional<Resources>> answered = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<Resources> markedAgain = new LinkedBlockingQueue<>();
    private final SourceMarks marks = new SourceMarks(
            bus,
            new SimpleMeterRegistry(),
            (target, reserved) -> answered.add(reserved),
            (target, reserved) -> markedAgain.add(reserved));

    @AfterEach
    void close() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    @Test
    void theFirstReplyIsReported() throws Exception {
        ledgerAnswers(new MarkReply.Marked(RESERVED));

        marks.request(REQUESTS);

        assertThat(answered.poll(20, TimeUnit.SECONDS)).contains(RESERVED);
        assertThat(markedAgain).isEmpty();
    }

    @Test
    void theReplyToARepeatedMarkIsReportedToo() throws Exception {
        ledgerAnswers(new MarkReply.Marked(RESERVED));

        marks.repeat(REQUESTS);

        assertThat(markedAgain.poll(20, TimeUnit.SECONDS)).isEqualTo(RESERVED);
        assertThat(answered).isEmpty();
    }

    private void ledgerAnswers(MarkReply reply) throws Exception {
        bus.serve(LedgerAddresses.MARK, mark -> Future.succeededFuture(reply))
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
    }
}
