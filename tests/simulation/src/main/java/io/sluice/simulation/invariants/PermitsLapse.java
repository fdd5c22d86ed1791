package io.sluice.simulation.invariants;

import io.sluice.agent.core.runner.RunnerState;
import io.sluice.simulation.model.SimulatedRunner;
import io.sluice.simulation.model.World;

/** Nothing is left of a permit whose question was sent too long ago, beyond what its VM may be already. */
public final class PermitsLapse implements Invariant {
    @Override
    public String name() {
        return "permits lapse";
    }

    @Override
    public void check(World world) {
        for (var vm : world.touched()) {
            for (var seat : vm.seats()) {
                check(world, seat);
            }
        }
    }

    private void check(World world, SimulatedRunner seat) {
        var core = seat.acting().flatMap(RunnerState::core);
        var permit = core.flatMap(state -> state.effectivePermit(seat.now()));
        if (permit.isPresent()) {
            var most = seat.grants().at(world.time().now()).max(core.get().exposure());
            if (permit.get().exceeds(most)) {
                throw broken(seat.runnerId() + " takes " + permit.get() + " for permitted, and was left " + most);
            }
        }
    }
}
