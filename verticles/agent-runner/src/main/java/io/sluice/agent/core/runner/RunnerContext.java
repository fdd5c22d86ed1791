package io.sluice.agent.core.runner;

import io.sluice.agent.core.status.VmPod;

/** What does not change while a runner lives. */
record RunnerContext(
        String runnerId,
        VmPod pod,
        RunnerConfig config,
        MonitorSessionState link,
        RunnerRequests requests,
        RunnerReports reports) {}
