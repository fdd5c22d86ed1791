package io.sluice.agent.scrape;

import io.sluice.agent.core.metrics.GuestMetricNames;
import io.sluice.agent.core.metrics.LfcReading;
import io.sluice.agent.core.metrics.LfcText;
import io.sluice.agent.core.metrics.MetricsReading;
import io.sluice.agent.core.metrics.MetricsText;
import io.sluice.agent.core.runner.RunnerAction;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.agent.scrape.ScrapeMetrics.Target;
import io.vertx.core.Future;
import java.time.Duration;

/** Scrapes VMs, parses the text, and counts how each scrape ended. Fails as its scraper does. */
public final class VmScraper {
    private final MetricsScraper scraper;
    private final GuestMetricNames names;
    private final Duration timeout;
    private final ScrapeMetrics meters;

    public VmScraper(MetricsScraper scraper, GuestMetricNames names, Duration timeout, ScrapeMetrics meters) {
        this.scraper = scraper;
        this.names = names;
        this.timeout = timeout;
        this.meters = meters;
    }

    public Future<RunnerEvent> read(RunnerAction.Scrape wanted) {
        return scraper.scrape(wanted.endpoint(), timeout)
                .onFailure(failed -> failed(Target.SYSTEM, failed))
                .map(text -> new RunnerEvent.Scraped(wanted.number(), system(text)));
    }

    public Future<RunnerEvent> read(RunnerAction.ScrapeLfc wanted) {
        return scraper.scrape(wanted.endpoint(), wanted.timeout())
                .onFailure(failed -> failed(Target.CACHE, failed))
                .map(text -> new RunnerEvent.LfcScraped(wanted.number(), cache(text)));
    }

    private MetricsReading system(byte[] text) {
        var reading = MetricsText.read(names, text, lines -> meters.badLines(Target.SYSTEM, lines));
        var outcome = switch (reading) {
            case MetricsReading.Read _, MetricsReading.Unchanged _ -> ScrapeOutcome.OK;
            case MetricsReading.Rejected(var flaw, var _) -> ScrapeOutcome.of(flaw);
        };
        meters.count(Target.SYSTEM, outcome);
        return reading;
    }

    private LfcReading cache(byte[] text) {
        var reading = LfcText.read(text, lines -> meters.badLines(Target.CACHE, lines));
        var outcome = switch (reading) {
            case LfcReading.Read _ -> ScrapeOutcome.OK;
            case LfcReading.Rejected(var flaw, var _) -> ScrapeOutcome.of(flaw);
        };
        meters.count(Target.CACHE, outcome);
        return reading;
    }

    private void failed(Target target, Throwable fault) {
        meters.count(target, fault instanceof ScrapeFailedException failed ? failed.outcome() : ScrapeOutcome.BROKEN);
    }
}
