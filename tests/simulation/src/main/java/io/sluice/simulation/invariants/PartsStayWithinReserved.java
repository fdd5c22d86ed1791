package io.sluice.simulation.invariants;

import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;
import io.sluice.units.Resources;

/**
 * What is held, what is marked as migrating and what is buffer are each a part of what is reserved, of the node and of
 * each reservation.
 */
public final class PartsStayWithinReserved implements StepInvariant {
    @Override
    public String name() {
        return "parts stay within reserved";
    }

    @Override
    public void check(World world, Happening.Commanded step) {
        if (step.before() == step.after()) {
            return;
        }
        var sums = step.after().sums();
        within(step, "held", sums.held(), sums.reserved());
        within(step, "migrating", sums.migrating(), sums.reserved());
        within(step, "buffer", sums.buffer(), sums.reserved());
        for (var reservation : step.after().reservations()) {
            within(
                    step,
                    "buffer of " + reservation.id(),
                    reservation.amounts().buffer(),
                    reservation.amounts().reserved());
        }
    }

    private void within(Happening.Commanded step, String what, Resources part, Resources whole) {
        if (part.exceeds(whole)) {
            throw broken(what + " " + part + " is above reserved " + whole + " after " + reported(step));
        }
    }
}
