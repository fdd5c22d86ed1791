package io.sluice.agent;

import io.sluice.agent.core.pace.RestartPace;
import io.sluice.agent.core.runner.Runner;
import io.sluice.agent.core.runner.RunnerConfig;
import io.sluice.agent.core.runner.RunnerHandover;
import io.sluice.messages.cluster.VmObserved;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Creates runners with ids that no other runner has: in this process, in another, or before a restart. */
final class RunnerFactory {
    private final String process = UUID.randomUUID().toString();
    private final RunnerConfig config;
    private final RandomGenerator random;
    private long made;

    RunnerFactory(RunnerConfig config, RandomGenerator random) {
        this.config = config;
        this.random = random;
    }

    Runner make(VmObserved vm, RunnerHandover resume) {
        made++;
        return new Runner(config, process + "-" + made, vm, resume, random);
    }

    RestartPace restarts() {
        return config.restarts();
    }
}
