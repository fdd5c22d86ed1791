package io.sluice.agent.core.runner;

import static io.sluice.agent.core.runner.RunnerRig.cu;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.agent.core.policy.PolicyConfig;
import io.sluice.agent.core.policy.PolicyKind;
import io.sluice.agent.core.policy.PolicyPair;
import io.sluice.agent.core.scaling.CoreEntry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Goal: the policy in force sizes a VM; the one beside it only reports. */
class RunnerPoliciesTest {
    private static final PolicyConfig AGENT = PolicyConfig.DEFAULTS;

    /** Of half the size, so that it asks for twice as much. */
    private static final PolicyConfig DEMAND = new PolicyConfig(
            "half",
            PolicyKind.DEMAND,
            0.995,
            0.2,
            0.5,
            0.95,
            Duration.ofSeconds(30),
            Duration.ofHours(1),
            0,
            7,
            Duration.ofMinutes(30),
            0);

    @Test
    void withoutAPolicyTheReferencesAlgorithmCounts() {
        var rig = RunnerRig.serving(PolicyPair.DEFAULTS).sample(6);

        assertThat(rig.only(RunnerAction.RequestPermit.class).request().target())
                .isEqualTo(cu(6));
        assertThat(rig.runner.shadowCu()).isEmpty();
        assertThat(rig.why()).doesNotContain("not in force");
    }

    @Test
    void thePolicyInForceSizesTheVm() {
        var rig = RunnerRig.serving(new PolicyPair(DEMAND, DEMAND)).sample(6);

        // 6 units at 0.9 of a load of 1 are 5.4 units of demand: 10.8 at half of the size.
        assertThat(rig.only(RunnerAction.RequestPermit.class).request().target())
                .isEqualTo(cu(11));
        assertThat(rig.runner.goalCu()).isEqualTo(11);
        assertThat(rig.runner.shadowCu()).isEmpty();
    }

    @Test
    void thePolicyBesideItIsReportedAndNotApplied() {
        var rig = RunnerRig.serving(new PolicyPair(AGENT, DEMAND)).sample(6);

        assertThat(rig.only(RunnerAction.RequestPermit.class).request().target())
                .isEqualTo(cu(6));
        assertThat(rig.runner.goalCu()).isEqualTo(6);
        assertThat(rig.runner.shadowCu()).contains(11);
        assertThat(rig.why()).endsWith("the policy half, which is not in force, asks for 11 CU");
    }

    @Test
    void aPolicyWithoutFreshMetricsHasNoGoal() {
        var rig = RunnerRig.serving(new PolicyPair(DEMAND, AGENT)).sample(6);
        assertThat(rig.runner.shadowCu()).contains(6);

        rig.pass(Duration.ofMinutes(1)).pass(Duration.ofMinutes(1)).pass(Duration.ofMinutes(1));

        assertThat(rig.runner.shadowCu()).isEmpty();
        assertThat(rig.runner.goalCu()).isZero();
    }

    @Test
    void aPolicyThatNeedsTheFutureIsRefusedByItsKey() {
        var hindsight = new PolicyConfig(
                "bound",
                PolicyKind.HINDSIGHT,
                0.995,
                0.2,
                0.95,
                0.95,
                Duration.ofSeconds(30),
                Duration.ofHours(1),
                0,
                7,
                Duration.ofMinutes(30),
                0);

        assertThatThrownBy(() -> new PolicyPair(AGENT, hindsight))
                .hasMessageContaining("agent.shadowPolicy.kind=HINDSIGHT");
    }

    /**
     * What a recording has of a runner: from its start, with the policy's goals, and nothing unless it is asked for.
     */
    @Test
    void aRunnersStepsAreKeptOnlyWhileTheyAreRecorded() {
        var rig = RunnerRig.serving(new PolicyPair(DEMAND, AGENT)).sample(6);
        assertThat(rig.runner.takeStep()).isEmpty();

        rig.runner.record(true);
        rig.sample(7);

        assertThat(rig.runner.takeStep().orElseThrow().entries())
                .hasAtLeastOneElementOfType(CoreEntry.Sampled.class)
                .hasAtLeastOneElementOfType(CoreEntry.GoalGiven.class)
                .hasAtLeastOneElementOfType(CoreEntry.Decided.class);
    }
}
