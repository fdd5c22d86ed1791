package io.sluice.agent.scheduler;

import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.vertx.core.Future;

/** The ledger on the bus. */
public final class BusSchedulerClient implements SchedulerClient {
    private final Bus bus;

    /** A client over this bus. */
    public BusSchedulerClient(Bus bus) {
        this.bus = bus;
    }

    @Override
    public Future<Void> start() {
        return Future.succeededFuture();
    }

    @Override
    public void observed(VmObserved vm) {}

    @Override
    public Future<OpenReply> open(OpenSession request) {
        return bus.request(LedgerAddresses.OPEN, request);
    }

    @Override
    public Future<PermitReply> request(PermitRequest request) {
        return bus.request(LedgerAddresses.PERMIT, request);
    }

    @Override
    public Future<Void> close() {
        return Future.succeededFuture();
    }
}
