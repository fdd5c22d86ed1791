package io.sluice.simulation.exhaustive;

import io.sluice.agent.core.runner.RunnerState;
import java.util.Optional;

/**
 * One state of a VM's runner: the inputs that lead to it, so that it can be computed again, and what other parts read
 * of it.
 *
 * @param before number of the state before it; none at the start
 * @param input the input in that state; none at the start
 * @param clock time of the input
 * @param life which of the VM's runners it is
 * @param runs whether there is a runner
 * @param awaited one bit for each kind of request whose reply it awaits
 * @param awaitsScrape whether it awaits metrics
 * @param awaitsGateway whether an agent of the reference awaits a reply of the gateway
 * @param versionObserved version of the newest observation of its VM
 * @param scaling its state, if it scales its VM
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
        long versionObserved,
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
                host.versionObserved(),
                host.scaling());
    }

    boolean awaits(Message.OfRunner message) {
        boolean ofGateway = message.life() == 0;
        return (ofGateway || message.life() == life)
                && (awaited & message.request().bit()) != 0;
    }

    /** Computes the same state again by replaying all inputs that led to it. */
    RunnerHost replayed(VmState.Kind kind) {
        if (before.isEmpty()) {
            return new RunnerHost(vm, kind);
        }
        var host = before.get().replayed(kind);
        host.on(input.orElseThrow(), clock);
        return host;
    }
}
