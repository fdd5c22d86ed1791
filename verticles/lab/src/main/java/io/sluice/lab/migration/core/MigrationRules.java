package io.sluice.lab.migration.core;

import io.sluice.lab.migration.core.LabMigrationView.Target;
import io.sluice.lab.migration.core.LabMigrationView.Vm;
import java.util.Optional;

/** What the controller does for a migration next, by NeonVM's order of things, gaps included. */
public final class MigrationRules {
    private MigrationRules() {}

    /**
     * Decides from what is seen.
     *
     * @param due whether the phase has lasted as long as it should
     * @param fault what is to go wrong with it, if anything
     */
    public static MigrationStep next(LabMigrationView seen, boolean due, Optional<MigrationFault> fault) {
        boolean halfSwitched = seen.phase() == LabMigrationView.Phase.RUNNING && seen.vm() == Vm.MOVED;
        if (seen.deleting() && !halfSwitched) {
            return seen.adopted() ? MigrationStep.LET_GO : MigrationStep.REST;
        }
        return switch (seen.phase()) {
            case NEW -> begin(seen, due);
            case PENDING -> pending(seen, due, fault);
            case RUNNING -> running(seen, due, fault);
            case SUCCEEDED -> seen.sourceNamed() ? MigrationStep.DROP_SOURCE : MigrationStep.REST;
            case FAILED -> failed(seen);
        };
    }

    private static MigrationStep begin(LabMigrationView seen, boolean due) {
        if (!seen.adopted()) {
            return MigrationStep.ADOPT;
        }
        return switch (seen.vm()) {
            case GONE -> MigrationStep.FAIL;
            case FREE -> due ? MigrationStep.BEGIN : MigrationStep.WAIT;
            case LOCKED -> MigrationStep.BEGIN;
            case BUSY, COPYING, MOVED -> MigrationStep.WAIT;
        };
    }

    private static MigrationStep pending(LabMigrationView seen, boolean due, Optional<MigrationFault> fault) {
        if (seen.vm() == Vm.GONE) {
            return MigrationStep.FAIL;
        }
        return switch (seen.target()) {
            case NOT_MADE -> MigrationStep.CREATE_TARGET;
            case UNBOUND -> is(fault, MigrationFault.STAYS_UNBOUND) ? MigrationStep.WAIT : MigrationStep.BIND_TARGET;
            case STARTING -> starting(due, fault);
            case RUNNING -> MigrationStep.BEGIN_COPY;
            case ENDED -> MigrationStep.FAIL;
        };
    }

    private static MigrationStep starting(boolean due, Optional<MigrationFault> fault) {
        if (!due || is(fault, MigrationFault.HANGS_PENDING)) {
            return MigrationStep.WAIT;
        }
        return is(fault, MigrationFault.ENDS_IN_PLACE) ? MigrationStep.FAIL : MigrationStep.START_TARGET;
    }

    private static MigrationStep running(LabMigrationView seen, boolean due, Optional<MigrationFault> fault) {
        if (seen.vm() == Vm.MOVED) {
            return MigrationStep.SWITCH_OVER;
        }
        if (seen.vm() == Vm.GONE || seen.target() != Target.RUNNING) {
            return MigrationStep.FAIL;
        }
        if (!due || is(fault, MigrationFault.HANGS_RUNNING)) {
            return MigrationStep.WAIT;
        }
        if (is(fault, MigrationFault.TARGET_DIES)) {
            return MigrationStep.KILL_TARGET;
        }
        return is(fault, MigrationFault.FAILS) ? MigrationStep.FAIL : MigrationStep.SWITCH_OVER;
    }

    /** A VM that was only locked stays so until the object is deleted. */
    private static MigrationStep failed(LabMigrationView seen) {
        if (seen.vm() == Vm.COPYING) {
            return MigrationStep.FREE_VM;
        }
        return switch (seen.target()) {
            case UNBOUND, STARTING, RUNNING -> MigrationStep.DROP_TARGET;
            case NOT_MADE, ENDED -> MigrationStep.REST;
        };
    }

    private static boolean is(Optional<MigrationFault> fault, MigrationFault wanted) {
        return fault.filter(wanted::equals).isPresent();
    }
}
