package io.sluice.bus;

import io.sluice.codecs.DecisionCodec;
import io.sluice.messages.agent.Decision;

/** What the runners say of their VMs. */
public final class AgentAddresses {
    /** Something happened to a VM's size that a person would want to see. */
    public static final EventAddress<Decision> DECISION = new EventAddress<>("agent.decision", new DecisionCodec());

    private AgentAddresses() {}
}
