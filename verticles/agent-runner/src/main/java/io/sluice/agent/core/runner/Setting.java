package io.sluice.agent.core.runner;

/** What does not change while a runner lives. */
record Setting(
        String runnerId, Member member, RunnerConfig config, MonitorLink link, Requests requests, Reports reports) {}
