package io.sluice.billing.outbox;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.billing.outbox.file.OpeningFinding;
import io.sluice.shell.LogKeys;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What operators read and see about the outbox's file. */
public final class OutboxLog implements OutboxListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);

    private final LogThrottle failing;
    private final Counter failures;
    private final ScopedMetrics passing;
    private volatile boolean usable = true;

    /** Registers its metrics at once. */
    public OutboxLog(MeterRegistry meters, InstantSource clock) {
        failing = new LogThrottle(clock);
        failures = Counter.builder("sluice.billing.outbox.failures")
                .description("How often the outbox's file could not be written or read")
                .register(meters);
        passing = new ScopedMetrics(meters);
        passing.add(Gauge.builder("sluice.billing.outbox.usable", () -> usable ? 1 : 0)
                .description("Whether the outbox's file can be used")
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
                        .log("The outbox cannot be used; what it took is kept, what is offered waits. It is opened"
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
            case OpeningFinding.TornEnd(var why) ->
                LOG.atWarn()
                        .addKeyValue(LogKeys.REASON, why)
                        .log("The outbox's last write was cut off before it was durable, and does not count.");
            case OpeningFinding.Damaged damage -> damaged(damage);
            case OpeningFinding.WrittenAnew() ->
                LOG.atWarn().log("The disk had not confirmed what was written: the outbox was written anew.");
        }
    }

    private static void damaged(OpeningFinding.Damaged damage) {
        LOG.atError()
                .addKeyValue(LogKeys.REASON, damage.why())
                .addKeyValue(LogKeys.COUNT, damage.setAside())
                .addKeyValue(LogKeys.TARGET, damage.keptAt())
                .log("The outbox's file was damaged. What could be read was saved, what did not match its checksum was"
                        + " set aside, the damaged file was kept; " + damage.unreadablePages()
                        + " pages could not be read, " + damage.missingCommits() + " commits are missing.");
    }

    @Override
    public void orphaned(String lane, long entries) {
        LOG.atWarn()
                .addKeyValue(LogKeys.TARGET, lane)
                .addKeyValue(LogKeys.COUNT, entries)
                .log("Events wait for a sink that is not configured any more; they are kept until it is again.");
    }

    /** The outbox is closed; what was counted stays. */
    @Override
    public void close() {
        passing.close();
    }
}
