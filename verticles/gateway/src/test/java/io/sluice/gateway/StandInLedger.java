package io.sluice.gateway;

import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.ledger.permit.KindDecision;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** A ledger on the bus that grants up to a limit, opens session after session, and records its requests. */
final class StandInLedger {
    final List<PermitRequest> requests = new CopyOnWriteArrayList<>();
    final List<OpenSession> openings = new CopyOnWriteArrayList<>();
    private final AtomicLong sessions = new AtomicLong();
    private final Resources limit;
    private volatile Function<OpenSession, Future<OpenReply>> open;
    private volatile Function<PermitRequest, Future<PermitReply>> permit;

    StandInLedger(Resources limit) {
        this.limit = limit;
        open = opening -> Future.succeededFuture(new OpenReply.Opened(sessions.incrementAndGet(), limit, false));
        permit = request -> Future.succeededFuture(ruled(request, false));
    }

    Future<Void> serve(Bus bus) {
        return Future.all(
                        bus.serve(LedgerAddresses.OPEN, opening -> {
                            openings.add(opening);
                            return open.apply(opening);
                        }),
                        bus.serve(LedgerAddresses.PERMIT, request -> {
                            requests.add(request);
                            return permit.apply(request);
                        }))
                .mapEmpty();
    }

    void answerOpenings(Function<OpenSession, Future<OpenReply>> answer) {
        open = answer;
    }

    void answerRequests(Function<PermitRequest, Future<PermitReply>> answer) {
        permit = answer;
    }

    PermitReply ruled(PermitRequest request, boolean migrating) {
        var ruling = new KindDecision(KindDecision.Rule.GRANTED, 0, 0, 0, 0, 0, 0);
        return new PermitReply.Ruled(
                request.session(),
                request.seq(),
                request.target().min(limit),
                Duration.ofSeconds(10),
                migrating,
                ruling,
                ruling);
    }
}
