package io.sluice.billing;

import io.sluice.billing.core.Gap;
import io.sluice.billing.replica.Replicator;
import io.sluice.shell.LogKeys;
import io.sluice.shell.config.Durations;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs what an operator needs to know about bills. A lasting condition is logged when it begins and when it ends. */
final class BillingLog {
    private static final Logger LOG = LoggerFactory.getLogger(BillingLog.class);
    private static final Duration CLOCKS_APART = Duration.ofSeconds(2);

    private boolean missing;
    private volatile Optional<String> blocked = Optional.empty();
    private boolean givingUp;
    private boolean notCopying;

    /** Logs nothing for {@link Metering.Census#RESTART}, because each start has that state. */
    void missing(String cause) {
        boolean now = cause.equals(Metering.Census.WATCH);
        if (now && !missing) {
            LOG.warn("No changes of VMs are received: use is billed up to the last observation only.");
        } else if (!now && missing) {
            LOG.info("Changes of VMs are received again: VMs that did not change are billed for the time between.");
        }
        missing = now;
    }

    void unpublished() {
        LOG.atWarn()
                .addKeyValue(LogKeys.KEY, "billing.file.directory")
                .log("No sink for bills is configured: usage is measured and not sent anywhere.");
    }

    void missed(List<Gap> gaps) {
        var unknown = gaps.stream().filter(gap -> gap.cause() != Gap.Cause.LATE).toList();
        var late = gaps.stream().filter(gap -> gap.cause() == Gap.Cause.LATE).toList();
        missed("Use of VMs is unknown for some time and not billed; the first gap is from {} to {}.", unknown);
        missed("Changes of VMs arrived late: closed windows have old sizes; the first time is from {} to {}.", late);
    }

    private static void missed(String text, List<Gap> gaps) {
        if (!gaps.isEmpty()) {
            var first = gaps.getFirst();
            LOG.atWarn()
                    .addKeyValue(LogKeys.VM, first.key().vm().label())
                    .addKeyValue(LogKeys.COUNT, gaps.size())
                    .addKeyValue(LogKeys.REASON, first.cause())
                    .log(text, first.from(), first.to());
        }
    }

    void blocked(boolean now, String reason) {
        if (now && blocked.isEmpty()) {
            LOG.atError()
                    .addKeyValue(LogKeys.REASON, reason)
                    .log("The outbox does not accept bills: windows are closed late until it does.");
        } else if (!now && blocked.isPresent()) {
            LOG.info("The outbox accepts bills again.");
        }
        blocked = now ? Optional.of("the outbox accepts no bills: " + reason) : Optional.empty();
    }

    /** Why the outbox accepts no bills; empty while it does. */
    Optional<String> blocked() {
        return blocked;
    }

    void leads(boolean now) {
        LOG.info(now ? "This process leads now and bills." : "Another process leads now and bills.");
    }

    void noCopies(Throwable failed) {
        LOG.atWarn()
                .addKeyValue(LogKeys.ERROR, failed.toString())
                .log("What the last leader left cannot be read; the next attempt follows.");
    }

    void withoutCopies() {
        LOG.warn("What the last leader left could not be read: bills go on from the checkpoint on this disk. What is"
                + " older than ten minutes is not billed, because another process may have billed it.");
    }

    void unreadable(Throwable window) {
        LOG.atError()
                .addKeyValue(LogKeys.ERROR, window.getMessage())
                .log("Bills of the last leader cannot be read, and are not sent. Their copy is kept: a process of the"
                        + " version that wrote it takes it when it leads.");
    }

    void outdated() {
        LOG.info("Another process has billed since this one: the checkpoint on this disk is removed.");
    }

    void copies(Replicator replicator) {
        var failure = replicator.failure();
        if (failure.isPresent() && !notCopying) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.ERROR, failure.get().toString())
                    .log("Other processes cannot be given the checkpoint: until then only this disk has it.");
        } else if (failure.isEmpty() && notCopying) {
            LOG.info("Other processes have the checkpoint again.");
        }
        notCopying = failure.isPresent();
    }

    /** Logs each failure with its stack trace, because it is a defect. */
    void broken(RuntimeException why) {
        LOG.error("Bills cannot be made now; unbilled use is kept, and the next tick tries again.", why);
    }

    void givenUp(long charges) {
        if (charges > 0 && !givingUp) {
            LOG.atError()
                    .addKeyValue(LogKeys.COUNT, charges)
                    .log("Bills of VMs that ended are given up, because too many wait for the outbox: see"
                            + " sluice_billing_records_given_up.");
        }
        givingUp = charges > 0;
    }

    void advanced(Duration by) {
        if (by.compareTo(CLOCKS_APART) > 0) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.REASON, Durations.text(by.truncatedTo(ChronoUnit.MILLIS)))
                    .log("The last leader's clock of bills was ahead of this one's, which continues from it: see"
                            + " sluice_billing_clock_ahead_seconds.");
        }
    }

    void clock(Duration ahead) {
        if (ahead.abs().compareTo(CLOCKS_APART) > 0) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.REASON, Durations.text(ahead.truncatedTo(ChronoUnit.MILLIS)))
                    .log("The wall clock was set since the last start: billing continues by its previous clock.");
        }
    }
}
