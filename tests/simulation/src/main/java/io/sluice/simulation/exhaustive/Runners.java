package io.sluice.simulation.exhaustive;

import io.sluice.simulation.exhaustive.digest.Interned;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The states of all runners. What a runner does depends on its own state, its input and the time alone; the real core
 * computes it once, and it is looked up from then on.
 */
final class Runners {
    private final List<VmState.Kind> kinds;
    private final Interned<RunnerSnapshot> snapshots = new Interned<>();
    private final ConcurrentHashMap<Cause, Reaction> reactions = new ConcurrentHashMap<>();

    private record Key(int vm, long high, long low) {}

    private record Cause(int runner, int clock, RunnerInput input) {}

    /**
     * The result of an input.
     *
     * @param runner number of its state afterwards
     * @param sent the messages that it sends
     */
    record Reaction(int runner, List<Message> sent) {}

    Runners(List<VmState.Kind> kinds) {
        this.kinds = kinds;
    }

    int beginning(int vm) {
        return id(Optional.empty(), Optional.empty(), 0, vm, new RunnerHost(vm, kinds.get(vm)));
    }

    RunnerSnapshot get(int runner) {
        return snapshots.get(runner);
    }

    Reaction on(int runner, RunnerInput input, int clock) {
        var cause = new Cause(runner, clock, input);
        var known = reactions.get(cause);
        return known != null ? known : reactions.computeIfAbsent(cause, this::workedOut);
    }

    private Reaction workedOut(Cause cause) {
        var before = snapshots.get(cause.runner());
        var host = before.replayed(kinds.get(before.vm()));
        var sent = host.on(cause.input(), cause.clock());
        return new Reaction(
                id(Optional.of(before), Optional.of(cause.input()), cause.clock(), before.vm(), host), sent);
    }

    private int id(Optional<RunnerSnapshot> before, Optional<RunnerInput> input, int clock, int vm, RunnerHost host) {
        var digest = host.digest();
        return snapshots.id(
                new Key(vm, digest.high(), digest.low()), RunnerSnapshot.of(before, input, clock, vm, host));
    }

    int size() {
        return snapshots.size();
    }
}
