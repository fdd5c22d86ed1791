package io.sluice.gateway.core;

import java.util.Objects;
import java.util.Optional;

/**
 * What an agent's request says, before its pod is looked up.
 *
 * @param namespace the pod's namespace
 * @param pod the pod's name
 * @param computeUnit the agent's step
 * @param target what the VM should hold in total
 * @param lastPermit the last permit that the agent got
 * @param load1 the 1-minute load, if the agent has it
 * @param speaker in whose name it asks
 * @param use what the VM uses and may come to use, if the agent reports it
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

    /** What the VM uses, and the most that it may come to use. */
    public record Use(WireAmount inUse, WireAmount exposure) {
        public Use {
            Objects.requireNonNull(inUse, "inUse");
            Objects.requireNonNull(exposure, "exposure");
        }
    }

    /** In whose name a request is made. */
    public sealed interface Speaker {
        /** Knows no sessions: the gateway opens one for it. */
        record WithoutSession() implements Speaker {}

        /** Wants a session and asks nothing else yet. */
        record Opening(String runner, long lastSession) implements Speaker {}

        /** Asks the next question, or repeats the last one, of its own session; an empty runner gives no name. */
        record InSession(String runner, long session, long seq) implements Speaker {}
    }
}
