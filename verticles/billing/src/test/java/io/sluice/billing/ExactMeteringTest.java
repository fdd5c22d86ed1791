package io.sluice.billing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.billing.core.exact.ExactCollector;
import io.sluice.shell.MonotonicClock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ExactMeteringTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final MonotonicClock clock = new MonotonicClock();
    private final MachineClock machine = new MachineClock();

    private BillingClock next(Optional<BillingClock.Reading> before) {
        return new BillingClock(clock, machine.read(clock), before);
    }

    @Test
    void theClockLosesNothingOfWhatACommitTakes() throws Exception {
        var bills = next(Optional.empty());
        var options = new ExactCollector.Options(LONG, LONG);
        var metering = new ExactMetering(options, LONG, () -> machine.status(bills));
        metering.lead(UsageCheckpoint.Read.NOTHING, Set.of(), bills.instant());

        var checkpoints = metering.commit(bills.instant().minus(LONG)).checkpoints();
        assertThat(next(UsageCheckpoint.read(checkpoints).clock()).ahead())
                .isGreaterThan(LONG.dividedBy(2).negated());
    }
}
