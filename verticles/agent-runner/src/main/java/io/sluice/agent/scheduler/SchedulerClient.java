package io.sluice.agent.scheduler;

import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.vertx.core.Future;

/** How runners reach the ledger. A future fails with the reason if there is no reply that the runner can use. */
public interface SchedulerClient {
    /** Starts the client; called once, on the context of all requests. */
    Future<Void> start();

    /** A new observation of a VM; called before any request for it. */
    void observed(VmObserved vm);

    /** Requests a session. */
    Future<OpenReply> open(OpenSession request);

    /** Sends a permit request. */
    Future<PermitReply> request(PermitRequest request);

    /** Gives up everything under way. */
    Future<Void> close();
}
