package io.sluice.simulation.exhaustive;

import io.sluice.agent.core.runner.RunnerState;
import java.util.Optional;

/**
 * One state of a VM's runner: how it comes about, so that it can be made again, and what others look at.
 *
 * @param before the state before it; none at the start
 * @param input what happened then; none at the start
 * @param clock when
 * @param life which of the VM's runners it is
 * @param runs whether there is a runner
 * @param awaited a bit for each request whose reply it awaits
 * @param awaitsScrape whether it waits for metrics
 * @param awaitsGateway whether an agent of the reference waits for the gateway
 * @param versionSeen of the newest observation of its VM
 * @param scaling where it stands, while it scales its VM
 */
record RunnerSnapshot(
        Optional<RunnerSnapshot> before,
        Optional<RunnerInput> input,
        int clock,
        int vm,
        int life,
        boolean runs,
        int awaited,
        boolean awaitsScrape,
        boolean awaitsGateway,
        long versionSeen,
        Optional<RunnerState> scaling) {
    static RunnerSnapshot of(
            Optional<RunnerSnapshot> before, Optional<RunnerInput> input, int clock, int vm, RunnerHost host) {
        return new RunnerSnapshot(
                before,
                input,
                clock,
                vm,
                host.life(),
                host.runs(),
                host.awaited(),
                host.awaitsScrape(),
                host.awaitsGateway(),
                host.versionSeen(),
                host.scaling());
    }

    boolean awaits(Message.OfRunner message) {
        boolean ofGateway = message.life() == 0;
        return (ofGateway || message.life() == life)
                && (awaited & message.request().bit()) != 0;
    }

    /** The same state again, by all that led to it. */
    RunnerHost replayed(VmState.Kind kind) {
        if (before.isEmpty()) {
            return new RunnerHost(vm, kind);
        }
        var host = before.get().replayed(kind);
        host.on(input.orElseThrow(), clock);
        return host;
    }
}
