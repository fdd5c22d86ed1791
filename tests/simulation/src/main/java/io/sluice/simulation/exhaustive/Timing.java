package io.sluice.simulation.exhaustive;

import io.sluice.agent.core.pace.RestartPace;
import io.sluice.agent.core.policy.PolicyPair;
import io.sluice.agent.core.runner.LfcScrape;
import io.sluice.agent.core.runner.RunnerConfig;
import io.sluice.agent.core.runner.ScalingEventRecorderConfig;
import io.sluice.agent.core.scaling.CoreConfig;
import io.sluice.agent.core.scaling.PermitSafety;
import io.sluice.ledger.core.InvariantChecks;
import io.sluice.ledger.core.LastPermitTrust;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.shell.Portions;
import java.time.Duration;

/**
 * All durations of the model. They are chosen so that two steps of time suffice: a short one ends each wait before a
 * retry. A long one ends each permit, and the time after which no permit of lost state can be used.
 */
final class Timing {
    /** Two of these are shorter than the life of a permit. */
    static final int SHORT_STEP = 2;

    static final int LONG_STEP = 6;
    static final Duration PERMIT_VALID_FOR = Duration.ofSeconds(5);

    private static final Duration RETRY = Duration.ofSeconds(SHORT_STEP);
    private static final Duration TICK = Duration.ofSeconds(LONG_STEP);
    private static final Duration NEVER = Duration.ofHours(1);
    private static final int NEVER_ABSENT = 1_000_000;

    private static final RunnerConfig STRICT = runner(PermitSafety.STRICT);
    private static final RunnerConfig REFERENCE = runner(PermitSafety.REFERENCE);

    private Timing() {}

    static RunnerConfig runner(VmState.Kind kind) {
        return kind.reference() ? REFERENCE : STRICT;
    }

    private static RunnerConfig runner(PermitSafety safety) {
        var usual = CoreConfig.DEFAULTS;
        var core = new CoreConfig(
                VmState.UNIT,
                usual.scaling(),
                TICK,
                RETRY,
                RETRY,
                RETRY,
                RETRY,
                RETRY,
                RETRY,
                safety,
                PERMIT_VALID_FOR,
                usual.confirmBy(),
                NEVER,
                usual.maxUpscaleStepCu());
        return new RunnerConfig(
                core,
                Duration.ZERO,
                Duration.ofSeconds(1),
                NEVER_ABSENT,
                LfcScrape.DEFAULTS,
                NEVER,
                NEVER,
                NEVER,
                new RestartPace(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO),
                ScalingEventRecorderConfig.DEFAULTS,
                PolicyPair.DEFAULTS);
    }

    /** The ledger's rules. */
    static LedgerRules ledger(InvariantChecks checks) {
        return new LedgerRules(PERMIT_VALID_FOR, 1, Portions.NOTHING, LastPermitTrust.RECOVERY, checks);
    }
}
