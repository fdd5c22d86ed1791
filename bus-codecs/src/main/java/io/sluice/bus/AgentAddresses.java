package io.sluice.bus;

import io.sluice.codecs.agent.DecisionCodec;
import io.sluice.codecs.agent.RunnerStatusCodec;
import io.sluice.codecs.agent.RunnerStepCodec;
import io.sluice.codecs.agent.ScalingRecordedCodec;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.RunnerStep;
import io.sluice.messages.agent.ScalingRecorded;

/** Events of the runners about their VMs. */
public final class AgentAddresses {
    /** A VM's size changed, was denied or was kept, for operators to read. */
    public static final EventAddress<Decision> DECISION = new EventAddress<>("agent.decision", new DecisionCodec());

    /** The status of a VM between its size and its goal; at most four a second for one VM. */
    public static final EventAddress<RunnerStatus> STATUS = new EventAddress<>("agent.status", new RunnerStatusCodec());

    /** A runner patches a VM to another size, or its metrics ask for another size. */
    public static final EventAddress<ScalingRecorded> SCALING_RECORDED =
            new EventAddress<>("agent.scaling-noted", new ScalingRecordedCodec());

    /** What happened to a VM's scaling core; published only while a tap of the process is open. */
    public static final EventAddress<RunnerStep> STEP = new EventAddress<>("agent.step", new RunnerStepCodec());

    private AgentAddresses() {}
}
