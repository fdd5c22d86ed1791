package io.sluice.billing.outbox.delivery;

import io.sluice.billing.outbox.QueueView;
import io.sluice.billing.outbox.WriteResult;
import io.sluice.billing.sink.Batch;
import io.sluice.billing.sink.QueueId;
import io.sluice.shell.LogKeys;
import io.sluice.shell.LogThrottle;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs and reports what happens to the batches of one queue. */
final class DeliveryLog {
    private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);
    private static final String PART = "billing";
    private static final Duration EVERY = Duration.ofMinutes(1);

    private final QueueId queue;
    private final LogThrottle failing;
    private final LogThrottle losing;
    private final LogThrottle blocking;
    private final InstantSource clock;
    private volatile Optional<String> trouble = Optional.empty();
    private Optional<Instant> failingSince = Optional.empty();

    DeliveryLog(QueueId queue, DeliveryContext tools) {
        this.queue = queue;
        this.clock = tools.clock();
        tools.readiness().reports(PART, queue.label(), () -> trouble);
        failing = new LogThrottle(tools.clock(), EVERY);
        losing = new LogThrottle(tools.clock(), EVERY);
        blocking = new LogThrottle(tools.clock(), EVERY);
    }

    void failed(String label, Optional<Throwable> cause, Optional<Batch> batch, long pauseMs) {
        var since = failingSince.orElseGet(clock::instant);
        failingSince = Optional.of(since);
        trouble = Optional.of("the sink " + queue.label() + " accepts nothing, since "
                + since.truncatedTo(ChronoUnit.SECONDS) + ": " + label
                + cause.map(thrown -> ", " + words(thrown)).orElse("")
                + batch.map(it -> ", for " + words(it)).orElse(""));
        failing.happened(
                1,
                count -> LOG.atWarn()
                        .addKeyValue(LogKeys.TARGET, queue.label())
                        .addKeyValue(LogKeys.REASON, label)
                        .addKeyValue(
                                LogKeys.ERROR, cause.map(Throwable::toString).orElse(""))
                        .addKeyValue(LogKeys.COUNT, count)
                        .log("A sink did not accept "
                                + batch.map(DeliveryLog::words).orElse("a batch of events") + "; it is sent again in "
                                + pauseMs + " ms."));
    }

    private static String words(Batch batch) {
        return "batch " + batch.name() + " with " + batch.events() + " events, closed at "
                + batch.closedAt().truncatedTo(ChronoUnit.SECONDS);
    }

    private static String words(Throwable thrown) {
        return thrown.getMessage() == null ? thrown.toString() : thrown.getMessage();
    }

    void drained() {
        failing.over(
                () -> LOG.atInfo().addKeyValue(LogKeys.TARGET, queue.label()).log("The sink accepts batches again."));
    }

    /** The sink accepts batches, or nothing is sent to it any more. */
    void accepted() {
        failingSince = Optional.empty();
        trouble = Optional.empty();
    }

    void lost(WriteResult.Loss loss) {
        losing.happened(
                loss.events(),
                count -> LOG.atWarn()
                        .addKeyValue(LogKeys.TARGET, queue.label())
                        .addKeyValue(LogKeys.COUNT, count)
                        .log("Events were dropped unsent: the queue was full, and its whenFull is to drop"
                                + " its oldest."));
    }

    void blocked(String reason) {
        blocking.happened(
                1,
                count -> LOG.atWarn()
                        .addKeyValue(LogKeys.TARGET, queue.label())
                        .addKeyValue(LogKeys.REASON, reason)
                        .log("The queue is full: no events are accepted until its sink accepts some."));
    }

    void roomy() {
        blocking.over(
                () -> LOG.atInfo().addKeyValue(LogKeys.TARGET, queue.label()).log("The queue has room again."));
    }

    void unfinished(QueueView view) {
        accepted();
        if (view.events() > 0) {
            LOG.atInfo()
                    .addKeyValue(LogKeys.TARGET, queue.label())
                    .addKeyValue(LogKeys.COUNT, view.events())
                    .log("Events were not sent before the stop; they stay in the outbox for the next start.");
        }
    }
}
