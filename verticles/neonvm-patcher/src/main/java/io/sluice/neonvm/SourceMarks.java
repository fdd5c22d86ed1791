package io.sluice.neonvm;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.neonvm.core.ReservationLookup;
import io.sluice.shell.LogKeys;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Marks VMs that are moving in the ledger, and learns by that what they have reserved where they leave. An answer comes
 * for each question within the address's timeout, if only that there is none.
 */
final class SourceMarks {
    private static final Logger LOG = LoggerFactory.getLogger(SourceMarks.class);

    private final Bus bus;
    private final MeterRegistry meters;
    private final BiConsumer<String, Optional<Resources>> answered;
    private final BiConsumer<String, Resources> markedAgain;
    private final Set<Future<Void>> inFlight = new HashSet<>();

    /**
     * Two listeners, each told of target pods and what their VMs have reserved.
     *
     * @param answered to the first question about each; without an amount the VM's maximum counts
     * @param markedAgain where a mark was repeated and stands
     */
    SourceMarks(
            Bus bus,
            MeterRegistry meters,
            BiConsumer<String, Optional<Resources>> answered,
            BiConsumer<String, Resources> markedAgain) {
        this.bus = bus;
        this.meters = meters;
        this.answered = answered;
        this.markedAgain = markedAgain;
    }

    void ask(List<ReservationLookup> questions) {
        for (var question : questions) {
            var asked = mark(question)
                    .map(reply -> reserved(question, reply))
                    .otherwise(failure -> unknown(question, String.valueOf(failure.getMessage())))
                    .onSuccess(reserved -> count(reserved.isPresent() ? "reserved" : "maximum"))
                    .<Void>map(reserved -> {
                        answered.accept(question.target(), reserved);
                        return null;
                    });
            if (!asked.isComplete()) {
                inFlight.add(asked);
                asked.onComplete(ended -> inFlight.remove(asked));
            }
        }
    }

    /** Marks again; where the books were lost since, more may be reserved by now. */
    void repeat(List<ReservationLookup> questions) {
        for (var question : questions) {
            mark(question)
                    .onSuccess(reply -> {
                        if (reply instanceof MarkReply.Marked(var reserved)) {
                            markedAgain.accept(question.target(), reserved);
                        }
                    })
                    .onFailure(failure -> LOG.atDebug()
                            .addKeyValue(LogKeys.POD, question.source())
                            .addKeyValue(LogKeys.ERROR, String.valueOf(failure.getMessage()))
                            .log("A moving VM could not be marked again; the next listing tries anew."));
        }
    }

    /** Completes once everything that was asked so far is answered; never fails. */
    Future<Void> quiet() {
        return Future.join(List.copyOf(inFlight)).<Void>mapEmpty().otherwiseEmpty();
    }

    private Future<MarkReply> mark(ReservationLookup question) {
        return bus.request(
                LedgerAddresses.MARK,
                new MarkMigrating(
                        question.sourceNode(),
                        question.source(),
                        MarkMigrating.Cause.UNDER_WAY,
                        Resources.NONE,
                        question.attempt()));
    }

    private static Optional<Resources> reserved(ReservationLookup question, MarkReply reply) {
        return switch (reply) {
            case MarkReply.Marked(var reserved) -> Optional.of(reserved);
            case MarkReply.Unmarked unmarked -> unknown(question, "it is not marked");
            case MarkReply.NotPressed notPressed -> unknown(question, "its node is not under pressure");
            case MarkReply.Outgrown outgrown -> unknown(question, "it has outgrown what is held for it");
            case MarkReply.Refused(var cause) -> unknown(question, cause.sentence());
        };
    }

    private static Optional<Resources> unknown(ReservationLookup question, String reason) {
        LOG.atWarn()
                .addKeyValue(LogKeys.NODE, question.sourceNode())
                .addKeyValue(LogKeys.POD, question.source())
                .addKeyValue(LogKeys.REASON, reason)
                .log("Nobody tells what a moving VM has reserved; where it goes it counts at its maximum.");
        return Optional.empty();
    }

    private void count(String countedAt) {
        Counter.builder("sluice.cluster.migration.targets")
                .description("Pods that VMs are moved to, by what they count at: what is reserved at the source, or the"
                        + " maximum")
                .tag("counted_at", countedAt)
                .register(meters)
                .increment();
    }
}
