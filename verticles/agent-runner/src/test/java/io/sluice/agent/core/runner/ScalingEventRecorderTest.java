package io.sluice.agent.core.runner;

import static io.sluice.agent.core.runner.RunnerRig.cu;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.agent.core.scaling.ActionSet;
import io.sluice.agent.core.scaling.Demand;
import io.sluice.agent.core.scaling.ScalingConfig;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.ScalingNoted;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is noted of sizes that a VM is given, and of those that its metrics ask for. */
class ScalingEventRecorderTest {
    private static final Instant NOW = Instant.parse("2025-03-04T05:06:07.123456789Z");
    private static final Optional<Double> NONE = Optional.empty();

    private final RunnerRequests out = new RunnerRequests(Duration.ofSeconds(15));

    @Test
    void aPatchIsNotedWithItsSizesInTheUnitsOfPeopleOutside() {
        notes(0.25, 0.25).patching(cu(1), cu(2), NOW);

        assertThat(noted())
                .containsExactly(new ScalingNoted(
                        ScalingNoted.Kind.ACTUAL, RunnerRig.VM, "ep-1", NOW, 250, 500, NONE, NONE, NONE));
    }

    @ParameterizedTest
    @CsvSource({"0.25, 3, 750", "0.3, 1, 300", "0.0005, 1, 1", "0.0004, 1, 0", "0.3333, 2, 667", "1000, 1, 1000000"})
    void sizesAreRoundedToThousandths(double multiplier, int units, long milliCu) {
        notes(multiplier, 0).patching(cu(7), cu(units), NOW);

        assertThat(noted().getFirst().targetMilliCu()).isEqualTo(milliCu);
    }

    @Test
    void sizesThatAreNoWholeUnitsAreNotNoted() {
        var notes = notes(0.25, 0.25);
        var odd = new Resources(300, 1L << 30);
        var apart = new Resources(500, 1L << 30);

        notes.patching(odd, cu(2), NOW);
        notes.patching(cu(2), odd, NOW);
        notes.patching(apart, cu(2), NOW);
        notes.weighed(odd, weighed(3, Optional.of(2.5), true), NOW);
        notes.weighed(apart, weighed(3, Optional.of(2.5), true), NOW);

        assertThat(noted()).isEmpty();
    }

    @Test
    void aPatchThatOnlyShutsOutAnotherGivesNoSize() {
        notes(0.25, 0.25).patching(cu(2), cu(2), NOW);

        assertThat(noted()).isEmpty();
    }

    @Test
    void aGoalIsNotedWithThePartsThatItWasMadeFrom() {
        var basis = new GoalBasis(3, Optional.of(2.44), Optional.of(1.6), NONE, NONE, NONE, NONE, 9, 9);
        notes(0.25, 0.25).weighed(cu(2), weighed(basis, true), NOW);

        assertThat(noted())
                .containsExactly(new ScalingNoted(
                        ScalingNoted.Kind.HYPOTHETICAL,
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
    void aGoalThatLacksMetricsIsNotNoted() {
        notes(0.25, 0.25).weighed(cu(2), weighed(3, Optional.of(2.5), false), NOW);

        assertThat(noted()).isEmpty();
    }

    @Test
    void aPartThatIsNoNumberWasNotComputed() {
        var notes = notes(0.25, 0.25);
        notes.weighed(cu(2), weighed(3, Optional.of(Double.NaN), true), NOW);
        notes.weighed(cu(2), weighed(3, Optional.of(Double.POSITIVE_INFINITY), true), NOW);

        assertThat(noted()).extracting(ScalingNoted::cpuCu).containsExactly(NONE);
    }

    /** A threshold of 0.25 outside is one unit of the agent's at this multiplier. */
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
    void theSameGoalIsNotedAgainWhenAPartMovedByTheThreshold(
            double threshold, double before, double after, boolean again) {
        var notes = notes(0.25, threshold);
        notes.weighed(cu(2), weighed(4, Optional.of(before), true), NOW);
        notes.weighed(cu(2), weighed(4, Optional.of(after), true), NOW.plusSeconds(5));

        assertThat(noted()).hasSize(again ? 2 : 1);
    }

    @Test
    void smallMovesAddUpSinceTheLastNote() {
        var notes = notes(0.25, 0.25);
        for (int step = 0; step <= 12; step++) {
            notes.weighed(cu(2), weighed(4, Optional.of(1 + step * 0.25), true), NOW);
        }

        assertThat(noted())
                .extracting(ScalingNoted::cpuCu)
                .containsExactly(Optional.of(0.25), Optional.of(0.5), Optional.of(0.75), Optional.of(1.0));
    }

    @Test
    void anotherGoalOrAnotherSetOfPartsIsAlwaysNoted() {
        var notes = notes(0.25, 100);
        notes.weighed(cu(2), weighed(4, Optional.of(2.5), true), NOW);
        notes.weighed(cu(2), weighed(5, Optional.of(2.5), true), NOW);
        notes.weighed(cu(2), weighed(5, NONE, true), NOW);
        notes.weighed(cu(2), weighed(5, Optional.of(2.5), true), NOW);
        assertThat(noted()).hasSize(4);

        notes.weighed(cu(3), weighed(5, Optional.of(2.5), true), NOW);
        assertThat(noted()).as("only the size it has changed").isEmpty();
    }

    @Test
    void aRunnerNotesWhatItsVmAsksForAndThenWhatItIsGiven() {
        var rig = RunnerRig.serving();

        rig.patchTo(6);

        assertThat(rig.notes)
                .extracting(ScalingNoted::kind, ScalingNoted::currentMilliCu, ScalingNoted::targetMilliCu)
                .containsExactly(
                        tuple(ScalingNoted.Kind.HYPOTHETICAL, 1_000L, 1_500L),
                        tuple(ScalingNoted.Kind.ACTUAL, 1_000L, 1_500L));
        assertThat(rig.notes).extracting(ScalingNoted::at).containsOnly(rig.now);
        assertThat(rig.notes.getFirst().cpuCu().orElseThrow()).isEqualTo(1.5);
        assertThat(rig.notes.getFirst().lfcCu()).isEmpty();
    }

    @Test
    void aNoteNamesTheEndpointThatTheVmServesNow() {
        var rig = RunnerRig.serving();
        rig.sample(6);
        rig.tell(new RunnerEvent.VmChanged(RunnerObservations.ofEndpoint(2, "ep-2")));
        rig.sample(3);

        assertThat(rig.notes).extracting(ScalingNoted::endpointId).containsExactly("", "ep-2");
    }

    @Test
    void aRunnerDoesNotRepeatItselfUnderASteadyLoad() {
        var rig = RunnerRig.serving();

        rig.live(Duration.ofMinutes(5), 4);

        assertThat(rig.notes).extracting(ScalingNoted::kind).containsExactly(ScalingNoted.Kind.HYPOTHETICAL);
    }

    private ScalingEventRecorder notes(double multiplier, double threshold) {
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
                new ScalingEventRecorderConfig(multiplier, threshold));
        var view = new VmObjectView(
                RunnerObservations.ofEndpoint(1, "ep-1"), ScalingConfig.DEFAULTS, ScalingOverrides.NONE);
        return new ScalingEventRecorder(view, config, out);
    }

    private List<ScalingNoted> noted() {
        return out.drain().stream()
                .map(action -> ((RunnerAction.Note) action).noted())
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
