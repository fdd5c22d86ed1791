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
record AgentMeters(RunnerMeters runners, ReferenceMeters reference, LifeMeters lives, VmMeters vms) {
    /** {@code cuMultiplier}: how many of the compute units that people outside reckon in one of ours is. */
    static AgentMeters in(Shell shell, double cuMultiplier) {
        return new AgentMeters(
                new RunnerMeters(shell.meters()),
                new ReferenceMeters(shell.meters()),
                new LifeMeters(shell.meters()),
                new VmMeters(shell.vmMeters(), cuMultiplier));
    }
}
