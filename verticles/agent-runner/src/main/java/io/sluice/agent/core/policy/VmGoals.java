package io.sluice.agent.core.policy;

import io.sluice.agent.core.scaling.CoreDetail;
import io.sluice.agent.core.scaling.GoalCu;
import io.sluice.agent.core.scaling.ScalingCore;
import io.sluice.agent.core.scaling.SystemMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The goals of one VM by the policy in force, which its core gets, and by the one beside it. */
public final class VmGoals {
    private final Optional<VmPolicy> inForce;
    private final Optional<VmPolicy> shadow;
    private final String shadowName;
    private Optional<Integer> shadowCu = Optional.empty();

    /** The core computes the goal of {@link PolicyKind#AGENT} itself. */
    public VmGoals(PolicyPair policies, CoreDetail core, Duration scrapePeriod) {
        var unit = core.config().computeUnit();
        inForce = Optional.of(policies.inForce())
                .filter(policy -> policy.kind() != PolicyKind.AGENT)
                .map(policy -> new VmPolicy(policy, unit, scrapePeriod));
        shadow = Optional.of(policies.shadow())
                .filter(policy -> policies.hasShadow())
                .map(policy -> new VmPolicy(policy, unit, scrapePeriod));
        shadowName = policies.shadow().name();
    }

    /** A scrape arrived: the core gets it, and the goal of the policy in force. */
    public void sampled(ScalingCore core, SystemMetrics metrics, Instant now) {
        core.systemMetrics(metrics, now);
        if (inForce.isPresent() || shadow.isPresent()) {
            var detail = core.detail();
            inForce.map(policy -> goal(policy, metrics, detail, now)).ifPresent(goal -> core.goalGiven(goal, now));
            shadowCu = shadow.map(policy -> goal(policy, metrics, detail, now).goal());
        }
    }

    private static GoalCu goal(VmPolicy policy, SystemMetrics metrics, CoreDetail detail, Instant now) {
        return policy.goal(metrics, detail.lfc(), detail.scaling(), now);
    }

    /** The metrics are too old to count. */
    public void absent() {
        shadowCu = Optional.empty();
    }

    /** What the policy beside the one in force asks for, in compute units; empty without one, and without metrics. */
    public Optional<Integer> shadowCu() {
        return shadowCu;
    }

    /** The same in words; empty without one. */
    public String shadowWords() {
        return shadowCu.map(cu -> "the policy " + shadowName + ", which is not in force, asks for " + cu + " CU")
                .orElse("");
    }
}
