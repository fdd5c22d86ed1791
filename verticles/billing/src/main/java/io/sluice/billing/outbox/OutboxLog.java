package io.sluice.billing.outbox;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.shell.LogKeys;
import io.sluice.shell.LogThrottle;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs and counts what happens to the outbox's file. */
public final class OutboxLog implements OutboxListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);
    private static final Duration EVERY = Duration.ofMinutes(1);

    private final LogThrottle failing;
    private final Counter failures;
    private final ScopedMetrics passing;
    private volatile boolean usable = true;

    /** Registers its metrics at once. */
    public OutboxLog(MeterRegistry meters, InstantSource clock) {
        failing = new LogThrottle(clock, EVERY);
        failures = Counter.builder("sluice.billing.outbox.failures")
                .description("Failures to write or read the outbox's file")
                .register(meters);
        passing = new ScopedMetrics(meters);
        passing.add(Gauge.builder("sluice.billing.outbox.usable", () -> usable ? 1 : 0)
                .description("1 while the outbox's file can be used")
                .register(meters));
    }

    @Override
    public void failed(Throwable cause, Duration wait) {
        usable = false;
        failures.increment();
        failing.happened(
                1,
                count -> LOG.atError()
                        .setCause(cause)
                        .addKeyValue(LogKeys.COUNT, count)
                        .addKeyValue(LogKeys.REASON, OutboxException.root(cause))
                        .log("The outbox cannot be used; accepted events are kept, new writes wait. It is opened"
                                + " again in "
                                + wait.toMillis() + " ms."));
    }

    @Override
    public void works() {
        usable = true;
        failing.over(() -> LOG.atInfo().log("The outbox can be used again."));
    }

    @Override
    public void found(OpeningFinding finding) {
        switch (finding) {
            case OpeningFinding.Damaged damage -> damaged(damage);
            case OpeningFinding.WrittenAnew() ->
                LOG.atWarn().log("The disk had failed: the outbox was written to a new file.");
        }
    }

    private static void damaged(OpeningFinding.Damaged damage) {
        LOG.atError()
                .addKeyValue(LogKeys.REASON, damage.why())
                .addKeyValue(LogKeys.COUNT, damage.setAside())
                .addKeyValue(LogKeys.TARGET, damage.keptAt())
                .log("The outbox's file was damaged. Readable rows were copied, rows with a wrong checksum were set"
                        + " aside, and the damaged file was kept; " + damage.unreadable()
                        + " parts of it could not be read.");
    }

    @Override
    public void orphaned(String queue, long entries) {
        LOG.atWarn()
                .addKeyValue(LogKeys.TARGET, queue)
                .addKeyValue(LogKeys.COUNT, entries)
                .log("Events wait for a sink that is not configured any more; they are kept until it is again.");
    }

    /** Removes the gauges; counters stay. */
    @Override
    public void close() {
        passing.close();
    }
}
