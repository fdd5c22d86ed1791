package io.sluice.agent.core.runner;

import io.sluice.agent.core.metrics.MetricsReading;
import io.sluice.agent.core.scaling.SystemMetrics;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.monitor.AttachMonitor;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** What a runner hears of its VM from inside it: when to scrape it, and when to ask for its monitor's session. */
final class Senses {
    private final RunnerConfig config;
    private final Requests requests;
    private final MonitorLink link;
    private Instant scrapeAt;
    private Instant attachAt;
    private Optional<Sample> sample = Optional.empty();
    private Optional<Endpoint> monitor = Optional.empty();

    /** A scrape that came through. */
    record Sample(SystemMetrics metrics, Instant at) {}

    Senses(RunnerConfig config, Requests requests, MonitorLink link, Instant now, RandomGenerator random) {
        this.config = config;
        this.requests = requests;
        this.link = link;
        this.scrapeAt = now.plusNanos(random.nextLong(config.scrapePeriod().toNanos()));
        this.attachAt = now;
    }

    /** The last scrape that came through, while it is fresh enough to go by. */
    Optional<Sample> sample() {
        return sample;
    }

    /** Tells whether this is news; it is not where the text was rejected. */
    boolean scraped(MetricsReading reading, Instant now) {
        return switch (reading) {
            case MetricsReading.Read(var metrics) -> {
                sample = Optional.of(new Sample(metrics, now));
                yield true;
            }
            case MetricsReading.Rejected _ -> false;
        };
    }

    /** Tells whether the metrics became too old just now. */
    boolean grewOld(Instant now) {
        boolean old = sample.isPresent() && !now.isBefore(oldAt(sample.get()));
        if (old) {
            sample = Optional.empty();
        }
        return old;
    }

    /** Sends what is due. */
    void advance(Optional<Endpoint> metricsNow, Optional<Endpoint> monitorNow, Member member, Instant now) {
        if (!monitorNow.equals(monitor)) {
            monitor = monitorNow;
            attachAt = now;
        }
        if (metricsNow.isPresent() && !now.isBefore(scrapeAt) && !scraping()) {
            scrapeAt = nextScrape(now);
            requests.send(new Pending.Scrape(), now, number -> new RunnerAction.Scrape(number, metricsNow.get()));
        }
        if (monitor.isPresent() && !now.isBefore(attachAt) && !attaching()) {
            attachAt = now.plus(config.attachPeriod());
            var question = new AttachMonitor(member.vm(), monitor.get());
            requests.send(
                    new Pending.Attach(link.generation()),
                    now,
                    number -> new RunnerAction.AttachToMonitor(number, question));
        }
    }

    /** When something will be due. What waits for an answer is due no sooner than that. */
    Optional<Instant> wakeAt() {
        var scrape = scraping() ? Optional.<Instant>empty() : Optional.of(scrapeAt);
        var attach = monitor.isEmpty() || attaching() ? Optional.<Instant>empty() : Optional.of(attachAt);
        return Instants.sooner(Instants.sooner(scrape, attach), sample.map(this::oldAt));
    }

    /** On the grid that began with the first scrape: one that took long shifts none after it. */
    private Instant nextScrape(Instant now) {
        long periodNanos = config.scrapePeriod().toNanos();
        long lateNanos = Duration.between(scrapeAt, now).toNanos();
        return scrapeAt.plusNanos((lateNanos / periodNanos + 1) * periodNanos);
    }

    private Instant oldAt(Sample taken) {
        return taken.at().plus(config.absentAfter());
    }

    private boolean scraping() {
        return requests.any(Pending.Scrape.class::isInstance);
    }

    private boolean attaching() {
        return requests.any(Pending.Attach.class::isInstance);
    }
}
