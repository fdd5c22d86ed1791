package io.sluice.simulation.invariants;

import io.sluice.agent.core.runner.RunnerState;
import io.sluice.simulation.model.World;
import io.sluice.simulation.model.agent.SimulatedRunner;

/** A permit whose request was sent too long ago allows nothing beyond what its VM may have already. */
public final class PermitsLapse implements Invariant {
    @Override
    public String name() {
        return "permits lapse";
    }

    @Override
    public void check(World world) {
        for (var vm : world.touched()) {
            for (var runner : vm.runners()) {
                check(world, runner);
            }
        }
    }

    private void check(World world, SimulatedRunner runner) {
        var core = runner.acting().flatMap(RunnerState::core);
        var permit = core.flatMap(state -> state.effectivePermit(runner.now()));
        if (permit.isPresent()) {
            var most = runner.grants().at(world.time().now()).max(core.get().exposure());
            if (permit.get().exceeds(most)) {
                throw broken(runner.runnerId() + " uses a permit of " + permit.get() + " and may use " + most);
            }
        }
    }
}
