package io.sluice.agent;

import io.sluice.agent.core.runner.RunnerAction;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.ScalingNoted;
import io.sluice.messages.monitor.DetachMonitor;
import io.vertx.core.Future;

/** What runners act through. A throw, or a failed future, is a fault of the runner that asked, and of no other. */
interface RunnerPorts {
    /** Sends a request; the event is its answer, or that it was lost. */
    Future<RunnerEvent> send(RunnerAction.Request request);

    /** Tells everybody. */
    void publish(Decision decision);

    /** Tells everybody. */
    void publish(RunnerStatus status);

    /** Tells everybody. */
    void publish(ScalingNoted noted);

    /**
     * Tells the monitor's side in that process, or whoever hears it where that is empty; nobody waits for an answer.
     */
    void detach(DetachMonitor question, String at);
}
