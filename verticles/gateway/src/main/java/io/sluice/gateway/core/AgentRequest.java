package io.sluice.gateway.core;

import java.util.Objects;
import java.util.Optional;

/**
 * The content of an agent's request, before its pod is looked up.
 *
 * @param namespace the pod's namespace
 * @param pod the pod's name
 * @param computeUnit the agent's step
 * @param target the total size that the agent requests for the VM
 * @param lastPermit the last permit that the agent got
 * @param load1 the 1-minute load, if the agent has it
 * @param speaker the runner and session of the request
 * @param use what the VM uses and the most that it may come to use, if the agent reports it
 */
public record AgentRequest(
        String namespace,
        String pod,
        WireAmount computeUnit,
        WireAmount target,
        Optional<WireAmount> lastPermit,
        Optional<Float> load1,
        Speaker speaker,
        Optional<Use> use) {
    public AgentRequest {
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(computeUnit, "computeUnit");
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(lastPermit, "lastPermit");
        Objects.requireNonNull(load1, "load1");
        Objects.requireNonNull(speaker, "speaker");
        Objects.requireNonNull(use, "use");
    }

    /** What the VM uses now, and the most that it may come to use. */
    public record Use(WireAmount inUse, WireAmount exposure) {
        public Use {
            Objects.requireNonNull(inUse, "inUse");
            Objects.requireNonNull(exposure, "exposure");
        }
    }

    /** The runner and session of a request. */
    public sealed interface Speaker {
        /** The agent has no sessions: the gateway opens one for it. */
        record WithoutSession() implements Speaker {}

        /** The agent opens a session and requests no permit yet. */
        record Opening(String runner, long lastSession) implements Speaker {}

        /** The next request of the agent's own session, or the last one again; an empty runner gives no name. */
        record InSession(String runner, long session, long seq) implements Speaker {}
    }
}
