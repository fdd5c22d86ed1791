package io.sluice.agent;

import io.sluice.shell.Shell;
import io.vertx.core.Vertx;

/** What all hosts of an agent have in common. */
record Shared(
        Vertx vertx,
        Shell shell,
        RunnerFactory factory,
        Ports ports,
        Dispatchers dispatchers,
        AgentMeters meters,
        StatusDesk statuses) {}
