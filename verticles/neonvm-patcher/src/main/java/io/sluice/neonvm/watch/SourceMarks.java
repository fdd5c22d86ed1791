package io.sluice.neonvm.watch;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.neonvm.core.observed.ReservationLookup;
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
 * Marks migrating VMs in the ledger, and gets from the reply what is reserved for them at the source. Each request
 * completes within the address's timeout, with a reply or a failure.
 */
final class SourceMarks {
    private static final Logger LOG = LoggerFactory.getLogger(SourceMarks.class);

    private final Bus bus;
    private final MeterRegistry meters;
    private final BiConsumer<String, Optional<Resources>> answered;
    private final BiConsumer<String, Resources> markedAgain;
    private final Set<Future<Void>> inFlight = new HashSet<>();

    /**
     * The two callbacks receive target pods and what is reserved for their VMs.
     *
     * @param answered called for the first request of each target; without an amount the VM's maximum counts
     * @param markedAgain called if a mark was repeated and accepted
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

    void request(List<ReservationLookup> requests) {
        for (var request : requests) {
            var marked = mark(request)
                    .map(reply -> reserved(request, reply))
                    .otherwise(failure -> unknown(request, String.valueOf(failure.getMessage())))
                    .onSuccess(reserved -> count(reserved.isPresent() ? "reserved" : "maximum"))
                    .<Void>map(reserved -> {
                        answered.accept(request.target(), reserved);
                        return null;
                    });
            if (!marked.isComplete()) {
                inFlight.add(marked);
                marked.onComplete(ended -> inFlight.remove(marked));
            }
        }
    }

    /** Repeats marks. If the ledger state was lost since, more may be reserved by now. */
    void repeat(List<ReservationLookup> requests) {
        for (var request : requests) {
            mark(request)
                    .onSuccess(reply -> {
                        if (reply instanceof MarkReply.Marked(var reserved)) {
                            markedAgain.accept(request.target(), reserved);
                        }
                    })
                    .onFailure(failure -> LOG.atDebug()
                            .addKeyValue(LogKeys.POD, request.source())
                            .addKeyValue(LogKeys.ERROR, String.valueOf(failure.getMessage()))
                            .log("A migrating VM could not be marked again; the next full list repeats it."));
        }
    }

    /** Completes once all requests so far have completed; never fails. */
    Future<Void> quiet() {
        return Future.join(List.copyOf(inFlight)).<Void>mapEmpty().otherwiseEmpty();
    }

    private Future<MarkReply> mark(ReservationLookup request) {
        return bus.request(
                LedgerAddresses.MARK,
                new MarkMigrating(
                        request.sourceNode(),
                        request.source(),
                        MarkMigrating.Cause.UNDER_WAY,
                        Resources.NONE,
                        request.attempt()));
    }

    private static Optional<Resources> reserved(ReservationLookup request, MarkReply reply) {
        return switch (reply) {
            case MarkReply.Marked(var reserved) -> Optional.of(reserved);
            case MarkReply.Unmarked unmarked -> unknown(request, "it is not marked");
            case MarkReply.NotPressed notPressed -> unknown(request, "its node is not under pressure");
            case MarkReply.Outgrown outgrown -> unknown(request, "it has outgrown what is held for it");
            case MarkReply.Refused(var cause) -> unknown(request, cause.sentence());
        };
    }

    private static Optional<Resources> unknown(ReservationLookup request, String reason) {
        LOG.atWarn()
                .addKeyValue(LogKeys.NODE, request.sourceNode())
                .addKeyValue(LogKeys.POD, request.source())
                .addKeyValue(LogKeys.REASON, reason)
                .log("The reservation of a migrating VM is unknown; its target pod counts at the VM's maximum.");
        return Optional.empty();
    }

    private void count(String countedAt) {
        Counter.builder("sluice.cluster.migration.targets")
                .description("Target pods of migrations, by what they count at: what is reserved at the source, or the"
                        + " maximum")
                .tag("counted_at", countedAt)
                .register(meters)
                .increment();
    }
}
