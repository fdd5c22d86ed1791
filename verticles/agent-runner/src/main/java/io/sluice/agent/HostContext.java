package io.sluice.agent;

import io.sluice.agent.journal.StepPublisher;
import io.sluice.agent.metrics.AgentMetrics;
import io.sluice.shell.Shell;
import io.sluice.trace.Tracer;
import io.vertx.core.Vertx;

/** What all hosts of an agent share. */
record HostContext(
        Vertx vertx,
        Shell shell,
        RunnerFactory factory,
        RunnerPorts ports,
        MonitorAssignment dispatchers,
        AgentMetrics metrics,
        StatusPublisher statuses,
        DecisionLog decisions,
        StepPublisher steps,
        Tracer tracer) {}
