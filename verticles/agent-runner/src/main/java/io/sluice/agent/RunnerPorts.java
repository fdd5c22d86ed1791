package io.sluice.agent;

import io.sluice.agent.core.runner.RunnerAction;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.ScalingRecorded;
import io.sluice.messages.monitor.DetachMonitor;
import io.vertx.core.Future;

/**
 * The ports of runners to other components. An exception, or a failed future, is a fault of the requesting runner only.
 */
interface RunnerPorts {
    /** Sends a request; the event is its reply, or that it was lost. */
    Future<RunnerEvent> send(RunnerAction.Request request);

    void publish(Decision decision);

    void publish(RunnerStatus status);

    void publish(ScalingRecorded recorded);

    /**
     * Sends to the process {@code at} that keeps the monitor session, or to any process that consumes the address if
     * that is empty. There is no reply.
     */
    void detach(DetachMonitor request, String at);
}
