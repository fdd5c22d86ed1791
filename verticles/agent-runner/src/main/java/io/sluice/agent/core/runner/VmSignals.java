package io.sluice.agent.core.runner;

import io.sluice.agent.core.metrics.LfcReading;
import io.sluice.agent.core.metrics.MetricsReading;
import io.sluice.agent.core.pace.FixedGrid;
import io.sluice.agent.core.pace.OptionalInstants;
import io.sluice.agent.core.pace.PendingRequest;
import io.sluice.agent.core.scaling.LfcMetrics;
import io.sluice.agent.core.scaling.SystemMetrics;
import io.sluice.agent.core.status.Freshness;
import io.sluice.agent.core.status.VmPod;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.monitor.AttachMonitor;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** A runner's input from inside its VM: when to scrape it, and when to request its monitor's session. */
final class VmSignals {
    private final RunnerConfig config;
    private final RunnerRequests requests;
    private final RunnerReports reports;
    private final MonitorSessionState link;
    private final FixedGrid scrapes;
    private final FixedGrid lfcScrapes;
    private final Duration absentAfter;
    private final Duration lfcAbsentAfter;
    private Instant attachAt;
    private Optional<Sample> sample = Optional.empty();
    private Optional<Instant> lfcAt = Optional.empty();
    private Freshness system = Freshness.UNKNOWN;
    private Freshness fileCache = Freshness.UNKNOWN;
    private Optional<Endpoint> lfc = Optional.empty();
    private Optional<Endpoint> monitor = Optional.empty();

    /** A successful scrape. */
    record Sample(SystemMetrics metrics, Instant at) {}

    /** The first scrape of a file cache is at the same time as the first of the system, whatever its own period. */
    VmSignals(RunnerContext setting, Instant now, RandomGenerator random) {
        this.config = setting.config();
        this.requests = setting.requests();
        this.reports = setting.reports();
        this.link = setting.link();
        var first = now.plusNanos(random.nextLong(config.scrapePeriod().toNanos()));
        this.scrapes = new FixedGrid(first, config.scrapePeriod());
        this.lfcScrapes = new FixedGrid(first, config.lfc().period());
        // Kept, as each product of a duration takes a BigDecimal, and every event needs both.
        this.absentAfter = config.scrapePeriod().multipliedBy(config.absentAfterScrapes());
        this.lfcAbsentAfter = config.lfc().period().multipliedBy(config.absentAfterScrapes());
        this.attachAt = now;
    }

    /** The last successful scrape, until it is too old. */
    Optional<Sample> sample() {
        return sample;
    }

    /** There is a newer sample than the last: it is scraped at once, or after the scrape that is under way. */
    void sampleAvailable(Instant now) {
        scrapes.hasten(now);
    }

    /** The result of a scrape. Returns the new metrics; empty if the text was rejected. */
    Optional<SystemMetrics> scraped(MetricsReading reading, Instant now) {
        return switch (reading) {
            case MetricsReading.Read(var metrics) -> {
                sample = Optional.of(new Sample(metrics, now));
                system = system.came(now);
                yield Optional.of(metrics);
            }
            case MetricsReading.Unchanged _ -> Optional.empty();
            case MetricsReading.Rejected(var _, var reason) -> {
                scrapeFailed(reason, now);
                yield Optional.empty();
            }
        };
    }

    /** A scrape failed: the earlier values still count. */
    void scrapeFailed(String reason, Instant now) {
        system = system.failed(reason);
        reports.warn(RunnerReports.Topic.METRICS, "a scrape failed: " + reason, now);
    }

    /** The result of a scrape of the file cache. Returns the new metrics; empty if the text was rejected. */
    Optional<LfcMetrics> lfcScraped(LfcReading reading, Instant now) {
        return switch (reading) {
            case LfcReading.Read(var metrics) -> {
                lfcAt = Optional.of(now);
                fileCache = fileCache.came(now);
                yield Optional.of(metrics);
            }
            case LfcReading.Rejected(var _, var reason) -> {
                lfcScrapeFailed(reason, now);
                yield Optional.empty();
            }
        };
    }

    /** A scrape of the file cache failed. */
    void lfcScrapeFailed(String reason, Instant now) {
        fileCache = fileCache.failed(reason);
        reports.warn(RunnerReports.Topic.LFC, "a scrape of the file cache failed: " + reason, now);
    }

    /** How fresh the metrics are; a file cache that does not count is left out. */
    Freshness.OfVm freshness() {
        return new Freshness.OfVm(system, lfc.isPresent() ? fileCache : Freshness.UNKNOWN);
    }

    /** Whether the metrics have become too old since the last call. */
    boolean grewOld(Instant now) {
        boolean old = sample.map(this::oldAt).filter(at -> !now.isBefore(at)).isPresent();
        if (old) {
            sample = Optional.empty();
        }
        return old;
    }

    /** Whether the file cache's metrics have become too old since the last call. */
    boolean lfcGrewOld(Instant now) {
        boolean old = lfcOldAt().filter(at -> !now.isBefore(at)).isPresent();
        if (old) {
            lfcAt = Optional.empty();
        }
        return old;
    }

    /** What can be reached now; {@code lfc} is also empty if the file cache does not count. */
    record Reach(Optional<Endpoint> metrics, Optional<Endpoint> lfc, Optional<Endpoint> monitor) {}

    /** Sends what is due. */
    void advance(Reach reach, VmPod pod, Instant now) {
        if (!reach.monitor().equals(monitor)) {
            monitor = reach.monitor();
            attachAt = now;
        }
        lfc = reach.lfc();
        if (reach.metrics().isPresent() && scrapes.due(now) && !waitsFor(PendingRequest.Scrape.class)) {
            scrapes.begun(now);
            var endpoint = reach.metrics().get();
            requests.send(new PendingRequest.Scrape(), now, number -> new RunnerAction.Scrape(number, pod, endpoint));
        }
        if (lfc.isPresent() && lfcScrapes.due(now) && !waitsFor(PendingRequest.ScrapeLfc.class)) {
            lfcScrapes.begun(now);
            var endpoint = lfc.get();
            var timeout = config.lfc().timeout();
            requests.send(
                    new PendingRequest.ScrapeLfc(),
                    now,
                    number -> new RunnerAction.ScrapeLfc(number, endpoint, timeout));
        }
        if (monitor.isPresent() && !now.isBefore(attachAt) && !waitsFor(PendingRequest.Attach.class)) {
            attachAt = now.plus(config.attachPeriod());
            var request = new AttachMonitor(pod.vm(), monitor.get());
            requests.send(
                    new PendingRequest.Attach(link.generation()),
                    now,
                    number -> new RunnerAction.AttachToMonitor(number, request));
        }
    }

    /** Another process is to keep the session: it is requested there at once, and ended at the old place. */
    void monitorMoved(VmPod pod, Instant now) {
        requests.forget(PendingRequest.Attach.class::isInstance);
        attachAt = now;
        link.at().ifPresent(before -> requests.act(link.detach(pod)));
    }

    /** When something is due next. A scrape or session request that is under way is not due again before its reply. */
    Optional<Instant> wakeAt() {
        var next = idle(PendingRequest.Scrape.class, scrapes.next());
        next = OptionalInstants.sooner(
                next, lfc.flatMap(reached -> idle(PendingRequest.ScrapeLfc.class, lfcScrapes.next())));
        next = OptionalInstants.sooner(next, monitor.flatMap(reached -> idle(PendingRequest.Attach.class, attachAt)));
        next = OptionalInstants.sooner(next, sample.map(this::oldAt));
        return OptionalInstants.sooner(next, lfcOldAt());
    }

    private Optional<Instant> idle(Class<? extends PendingRequest> kind, Instant due) {
        return waitsFor(kind) ? Optional.empty() : Optional.of(due);
    }

    private Instant oldAt(Sample taken) {
        return taken.at().plus(absentAfter);
    }

    private Optional<Instant> lfcOldAt() {
        return lfcAt.map(at -> at.plus(lfcAbsentAfter));
    }

    private boolean waitsFor(Class<? extends PendingRequest> kind) {
        return requests.any(kind::isInstance);
    }
}
