package io.sluice.lab.migration.core;

import static io.sluice.lab.migration.core.MigrationStep.ADOPT;
import static io.sluice.lab.migration.core.MigrationStep.BEGIN;
import static io.sluice.lab.migration.core.MigrationStep.BEGIN_COPY;
import static io.sluice.lab.migration.core.MigrationStep.BIND_TARGET;
import static io.sluice.lab.migration.core.MigrationStep.CREATE_TARGET;
import static io.sluice.lab.migration.core.MigrationStep.DROP_SOURCE;
import static io.sluice.lab.migration.core.MigrationStep.DROP_TARGET;
import static io.sluice.lab.migration.core.MigrationStep.FAIL;
import static io.sluice.lab.migration.core.MigrationStep.FREE_VM;
import static io.sluice.lab.migration.core.MigrationStep.KILL_TARGET;
import static io.sluice.lab.migration.core.MigrationStep.LET_GO;
import static io.sluice.lab.migration.core.MigrationStep.REST;
import static io.sluice.lab.migration.core.MigrationStep.START_TARGET;
import static io.sluice.lab.migration.core.MigrationStep.SWITCH_OVER;
import static io.sluice.lab.migration.core.MigrationStep.WAIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.lab.migration.core.LabMigrationView.Phase;
import io.sluice.lab.migration.core.LabMigrationView.Target;
import io.sluice.lab.migration.core.LabMigrationView.Vm;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class MigrationRulesTest {
    static Stream<Arguments> steps() {
        return Stream.of(
                step(Phase.NEW, Vm.FREE, Target.NOT_MADE, BEGIN),
                step(Phase.NEW, Vm.LOCKED, Target.NOT_MADE, BEGIN),
                step(Phase.NEW, Vm.BUSY, Target.NOT_MADE, WAIT),
                step(Phase.NEW, Vm.GONE, Target.NOT_MADE, FAIL),
                step(Phase.PENDING, Vm.LOCKED, Target.NOT_MADE, CREATE_TARGET),
                step(Phase.PENDING, Vm.LOCKED, Target.UNBOUND, BIND_TARGET),
                step(Phase.PENDING, Vm.LOCKED, Target.STARTING, START_TARGET),
                step(Phase.PENDING, Vm.LOCKED, Target.RUNNING, BEGIN_COPY),
                step(Phase.PENDING, Vm.COPYING, Target.RUNNING, BEGIN_COPY),
                step(Phase.PENDING, Vm.LOCKED, Target.ENDED, FAIL),
                step(Phase.PENDING, Vm.GONE, Target.STARTING, FAIL),
                step(Phase.RUNNING, Vm.COPYING, Target.RUNNING, SWITCH_OVER),
                step(Phase.RUNNING, Vm.MOVED, Target.RUNNING, SWITCH_OVER),
                step(Phase.RUNNING, Vm.COPYING, Target.ENDED, FAIL),
                step(Phase.RUNNING, Vm.GONE, Target.RUNNING, FAIL),
                step(Phase.SUCCEEDED, Vm.MOVED, Target.RUNNING, DROP_SOURCE),
                step(Phase.FAILED, Vm.COPYING, Target.RUNNING, FREE_VM),
                step(Phase.FAILED, Vm.FREE, Target.RUNNING, DROP_TARGET),
                step(Phase.FAILED, Vm.LOCKED, Target.STARTING, DROP_TARGET),
                step(Phase.FAILED, Vm.LOCKED, Target.ENDED, REST),
                step(Phase.FAILED, Vm.FREE, Target.ENDED, REST));
    }

    private static Arguments step(Phase phase, Vm vm, Target target, MigrationStep expected) {
        return Arguments.of(phase, vm, target, expected);
    }

    @ParameterizedTest(name = "{0}, VM {1}, target {2}: {3}")
    @MethodSource("steps")
    void takesTheNextStep(Phase phase, Vm vm, Target target, MigrationStep expected) {
        assertThat(MigrationRules.next(view(phase, vm, target), true, Optional.empty()))
                .isEqualTo(expected);
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                Arguments.of(MigrationFault.STAYS_UNBOUND, Phase.PENDING, Target.UNBOUND, WAIT),
                Arguments.of(MigrationFault.HANGS_PENDING, Phase.PENDING, Target.STARTING, WAIT),
                Arguments.of(MigrationFault.ENDS_IN_PLACE, Phase.PENDING, Target.STARTING, FAIL),
                Arguments.of(MigrationFault.LANDS_ELSEWHERE, Phase.PENDING, Target.STARTING, START_TARGET),
                Arguments.of(MigrationFault.FAILS, Phase.PENDING, Target.STARTING, START_TARGET),
                Arguments.of(MigrationFault.FAILS, Phase.RUNNING, Target.RUNNING, FAIL),
                Arguments.of(MigrationFault.HANGS_RUNNING, Phase.RUNNING, Target.RUNNING, WAIT),
                Arguments.of(MigrationFault.TARGET_DIES, Phase.RUNNING, Target.RUNNING, KILL_TARGET),
                Arguments.of(MigrationFault.TARGET_DIES, Phase.RUNNING, Target.ENDED, FAIL));
    }

    @ParameterizedTest(name = "{0} in {1}, target {2}: {3}")
    @MethodSource("faults")
    void goesWrongOnRequest(MigrationFault fault, Phase phase, Target target, MigrationStep expected) {
        var vm = phase == Phase.PENDING ? Vm.LOCKED : Vm.COPYING;

        assertThat(MigrationRules.next(view(phase, vm, target), true, Optional.of(fault)))
                .isEqualTo(expected);
    }

    @Test
    void takesItsTime() {
        assertThat(MigrationRules.next(view(Phase.NEW, Vm.FREE, Target.NOT_MADE), false, Optional.empty()))
                .isEqualTo(WAIT);
        assertThat(MigrationRules.next(view(Phase.PENDING, Vm.LOCKED, Target.STARTING), false, Optional.empty()))
                .isEqualTo(WAIT);
        for (var fault : MigrationFault.values()) {
            var copying = view(Phase.RUNNING, Vm.COPYING, Target.RUNNING);
            assertThat(MigrationRules.next(copying, false, Optional.of(fault))).isEqualTo(WAIT);
        }
    }

    @Test
    void adoptsTheObjectFirst() {
        var fresh = new LabMigrationView(Phase.NEW, false, false, Vm.FREE, Target.NOT_MADE, false);

        assertThat(MigrationRules.next(fresh, true, Optional.empty())).isEqualTo(ADOPT);
    }

    @Test
    void restsOnceTheSourceIsGone() {
        var done = new LabMigrationView(Phase.SUCCEEDED, false, true, Vm.MOVED, Target.RUNNING, false);

        assertThat(MigrationRules.next(done, true, Optional.empty())).isEqualTo(REST);
    }

    @ParameterizedTest
    @EnumSource(Phase.class)
    void letsGoOfAnObjectThatIsDeletedInAnyPhase(Phase phase) {
        var adopted = new LabMigrationView(phase, true, true, Vm.LOCKED, Target.STARTING, true);
        var strange = new LabMigrationView(phase, true, false, Vm.LOCKED, Target.STARTING, true);

        assertThat(MigrationRules.next(adopted, false, Optional.empty())).isEqualTo(LET_GO);
        assertThat(MigrationRules.next(strange, false, Optional.empty())).isEqualTo(REST);
    }

    @Test
    void letsGoWhereTheVmIsGone() {
        var orphan = new LabMigrationView(Phase.RUNNING, true, true, Vm.GONE, Target.RUNNING, true);

        assertThat(MigrationRules.next(orphan, false, Optional.empty())).isEqualTo(LET_GO);
    }

    @Test
    void finishesTheSwitchBeforeItLetsGo() {
        var half = new LabMigrationView(Phase.RUNNING, true, true, Vm.MOVED, Target.RUNNING, true);

        assertThat(MigrationRules.next(half, true, Optional.empty())).isEqualTo(SWITCH_OVER);
    }

    private static LabMigrationView view(Phase phase, Vm vm, Target target) {
        return new LabMigrationView(phase, false, true, vm, target, true);
    }
}
