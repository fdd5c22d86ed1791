package io.sluice.gateway.core;

import io.sluice.messages.ledger.OpenSession;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.messages.ledger.ReportedUse;
import io.sluice.units.Resources;
import java.util.Objects;
import java.util.Optional;

/**
 * A request whose member is known: ready for the ledger but for its session.
 *
 * @param member who asks
 * @param computeUnit the agent's step
 * @param target what the VM should hold in total
 * @param lastPermit the last permit that the agent got
 * @param load1 the 1-minute load, if the agent has it
 * @param speaker in whose name it asks
 * @param memoryInSlots whether the answer counts memory in the VM's slots, as the question did
 * @param use what the VM uses and may come to use, if the agent reports it
 */
public record AdmittedRequest(
        AgentPod member,
        Resources computeUnit,
        Resources target,
        Optional<Resources> lastPermit,
        Optional<Float> load1,
        AgentRequest.Speaker speaker,
        boolean memoryInSlots,
        Optional<ReportedUse> use) {
    public AdmittedRequest {
        Objects.requireNonNull(member, "member");
        Objects.requireNonNull(computeUnit, "computeUnit");
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(lastPermit, "lastPermit");
        Objects.requireNonNull(load1, "load1");
        Objects.requireNonNull(speaker, "speaker");
        Objects.requireNonNull(use, "use");
    }

    /** The question to the ledger, in this session of this runner. */
    public PermitRequest inSession(String runner, long session, long seq) {
        return new PermitRequest(
                member.node(), member.uid(), runner, session, seq, computeUnit, target, lastPermit, load1, use);
    }

    /** The wish to speak for the member. */
    public OpenSession opening(String runner, long lastSession) {
        return new OpenSession(member.node(), member.uid(), runner, lastSession);
    }
}
