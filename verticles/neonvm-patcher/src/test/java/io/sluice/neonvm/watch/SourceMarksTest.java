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
import io.vertx.junit5.VertxExtension;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The ledger's replies to marks. */
@ExtendWith(VertxExtension.class)
class SourceMarksTest {
    private static final List<ReservationLookup> REQUESTS =
            List.of(new ReservationLookup("target", "n1", "source", "m1"));
    private static final Resources RESERVED = new Resources(3000, 1L << 30);

    private final LinkedBlockingQueue<Optional<Resources>> answered = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<Resources> markedAgain = new LinkedBlockingQueue<>();
    private Bus bus;
    private SourceMarks marks;

    @BeforeEach
    void open(Vertx vertx) {
        bus = new Bus(vertx);
        marks = new SourceMarks(
                bus,
                new SimpleMeterRegistry(),
                (target, reserved) -> answered.add(reserved),
                (target, reserved) -> markedAgain.add(reserved));
    }

    @Test
    void theFirstReplyIsReported() throws Exception {
        ledgerAnswers(new MarkReply.Marked(RESERVED));

        marks.request(REQUESTS);

        assertThat(answered.take()).contains(RESERVED);
        assertThat(markedAgain).isEmpty();
    }

    @Test
    void theReplyToARepeatedMarkIsReportedToo() throws Exception {
        ledgerAnswers(new MarkReply.Marked(RESERVED));

        marks.repeat(REQUESTS);

        assertThat(markedAgain.take()).isEqualTo(RESERVED);
        assertThat(answered).isEmpty();
    }

    private void ledgerAnswers(MarkReply reply) {
        bus.serve(LedgerAddresses.MARK, mark -> Future.succeededFuture(reply)).await();
    }
}
