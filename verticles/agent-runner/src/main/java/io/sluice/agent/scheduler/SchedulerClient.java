package io.sluice.agent.scheduler;

import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.OpenReply;
import io.sluice.messages.ledger.OpenSession;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.vertx.core.Future;

/** How runners reach the ledger. A future fails when no answer came that the runner can use, with the reason. */
public interface SchedulerClient {
    /** Gets ready; called once, on the context of whoever asks. */
    Future<Void> start();

    /** A VM is this now. Told before anybody asks in its name. */
    void seen(VmObserved vm);

    /** Asks for a session. */
    Future<OpenReply> open(OpenSession question);

    /** Tells what a VM should hold. */
    Future<PermitReply> ask(PermitRequest question);

    /** Gives up everything under way. */
    Future<Void> close();
}
