package io.sluice.agent.core.runner;

import static io.sluice.agent.core.runner.RunnerRig.cu;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.agent.core.scaling.ActionSet;
import io.sluice.agent.core.scaling.Demand;
import io.sluice.agent.core.scaling.ScalingConfig;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.ScalingRecorded;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is recorded of sizes that a VM is patched to, and of the goals of its metrics. */
class ScalingEventRecorderTest {
    private static final Instant NOW = Instant.parse("2025-03-04T05:06:07.123456789Z");
    private static final Optional<Double> NONE = Optional.empty();

    private final RunnerRequests out = new RunnerRequests(Duration.ofSeconds(15));

    @Test
    void aPatchIsRecordedWithItsSizesInTheUnitsOfUsers() {
        records(0.25, 0.25).patching(cu(1), cu(2), NOW);

        assertThat(recorded())
                .containsExactly(new ScalingRecorded(
                        ScalingRecorded.Kind.ACTUAL, RunnerRig.VM, "ep-1", NOW, 250, 500, NONE, NONE, NONE));
    }

    @ParameterizedTest
    @CsvSource({"0.25, 3, 750", "0.3, 1, 300", "0.0005, 1, 1", "0.0004, 1, 0", "0.3333, 2, 667", "1000, 1, 1000000"})
    void sizesAreRoundedToThousandths(double multiplier, int units, long milliCu) {
        records(multiplier, 0).patching(cu(7), cu(units), NOW);

        assertThat(recorded().getFirst().targetMilliCu()).isEqualTo(milliCu);
    }

    @Test
    void sizesThatAreNoWholeUnitsAreNotRecorded() {
        var recorder = records(0.25, 0.25);
        var odd = new Resources(300, 1L << 30);
        var apart = new Resources(500, 1L << 30);

        recorder.patching(odd, cu(2), NOW);
        recorder.patching(cu(2), odd, NOW);
        recorder.patching(apart, cu(2), NOW);
        recorder.weighed(odd, weighed(3, Optional.of(2.5), true), NOW);
        recorder.weighed(apart, weighed(3, Optional.of(2.5), true), NOW);

        assertThat(recorded()).isEmpty();
    }

    @Test
    void aPatchThatOnlyShutsOutAnotherGivesNoSize() {
        records(0.25, 0.25).patching(cu(2), cu(2), NOW);

        assertThat(recorded()).isEmpty();
    }

    @Test
    void aGoalIsRecordedWithThePartsThatItWasMadeFrom() {
        var basis = new GoalBasis(3, Optional.of(2.44), Optional.of(1.6), NONE, NONE, NONE, NONE, 9, 9);
        records(0.25, 0.25).weighed(cu(2), weighed(basis, true), NOW);

        assertThat(recorded())
                .containsExactly(new ScalingRecorded(
                        ScalingRecorded.Kind.HYPOTHETICAL,
                        RunnerRig.VM,
                        "ep-1",
                        NOW,
                        500,
                        750,
                        Optional.of(0.61),
                        Optional.of(0.4),
                        NONE));
    }

    @Test
    void aGoalThatLacksMetricsIsNotRecorded() {
        records(0.25, 0.25).weighed(cu(2), weighed(3, Optional.of(2.5), false), NOW);

        assertThat(recorded()).isEmpty();
    }

    @Test
    void aPartThatIsNoNumberWasNotComputed() {
        var recorder = records(0.25, 0.25);
        recorder.weighed(cu(2), weighed(3, Optional.of(Double.NaN), true), NOW);
        recorder.weighed(cu(2), weighed(3, Optional.of(Double.POSITIVE_INFINITY), true), NOW);

        assertThat(recorded()).extracting(ScalingRecorded::cpuCu).containsExactly(NONE);
    }

    /** A threshold of 0.25 external units is one unit of the agent's at this multiplier. */
    @ParameterizedTest(name = "threshold {0}: {1} to {2}")
    @CsvSource({
        "0.25, 2.5, 2.5, false",
        "0.25, 2.5, 3.25, false",
        "0.25, 2.5, 3.5, true",
        "0.25, 2.5, 1.5, true",
        "0.25, 2.5, 1.75, false",
        "0.5, 2.5, 3.5, false",
        "0.5, 2.5, 4.5, true",
        "0.125, 2.5, 3, true",
        "0, 2.5, 2.5000001, true",
        "0, 2.5, 2.5, false"
    })
    void theSameGoalIsRecordedAgainWhenAPartMovedByTheThreshold(
            double threshold, double before, double after, boolean again) {
        var recorder = records(0.25, threshold);
        recorder.weighed(cu(2), weighed(4, Optional.of(before), true), NOW);
        recorder.weighed(cu(2), weighed(4, Optional.of(after), true), NOW.plusSeconds(5));

        assertThat(recorded()).hasSize(again ? 2 : 1);
    }

    @Test
    void smallMovesAddUpSinceTheLastRecord() {
        var recorder = records(0.25, 0.25);
        for (int step = 0; step <= 12; step++) {
            recorder.weighed(cu(2), weighed(4, Optional.of(1 + step * 0.25), true), NOW);
        }

        assertThat(recorded())
                .extracting(ScalingRecorded::cpuCu)
                .containsExactly(Optional.of(0.25), Optional.of(0.5), Optional.of(0.75), Optional.of(1.0));
    }

    @Test
    void anotherGoalOrAnotherSetOfPartsIsAlwaysRecorded() {
        var recorder = records(0.25, 100);
        recorder.weighed(cu(2), weighed(4, Optional.of(2.5), true), NOW);
        recorder.weighed(cu(2), weighed(5, Optional.of(2.5), true), NOW);
        recorder.weighed(cu(2), weighed(5, NONE, true), NOW);
        recorder.weighed(cu(2), weighed(5, Optional.of(2.5), true), NOW);
        assertThat(recorded()).hasSize(4);

        recorder.weighed(cu(3), weighed(5, Optional.of(2.5), true), NOW);
        assertThat(recorded()).as("only the size it has changed").isEmpty();
    }

    @Test
    void aRunnerRecordsTheGoalOfItsVmAndThenWhatItIsGiven() {
        var rig = RunnerRig.serving();

        rig.patchTo(6);

        assertThat(rig.entries)
                .extracting(ScalingRecorded::kind, ScalingRecorded::currentMilliCu, ScalingRecorded::targetMilliCu)
                .containsExactly(
                        tuple(ScalingRecorded.Kind.HYPOTHETICAL, 1_000L, 1_500L),
                        tuple(ScalingRecorded.Kind.ACTUAL, 1_000L, 1_500L));
        assertThat(rig.entries).extracting(ScalingRecorded::at).containsOnly(rig.now);
        assertThat(rig.entries.getFirst().cpuCu().orElseThrow()).isEqualTo(1.5);
        assertThat(rig.entries.getFirst().lfcCu()).isEmpty();
    }

    @Test
    void aRecordNamesTheEndpointThatTheVmServesNow() {
        var rig = RunnerRig.serving();
        rig.sample(6);
        rig.report(new RunnerEvent.VmChanged(RunnerObservations.ofEndpoint(2, "ep-2")));
        rig.sample(3);

        assertThat(rig.entries).extracting(ScalingRecorded::endpointId).containsExactly("", "ep-2");
    }

    @Test
    void aRunnerDoesNotRepeatItselfUnderASteadyLoad() {
        var rig = RunnerRig.serving();

        rig.live(Duration.ofMinutes(5), 4);

        assertThat(rig.entries).extracting(ScalingRecorded::kind).containsExactly(ScalingRecorded.Kind.HYPOTHETICAL);
    }

    private ScalingEventRecorder records(double multiplier, double threshold) {
        var usual = RunnerRig.CONFIG;
        var config = new RunnerConfig(
                usual.core(),
                usual.requestTickJitter(),
                usual.scrapePeriod(),
                usual.absentAfterScrapes(),
                usual.lfc(),
                usual.attachPeriod(),
                usual.requestDeadline(),
                usual.reportEvery(),
                usual.restarts(),
                new ScalingEventRecorderConfig(multiplier, threshold),
                usual.policies());
        var view = new VmObjectView(
                RunnerObservations.ofEndpoint(1, "ep-1"), ScalingConfig.DEFAULTS, ScalingOverrides.NONE);
        return new ScalingEventRecorder(view, config, out);
    }

    private List<ScalingRecorded> recorded() {
        return out.drain().stream()
                .map(action -> ((RunnerAction.Record) action).recorded())
                .toList();
    }

    private static ActionSet weighed(int goal, Optional<Double> cpu, boolean complete) {
        return weighed(new GoalBasis(goal, cpu, NONE, NONE, NONE, NONE, NONE, 0, 0), complete);
    }

    private static ActionSet weighed(GoalBasis basis, boolean complete) {
        return new ActionSet(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                cu(1),
                new Demand(cu(1), cu(1), true, complete, false),
                basis);
    }
}
