package io.sluice.agent.core.scaling;

import static io.sluice.agent.core.scaling.Scenario.cu;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An upscale counts as used once the VM's status shows it. */
class ConfirmByStatusTest {
    private Scenario scenario;

    @BeforeEach
    void grownButNotConfirmed() {
        scenario = Scenario.of(Scenario.with(PermitSafety.STRICT, ConfirmationMode.STATUS, 0), 1)
                .introduced(1);
        scenario.core().monitorActive(scenario.now());
        scenario.at(1).load(3).requests(3).granted(3).patched(3);
    }

    @Test
    void upscalesTheGuestOnlyThen() {
        scenario.offersNothing();
        assertThat(scenario.core().state().using()).isEqualTo(cu(1));

        scenario.at(2).settledAt(3).reportsGuest(3);
    }

    @Test
    void upscalesTheGuestAtOnceWhenTheStatusWasFaster() {
        var early = Scenario.of(Scenario.with(PermitSafety.STRICT, ConfirmationMode.STATUS, 0), 1)
                .introduced(1);
        early.core().monitorActive(early.now());
        early.at(1).load(3).requests(3).granted(3).patches(3).settledAt(3);
        early.core().neonVmSuccess(early.now());
        early.reportsGuest(3);
    }

    @Test
    void doesNotRepeatThePatchThatIsWaitedFor() {
        scenario.at(40).requests(3).granted(3).offersNothing();
    }

    @Test
    void replacesItByAnotherAfterAWhile() {
        scenario.at(2).load(1);
        scenario.offersNothing();
        assertThat(scenario.next().waitFor().orElseThrow()).isLessThanOrEqualTo(Scenario.seconds(29));

        scenario.at(31).requests(3).granted(3).patched(1);
        assertThat(scenario.core().state().exposure()).isEqualTo(cu(3));
        scenario.at(32).settledAt(1).requests(1);
    }

    @Test
    void goesOnWaitingWhenTheOneThatReplacesItIsRefused() {
        scenario.at(31).load(1).requests(3).granted(3).patches(1).core().neonVmFailed(scenario.now());
        assertThat(scenario.core().state().patching()).contains(cu(3));
    }
}
