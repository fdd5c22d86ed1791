package io.sluice.agent.metrics;

import io.sluice.shell.Shell;

/**
 * All metrics of the agent.
 *
 * @param runners Sluice's own
 * @param reference requests and replies, under the names of Neon's agent
 * @param lives runners and latencies, under the names of Neon's agent
 * @param vms the metrics that have a series for each VM
 */
public record AgentMetrics(RunnerMetrics runners, ReferenceMetrics reference, RunnerLifeMetrics lives, VmMetrics vms) {
    /** {@code cuMultiplier}: how many external compute units one compute unit of {@code agent.computeUnit} is. */
    public static AgentMetrics in(Shell shell, double cuMultiplier) {
        return new AgentMetrics(
                new RunnerMetrics(shell.meters()),
                new ReferenceMetrics(shell.meters()),
                new RunnerLifeMetrics(shell.meters()),
                new VmMetrics(shell.vmMeters(), cuMultiplier));
    }
}
