package io.sluice.gateway.core;

import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.ledger.permit.ReportedUse;
import io.sluice.units.Resources;
import java.util.Objects;
import java.util.Optional;

/**
 * A request whose pod is found: it can be sent to the ledger once it has a session.
 *
 * @param pod the pod of the requesting agent
 * @param computeUnit the agent's step
 * @param target the total size that the agent requests for the VM
 * @param lastPermit the last permit that the agent got
 * @param load1 the 1-minute load, if the agent has it
 * @param speaker the runner and session of the request
 * @param memoryInSlots whether the reply counts memory in the VM's slots, as the request did
 * @param use what the VM uses and the most that it may come to use, if the agent reports it
 */
public record AdmittedRequest(
        AgentPod pod,
        Resources computeUnit,
        Resources target,
        Optional<Resources> lastPermit,
        Optional<Float> load1,
        AgentRequest.Speaker speaker,
        boolean memoryInSlots,
        Optional<ReportedUse> use) {
    public AdmittedRequest {
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(computeUnit, "computeUnit");
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(lastPermit, "lastPermit");
        Objects.requireNonNull(load1, "load1");
        Objects.requireNonNull(speaker, "speaker");
        Objects.requireNonNull(use, "use");
    }

    /** Returns the permit request to the ledger, in this session of this runner. */
    public PermitRequest inSession(String runner, long session, long seq) {
        return new PermitRequest(
                pod.node(), pod.uid(), runner, session, seq, computeUnit, target, lastPermit, load1, use);
    }

    /** Returns the request to open a session for the pod. */
    public OpenSession opening(String runner, long lastSession) {
        return new OpenSession(pod.node(), pod.uid(), runner, lastSession);
    }
}
