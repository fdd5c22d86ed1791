package io.sluice.bus;

import io.sluice.codecs.DecisionCodec;
import io.sluice.codecs.RunnerStatusCodec;
import io.sluice.codecs.ScalingNotedCodec;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.ScalingNoted;

/** What the runners say of their VMs. */
public final class AgentAddresses {
    /** Something happened to a VM's size that a person would want to see. */
    public static final EventAddress<Decision> DECISION = new EventAddress<>("agent.decision", new DecisionCodec());

    /** Where a VM stands between its size and its goal; at most four a second are said for one VM. */
    public static final EventAddress<RunnerStatus> STATUS = new EventAddress<>("agent.status", new RunnerStatusCodec());

    /** A VM is being given another size, or its load asks for one. */
    public static final EventAddress<ScalingNoted> SCALING_NOTED =
            new EventAddress<>("agent.scaling-noted", new ScalingNotedCodec());

    private AgentAddresses() {}
}
