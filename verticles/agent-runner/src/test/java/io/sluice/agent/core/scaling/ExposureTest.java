package io.sluice.agent.core.scaling;

import static io.sluice.agent.core.scaling.Scenario.cu;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.core.revision.ReachedRevision;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExposureTest {
    private static final Optional<Resources> NO_PATCH = Optional.empty();

    @Test
    void isTheSizeAsPatchedWhileThereIsNoStatus() {
        var exposure = new Exposure(Scenario.vm(cu(3), Optional.empty(), Optional.empty()));
        assertThat(exposure.of(cu(2), NO_PATCH)).isEqualTo(cu(2));
    }

    @Test
    void isTheLargestInEachKind() {
        var status = new Resources(500, cu(5).memoryBytes());
        var exposure = new Exposure(Scenario.vm(cu(1), Optional.of(status), Optional.empty()));
        var patch = new Resources(750, cu(1).memoryBytes());
        assertThat(exposure.of(cu(1), Optional.of(patch))).isEqualTo(new Resources(750, cu(5).memoryBytes()));
    }

    @Test
    void keepsTheLastStatusOfAVmThatShowsNone() {
        var exposure = new Exposure(Scenario.vm(cu(1), Optional.of(cu(5)), Optional.empty()));
        exposure.vmUpdated(Scenario.vm(cu(1), Optional.empty(), Optional.empty()));
        assertThat(exposure.of(cu(1), NO_PATCH)).isEqualTo(cu(5));
    }

    @Test
    void remembersAtTheStartThatTheVmMayStillComeToItsSize() {
        var exposure = new Exposure(Scenario.vm(cu(5), Optional.of(cu(1)), Optional.empty()));
        exposure.acknowledged(cu(2), new Revision(1, 0));
        assertThat(exposure.of(cu(2), NO_PATCH)).isEqualTo(cu(5));

        exposure.vmUpdated(shown(cu(2), 1));
        assertThat(exposure.of(cu(2), NO_PATCH)).isEqualTo(cu(2));
    }

    @Test
    void countsALargerPatchUntilTheStatusShowsItsRevisionOrALaterOne() {
        var exposure = settled();
        exposure.acknowledged(cu(6), new Revision(1, 0));
        exposure.acknowledged(cu(2), new Revision(2, 0));
        exposure.vmUpdated(shown(cu(1), 0));
        assertThat(exposure.of(cu(2), NO_PATCH)).isEqualTo(cu(6));

        exposure.vmUpdated(shown(cu(2), 2));
        assertThat(exposure.of(cu(2), NO_PATCH)).isEqualTo(cu(2));
    }

    @Test
    void countsALostPatchUntilALaterOneIsShown() {
        var exposure = settled();
        exposure.lost(cu(6));
        exposure.vmUpdated(shown(cu(1), 1));
        assertThat(exposure.inDoubt()).isTrue();
        exposure.acknowledged(cu(2), new Revision(2, 0));
        assertThat(exposure.inDoubt()).isFalse();
        assertThat(exposure.of(cu(2), NO_PATCH)).isEqualTo(cu(6));

        exposure.vmUpdated(shown(cu(2), 2));
        assertThat(exposure.of(cu(2), NO_PATCH)).isEqualTo(cu(2));
    }

    @Test
    void countsWhatAnotherRunnerPatchedUntilItsOwnPatchIsShown() {
        var exposure = settled();
        exposure.patchedByAnother(cu(7));
        exposure.acknowledged(cu(2), new Revision(3, 0));
        assertThat(exposure.of(cu(2), NO_PATCH)).isEqualTo(cu(7));
        exposure.vmUpdated(shown(cu(2), 3));
        assertThat(exposure.of(cu(2), NO_PATCH)).isEqualTo(cu(2));
    }

    @Test
    void takesACpuThatIsShownRoundedUpForTheOneThatWasPatched() {
        var exposure = new Exposure(Scenario.vm(cu(1), Optional.of(rounded(1)), Optional.empty()));
        assertThat(exposure.of(cu(1), NO_PATCH)).isEqualTo(cu(1));
    }

    @Test
    void takesARoundedCpuForTheLargestThatItCanStandFor() {
        var exposure = new Exposure(Scenario.vm(cu(3), Optional.of(rounded(3)), Optional.empty()));
        exposure.acknowledged(cu(1), new Revision(1, 0));
        exposure.vmUpdated(shown(rounded(1), 0));
        assertThat(exposure.of(cu(1), NO_PATCH)).isEqualTo(new Resources(750, cu(1).memoryBytes()));

        exposure.vmUpdated(shown(rounded(1), 1));
        assertThat(exposure.of(cu(1), NO_PATCH)).isEqualTo(cu(1));
    }

    @Test
    void takesARoundedCpuForAPatchThatIsOnItsWayOrLost() {
        var status = new Resources(2_000, cu(1).memoryBytes());
        var patch = new Resources(1_500, cu(1).memoryBytes());
        var exposure = new Exposure(Scenario.vm(cu(1), Optional.of(cu(1)), Optional.empty()));
        exposure.vmUpdated(shown(status, 0));
        assertThat(exposure.of(cu(1), Optional.of(patch))).isEqualTo(patch);
        exposure.lost(patch);
        assertThat(exposure.of(cu(1), NO_PATCH)).isEqualTo(patch);
    }

    @Test
    void countsTheLargestOfManyThatWereLost() {
        var exposure = settled();
        exposure.lost(cu(6));
        exposure.lost(cu(2));
        assertThat(exposure.of(cu(1), NO_PATCH)).isEqualTo(cu(6));
    }

    @Test
    void confirmsAtOnceWhatTheStatusShowsAlreadyWhicheverObservationComesLast() {
        var exposure = settled();
        exposure.vmUpdated(shown(cu(2), 5));
        exposure.vmUpdated(shown(cu(2), 3));
        assertThat(exposure.shows(new Revision(5, 0))).isTrue();
        exposure.acknowledged(cu(6), new Revision(5, 0));
        assertThat(exposure.of(cu(2), NO_PATCH)).isEqualTo(cu(2));
    }

    /** A driver that never shows a revision must not fill the memory. */
    @Test
    void countsManyUnconfirmedPatchesTogetherAndConfirmsThemTogether() {
        var exposure = settled();
        exposure.acknowledged(cu(9), new Revision(1, 0));
        for (int i = 2; i <= 1_000; i++) {
            exposure.acknowledged(cu(2), new Revision(i, 0));
        }
        exposure.vmUpdated(shown(cu(2), 1));
        assertThat(exposure.of(cu(2), NO_PATCH)).isEqualTo(cu(9));
        exposure.vmUpdated(shown(cu(2), 999));
        assertThat(exposure.of(cu(2), NO_PATCH)).isEqualTo(cu(2));
    }

    /** A pod of one CPU that was patched to less still has it: nothing rounds what its status shows. */
    @Test
    void countsAWholeCpuOfAPodAsItIs() {
        var pod = new VmInfo(cu(1), cu(16), cu(4), 1, ScalingOverrides.NONE, Optional.empty(), Optional.of(cu(4)));
        var exposure = new Exposure(pod);
        exposure.acknowledged(cu(3), new Revision(1, 0));

        exposure.vmUpdated(pod);
        assertThat(exposure.of(cu(3), NO_PATCH)).isEqualTo(cu(4));
    }

    private static Exposure settled() {
        return new Exposure(Scenario.vm(cu(1), Optional.of(cu(1)), Optional.empty()));
    }

    private static Resources rounded(int units) {
        return new Resources(1_000, cu(units).memoryBytes());
    }

    private static VmInfo shown(Resources status, long revision) {
        return Scenario.vm(
                cu(1),
                Optional.of(status),
                Optional.of(new ReachedRevision(new Revision(revision, 0), Scenario.START)));
    }
}
