package io.sluice.workers.resize;

import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.ledger.permit.ReportedUse;
import io.sluice.units.Resources;
import io.sluice.units.WorkerNames;
import io.sluice.workers.core.Instance;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * Requests permits for instances, as an agent does for a VM. Each request has a session of its own, so that one which
 * arrives late counts no more once the next has begun.
 */
final class Resizer {
    private static final Resources UNIT = new Resources(1, 1);
    private static final long FIRST = 1;

    private final Bus bus;
    private final String runner;
    private long opened;

    private record Session(OpenSession opened, long number) {}

    /** @param runner names this process among all that ever request */
    Resizer(Bus bus, String runner) {
        this.bus = bus;
        this.runner = runner;
    }

    /**
     * Requests what an instance is to have in all; returns what it may have.
     *
     * @param inUse what it may use already
     */
    Future<Resources> permit(Instance instance, Resources target, Resources inUse) {
        return open(instance).compose(session -> permit(session, target, inUse));
    }

    private Future<Session> open(Instance instance) {
        var request = new OpenSession(WorkerNames.node(instance.worker()), instance.uid(), runner + "-" + ++opened, 0);
        return bus.request(LedgerAddresses.OPEN, request).compose(reply -> switch (reply) {
            case OpenReply.Opened(var session, var _, var _) -> Future.succeededFuture(new Session(request, session));
            case OpenReply.NotReady(var cause, var _) -> Future.failedFuture("the ledger is not ready: " + cause);
            case OpenReply.Refused(var cause) -> Future.failedFuture(cause.sentence());
        });
    }

    private Future<Resources> permit(Session session, Resources target, Resources inUse) {
        var request = new PermitRequest(
                session.opened().node(),
                session.opened().pod(),
                session.opened().runner(),
                session.number(),
                FIRST,
                UNIT,
                target,
                Optional.of(inUse),
                Optional.empty(),
                Optional.of(new ReportedUse(inUse, inUse)));
        return bus.request(LedgerAddresses.PERMIT, request).compose(reply -> switch (reply) {
            case PermitReply.Ruled ruled -> Future.succeededFuture(ruled.permit());
            case PermitReply.Late(var _, var permit) -> Future.succeededFuture(permit);
            case PermitReply.Superseded _ -> Future.failedFuture("another resize of the instance is under way");
            case PermitReply.OpenAgain _, PermitReply.NotReady _ ->
                Future.failedFuture("the ledger has lost its state and is not ready yet");
            case PermitReply.SeqReused _ -> Future.failedFuture("a sequence number was used twice");
            case PermitReply.Refused(var cause) -> Future.failedFuture(cause.sentence());
        });
    }
}
