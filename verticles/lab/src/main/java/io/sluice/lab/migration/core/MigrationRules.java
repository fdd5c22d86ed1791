package io.sluice.lab.migration.core;

import io.sluice.lab.migration.core.LabMigrationView.Target;
import io.sluice.lab.migration.core.LabMigrationView.Vm;
import java.util.Optional;

/** Decides the controller's next step for a migration, in NeonVM's order, gaps included. */
public final class MigrationRules {
    private MigrationRules() {}

    /**
     * Decides by the present state.
     *
     * @param due whether the phase has lasted as long as it should
     * @param fault the fault of this migration, if any
     */
    public static MigrationStep next(LabMigrationView observed, boolean due, Optional<MigrationFault> fault) {
        boolean halfSwitched = observed.phase() == LabMigrationView.Phase.RUNNING && observed.vm() == Vm.MOVED;
        if (observed.deleting() && !halfSwitched) {
            return observed.adopted() ? MigrationStep.LET_GO : MigrationStep.REST;
        }
        return switch (observed.phase()) {
            case NEW -> begin(observed, due);
            case PENDING -> pending(observed, due, fault);
            case RUNNING -> running(observed, due, fault);
            case SUCCEEDED -> observed.sourceNamed() ? MigrationStep.DROP_SOURCE : MigrationStep.REST;
            case FAILED -> failed(observed);
        };
    }

    private static MigrationStep begin(LabMigrationView observed, boolean due) {
        if (!observed.adopted()) {
            return MigrationStep.ADOPT;
        }
        return switch (observed.vm()) {
            case GONE -> MigrationStep.FAIL;
            case FREE -> due ? MigrationStep.BEGIN : MigrationStep.WAIT;
            case LOCKED -> MigrationStep.BEGIN;
            case BUSY, COPYING, MOVED -> MigrationStep.WAIT;
        };
    }

    private static MigrationStep pending(LabMigrationView observed, boolean due, Optional<MigrationFault> fault) {
        if (observed.vm() == Vm.GONE) {
            return MigrationStep.FAIL;
        }
        return switch (observed.target()) {
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

    private static MigrationStep running(LabMigrationView observed, boolean due, Optional<MigrationFault> fault) {
        if (observed.vm() == Vm.MOVED) {
            return MigrationStep.SWITCH_OVER;
        }
        if (observed.vm() == Vm.GONE || observed.target() != Target.RUNNING) {
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

    /** A VM that was only locked stays locked until the object is deleted. */
    private static MigrationStep failed(LabMigrationView observed) {
        if (observed.vm() == Vm.COPYING) {
            return MigrationStep.FREE_VM;
        }
        return switch (observed.target()) {
            case UNBOUND, STARTING, RUNNING -> MigrationStep.DROP_TARGET;
            case NOT_MADE, ENDED -> MigrationStep.REST;
        };
    }

    private static boolean is(Optional<MigrationFault> fault, MigrationFault wanted) {
        return fault.filter(wanted::equals).isPresent();
    }
}
