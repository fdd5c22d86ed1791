package io.sluice.billing.outbox;

import io.sluice.shell.LogKeys;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What operators read about the batches of one lane. */
final class DeliveryLog {
    private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);

    private final QueueId lane;
    private final LogThrottle failing;
    private final LogThrottle losing;
    private final LogThrottle blocking;

    DeliveryLog(QueueId lane, InstantSource clock) {
        this.lane = lane;
        failing = new LogThrottle(clock);
        losing = new LogThrottle(clock);
        blocking = new LogThrottle(clock);
    }

    void failed(String label, Throwable cause, Duration pause) {
        failing.happened(
                1,
                count -> LOG.atWarn()
                        .addKeyValue(LogKeys.TARGET, lane.label())
                        .addKeyValue(LogKeys.REASON, label)
                        .addKeyValue(LogKeys.ERROR, String.valueOf(cause))
                        .addKeyValue(LogKeys.COUNT, count)
                        .log("A batch of events was not taken by its sink; it goes again in " + pause.toMillis()
                                + " ms."));
    }

    void drained() {
        failing.over(() ->
                LOG.atInfo().addKeyValue(LogKeys.TARGET, lane.label()).log("The sink takes batches of events again."));
    }

    void lost(WriteResult.Loss loss) {
        losing.happened(
                loss.events(),
                count -> LOG.atWarn()
                        .addKeyValue(LogKeys.TARGET, lane.label())
                        .addKeyValue(LogKeys.COUNT, count)
                        .log("Events were dropped without having been sent: the lane was full, and is told to drop"
                                + " its oldest."));
    }

    void blocked(String reason) {
        blocking.happened(
                1,
                count -> LOG.atWarn()
                        .addKeyValue(LogKeys.TARGET, lane.label())
                        .addKeyValue(LogKeys.REASON, reason)
                        .log("The lane is full: no events are taken until its sink has taken some."));
    }

    void roomy() {
        blocking.over(
                () -> LOG.atInfo().addKeyValue(LogKeys.TARGET, lane.label()).log("The lane has room again."));
    }

    void unfinished(QueueView view) {
        if (view.events() > 0) {
            LOG.atInfo()
                    .addKeyValue(LogKeys.TARGET, lane.label())
                    .addKeyValue(LogKeys.COUNT, view.events())
                    .log("Events were not sent before the end; they are kept for the next start.");
        }
    }
}
