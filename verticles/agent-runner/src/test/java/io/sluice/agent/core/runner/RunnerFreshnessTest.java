package io.sluice.agent.core.runner;

import static io.sluice.agent.core.runner.RunnerRig.cu;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.core.metrics.MetricsFault;
import io.sluice.agent.core.metrics.MetricsReading;
import io.sluice.agent.core.status.ScalingStatusText;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.monitor.UpscaleRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The effect of failed scrapes on a runner: only a report at first, and no shrinking later. */
class RunnerFreshnessTest {
    private static final Duration PERIOD = RunnerRig.CONFIG.scrapePeriod();

    private final RunnerRig rig = RunnerRig.serving();

    /** The next scrape, when it is due. */
    private RunnerAction.Scrape due() {
        while (rig.all(RunnerAction.Scrape.class).isEmpty()) {
            rig.now = rig.wakeAt().orElseThrow();
            rig.report(new RunnerEvent.Woken());
            for (var request : rig.all(RunnerAction.RequestPermit.class)) {
                rig.grant(request);
            }
        }
        return rig.only(RunnerAction.Scrape.class);
    }

    private void fail(String reason) {
        rig.report(new RunnerEvent.RequestFailed(due().number(), reason));
    }

    private void reject(MetricsFault flaw, String reason) {
        rig.report(new RunnerEvent.Scraped(due().number(), new MetricsReading.Rejected(flaw, reason)));
    }

    @Test
    void aFailedScrapeLeavesTheLastGoodValuesAndReportsTheirAgeAndWhy() {
        rig.sample(4);
        var fresh = rig.status();
        assertThat(fresh.cause().stale()).isFalse();
        assertThat(rig.runner.freshness().system().cameAt()).contains(rig.now);

        fail("no response in 2000 ms");
        var stale = rig.status();
        assertThat(stale.goal()).isEqualTo(fresh.goal()).contains(cu(4));
        assertThat(stale.cause().waiting()).isEqualTo(fresh.cause().waiting());
        assertThat(stale.cause().stale()).isTrue();
        assertThat(stale.equalsReported(fresh)).as("it is worth a message").isFalse();
        var age = Duration.ofMillis(PERIOD.toMillis());
        assertThat(rig.why())
                .contains("its metrics are " + ScalingStatusText.seconds(age) + " old: no response in 2000 ms");
    }

    @Test
    void theNextGoodScrapeEndsThat() {
        rig.sample(4);
        reject(MetricsFault.NOT_FINITE, "host_load1 is not finite: NaN");
        assertThat(rig.why()).contains("host_load1 is not finite: NaN");
        rig.report(new RunnerEvent.Woken());
        rig.sample(4);
        assertThat(rig.status().cause().stale()).isFalse();
        assertThat(rig.why()).doesNotContain("old");
    }

    @Test
    void afterThreePeriodsItShrinksNoMoreAndStillGrowsOnAnUpscaleRequest() {
        rig.sample(4);
        var taken = rig.now;
        for (int i = 0; i < 3; i++) {
            fail("answered 500");
            assertThat(rig.runner.state().core().orElseThrow().hasAllMetrics()).isEqualTo(i < 2);
            rig.report(new RunnerEvent.Woken());
        }
        assertThat(rig.now).isEqualTo(taken.plus(PERIOD.multipliedBy(3)));
        assertThat(rig.waiting()).isEqualTo(Waiting.METRICS);
        assertThat(rig.why()).contains("too old", "answered 500");
        assertThat(rig.all(RunnerAction.DownscaleGuest.class)).isEmpty();

        rig.report(new RunnerEvent.UpscaleRequested(new UpscaleRequest(RunnerRig.VM, 5)));
        assertThat(rig.only(RunnerAction.RequestPermit.class).request().target())
                .isEqualTo(cu(5));
    }

    @Test
    void reportsThatMetricsNeverCame() {
        fail("cannot be reached: Connection refused");
        assertThat(rig.waiting()).isEqualTo(Waiting.METRICS);
        assertThat(rig.why()).contains("its metrics have never arrived: cannot be reached: Connection refused");
    }
}
