package io.sluice.agent.core.pace;

import io.sluice.agent.core.revision.ActionRevision;
import io.sluice.agent.core.scaling.ActionSet;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.ledger.permit.PermitRequest;
import java.time.Instant;
import java.util.Optional;

/** A request that is under way, with the data that is needed to handle its reply. */
public sealed interface PendingRequest {
    /** Whether a runner that stops waits for its end: it may change a reservation, the VM's size or the guest. */
    default boolean weighs() {
        return switch (this) {
            case Open _, Attach _, Scrape _, ScrapeLfc _ -> false;
            case Claim _, Permit _, Patch _, GuestUp _, GuestDown _ -> true;
        };
    }

    record Open() implements PendingRequest {}

    record Claim(String owner) implements PendingRequest {}

    record Permit(PermitRequest request, ActionRevision revision) implements PendingRequest {}

    /**
     * {@code fence}: the number that it writes; {@code raisedAt}: when a sample or upscale request first required the
     * size.
     */
    record Patch(ActionSet.NeonVmRequest request, long fence, GoalBasis basis, Optional<Instant> raisedAt)
            implements PendingRequest {}

    record GuestUp() implements PendingRequest {}

    record GuestDown(ActionSet.MonitorDownscale request, GoalBasis basis) implements PendingRequest {}

    record Attach(long generationWhenRequested) implements PendingRequest {}

    record Scrape() implements PendingRequest {}

    record ScrapeLfc() implements PendingRequest {}
}
