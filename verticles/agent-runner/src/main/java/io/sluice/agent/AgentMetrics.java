package io.sluice.agent;

import io.sluice.shell.Shell;

/**
 * All metrics of the agent.
 *
 * @param runners our own
 * @param reference requests and answers, under the names of Neon's agent
 * @param lives runners and latencies, under the names of Neon's agent
 * @param vms what has a series for each VM
 */
record AgentMetrics(RunnerMetrics runners, ReferenceMetrics reference, RunnerLifeMetrics lives, VmMetrics vms) {
    /** {@code cuMultiplier}: how many of the compute units that people outside reckon in one of ours is. */
    static AgentMetrics in(Shell shell, double cuMultiplier) {
        return new AgentMetrics(
                new RunnerMetrics(shell.meters()),
                new ReferenceMetrics(shell.meters()),
                new RunnerLifeMetrics(shell.meters()),
                new VmMetrics(shell.vmMeters(), cuMultiplier));
    }
}
