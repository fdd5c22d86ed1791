package io.sluice.agent.core.runner;

import static io.sluice.agent.core.runner.RunnerRig.cu;
import static io.sluice.agent.core.runner.RunnerRig.sizes;
import static io.sluice.agent.core.runner.RunnerRig.vm;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.core.metrics.LfcReading;
import io.sluice.agent.core.metrics.MetricsFault;
import io.sluice.agent.core.scaling.LfcMetrics;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A VM whose file cache counts is scraped at a second endpoint. */
class RunnerLfcTest {
    /** As many pages of 8 KiB as fill six units of memory at the ratio of 0.75. */
    private static final LfcMetrics SIX_UNITS = new LfcMetrics(Collections.nCopies(30, 6 * 0.75 * (1 << 30) / 8192));

    @Test
    void scrapesNoFileCacheThatDoesNotCount() {
        var rig = RunnerRig.serving();
        var end = rig.now.plusSeconds(20);
        while (rig.now.isBefore(end)) {
            next(rig);
            assertThat(rig.all(RunnerAction.ScrapeLfc.class)).isEmpty();
        }
    }

    @Test
    void makesRoomForTheFileCachesWorkingSet() {
        var rig = scraping();
        var scrape = rig.only(RunnerAction.ScrapeLfc.class);
        assertThat(scrape.endpoint()).isEqualTo(new Endpoint("127.0.0.1", 9499, "/lfc"));
        assertThat(scrape.timeout()).isEqualTo(Duration.ofSeconds(5));
        rig.report(new RunnerEvent.LfcScraped(scrape.number(), new LfcReading.Read(SIX_UNITS)));
        assertThat(rig.only(RunnerAction.RequestPermit.class).request().target())
                .isEqualTo(cu(6));
    }

    @Test
    void scrapesItAgainAfterItsOwnPeriod() {
        var rig = scraping();
        var requested = rig.now;
        rig.report(new RunnerEvent.LfcScraped(
                rig.only(RunnerAction.ScrapeLfc.class).number(), new LfcReading.Read(SIX_UNITS)));
        assertThat(Duration.between(requested, untilScraped(rig))).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void isNotShrunkWhileTheFileCacheReportsNothing() {
        var rig = scraping();
        rig.report(new RunnerEvent.LfcScraped(
                rig.only(RunnerAction.ScrapeLfc.class).number(),
                new LfcReading.Rejected(MetricsFault.MISSING, "a gap")));
        rig.sample(2);
        assertThat(rig.all(RunnerAction.DownscaleGuest.class)).isEmpty();
        assertThat(rig.waiting()).isEqualTo(Waiting.METRICS);
        assertThat(rig.why())
                .isEqualTo("file cache metrics are missing: the VM is not shrunk without them; "
                        + "its file cache's metrics have never arrived: a gap");
        assertThat(rig.warnings).anyMatch(reported -> reported.contains("a gap"));
    }

    @Test
    void forgetsAFileCacheThatFellSilent() {
        var rig = scraping();
        rig.report(new RunnerEvent.LfcScraped(
                rig.only(RunnerAction.ScrapeLfc.class).number(), new LfcReading.Read(SIX_UNITS)));
        var end = rig.now.plusSeconds(45);
        assertThat(rig.runner.detail().orElseThrow().lfc()).isPresent();
        while (rig.now.isBefore(end)) {
            rig.all(RunnerAction.ScrapeLfc.class)
                    .forEach(scrape -> rig.report(new RunnerEvent.RequestFailed(scrape.number(), "refused")));
            next(rig);
        }
        assertThat(rig.now).isEqualTo(end);
        assertThat(rig.runner.detail().orElseThrow().lfc()).isEmpty();
    }

    private static RunnerRig scraping() {
        var rig = RunnerRig.serving();
        rig.report(new RunnerEvent.VmChanged(counting(2)));
        if (rig.all(RunnerAction.ScrapeLfc.class).isEmpty()) {
            untilScraped(rig);
        }
        return rig;
    }

    private static Instant untilScraped(RunnerRig rig) {
        var end = rig.now.plusSeconds(60);
        do {
            next(rig);
        } while (rig.all(RunnerAction.ScrapeLfc.class).isEmpty() && rig.now.isBefore(end));
        return rig.now;
    }

    /** On to the next wake-up; each permit request is granted. */
    private static void next(RunnerRig rig) {
        rig.all(RunnerAction.RequestPermit.class).forEach(rig::grant);
        rig.now = rig.wakeAt().orElseThrow();
        rig.report(new RunnerEvent.Woken());
    }

    private static VmObserved counting(long version) {
        var observed = vm(version);
        return new VmObserved(
                observed.vm(),
                version,
                observed.pod(),
                observed.podName(),
                observed.node(),
                observed.phase(),
                true,
                true,
                false,
                sizes(cu(4)),
                observed.overcommit(),
                new ScalingOverrides(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(true),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()),
                Optional.empty(),
                Optional.empty(),
                "r.1/0",
                observed.metrics(),
                observed.fileCache(),
                observed.monitor(),
                observed.traits());
    }
}
