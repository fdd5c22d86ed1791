package io.sluice.agent.core.runner;

import static io.sluice.agent.core.runner.RunnerRig.cu;
import static io.sluice.agent.core.runner.RunnerRig.vm;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Many runners that start in one instant do not send requests and scrapes in step. */
class RunnerPaceTest {
    private static final int RUNNERS = 200;

    @Test
    void eachRequestsALittleSoonerThanItsTickByAnAmountOfItsOwn() {
        var ticks = LongStream.range(0, RUNNERS)
                .mapToObj(RunnerPaceTest::served)
                .map(rig -> rig.runner.detail().orElseThrow().config().requestTick())
                .toList();
        assertThat(ticks).allMatch(tick -> tick.compareTo(Duration.ofMillis(14_900)) > 0);
        assertThat(ticks).allMatch(tick -> tick.compareTo(Duration.ofSeconds(15)) <= 0);
        assertThat(millis(ticks)).contains(14_905L, 14_995L);
    }

    @Test
    void theTickStaysWhatItWasDrawnAs() {
        var rig = served(3).sample(4);
        var tick = rig.runner.detail().orElseThrow().config().requestTick();
        var requested = rig.runner
                .detail()
                .orElseThrow()
                .scheduler()
                .last()
                .orElseThrow()
                .at();
        for (int i = 0; i < 3; i++) {
            while (rig.all(RunnerAction.RequestPermit.class).isEmpty()) {
                rig.now = rig.wakeAt().orElseThrow();
                rig.report(new RunnerEvent.Woken());
            }
            var request = rig.only(RunnerAction.RequestPermit.class);
            assertThat(request.request().target()).isEqualTo(cu(4));
            assertThat(Duration.between(requested, rig.now)).isEqualTo(tick);
            requested = rig.now;
            rig.grant(request);
        }
    }

    @Test
    void theFirstScrapeComesAfterARandomPartOfItsPeriodAndTheOthersAPeriodApart() {
        var first = LongStream.range(0, RUNNERS)
                .mapToObj(RunnerPaceTest::served)
                .map(rig -> Duration.between(RunnerRig.START, scraped(rig)))
                .toList();
        assertThat(first).allMatch(wait -> wait.compareTo(Duration.ofSeconds(5)) < 0);
        assertThat(first).anyMatch(wait -> wait.compareTo(Duration.ofMillis(500)) < 0);
        assertThat(first).anyMatch(wait -> wait.compareTo(Duration.ofMillis(4_500)) > 0);

        var rig = served(1);
        var before = scraped(rig);
        rig.sample(4);
        rig.report(new RunnerEvent.Woken());
        assertThat(scraped(rig)).isEqualTo(before.plusSeconds(5));
    }

    private static Instant scraped(RunnerRig rig) {
        while (rig.all(RunnerAction.Scrape.class).isEmpty()) {
            rig.now = rig.wakeAt().orElseThrow();
            rig.report(new RunnerEvent.Woken());
        }
        return rig.now;
    }

    private static List<Long> millis(List<Duration> waits) {
        return waits.stream()
                .map(wait -> wait.toMillis() / 10 * 10 + 5)
                .distinct()
                .toList();
    }

    private static RunnerRig served(long seed) {
        var rig = new RunnerRig(vm(1), RunnerHandover.FRESH, seed);
        rig.serve();
        return rig;
    }
}
