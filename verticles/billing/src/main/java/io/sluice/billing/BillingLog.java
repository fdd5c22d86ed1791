package io.sluice.billing;

import io.sluice.billing.core.Gap;
import io.sluice.shell.LogKeys;
import io.sluice.shell.config.Durations;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an operator is to know of bills. What lasts is said where it begins and where it ends. */
final class BillingLog {
    private static final Logger LOG = LoggerFactory.getLogger(BillingLog.class);
    private static final Duration CLOCKS_APART = Duration.ofSeconds(2);

    private boolean missing;
    private boolean blocked;
    private boolean givingUp;

    /** Nothing is said of what every start does. */
    void missing(String cause) {
        boolean now = cause.equals(Metering.Census.WATCH);
        if (now && !missing) {
            LOG.warn("Changes of VMs are not heard of: nothing is billed beyond what was heard.");
        } else if (!now && missing) {
            LOG.info("Changes of VMs are heard of again: what has not changed is billed for the time between.");
        }
        missing = now;
    }

    void nobodyIsTold() {
        LOG.atWarn()
                .addKeyValue(LogKeys.KEY, "billing.file.directory")
                .log("Nobody is told what is billed: neither files nor a receiver are named.");
    }

    void missed(List<Gap> gaps) {
        if (!gaps.isEmpty()) {
            var first = gaps.getFirst();
            LOG.atWarn()
                    .addKeyValue(LogKeys.VM, first.key().vm().label())
                    .addKeyValue(LogKeys.COUNT, gaps.size())
                    .addKeyValue(LogKeys.REASON, first.cause())
                    .log(
                            "Use of VMs is not known for a while, and not billed: of the first, from {} to {}.",
                            first.from(),
                            first.to());
        }
    }

    void blocked(boolean now, String reason) {
        if (now && !blocked) {
            LOG.atError()
                    .addKeyValue(LogKeys.REASON, reason)
                    .log("Bills are not taken in: what is to be billed is kept in memory until they are.");
        } else if (!now && blocked) {
            LOG.info("Bills are taken in again.");
        }
        blocked = now;
    }

    /** Each time: it is a defect, and its trace is what mends it. */
    void broken(RuntimeException why) {
        LOG.error("Bills cannot be made now; what was to be billed is kept, and it is tried again.", why);
    }

    void givenUp(long charges) {
        if (charges > 0 && !givingUp) {
            LOG.atError()
                    .addKeyValue(LogKeys.COUNT, charges)
                    .log("Bills of VMs that ended are given up, as too many wait to be taken in: see"
                            + " sluice_billing_charges_given_up.");
        }
        givingUp = charges > 0;
    }

    void deleted(Path file) {
        LOG.atWarn()
                .addKeyValue(LogKeys.KEY, "billing.file.keepFiles")
                .addKeyValue(LogKeys.REASON, file)
                .log("The oldest file of events was deleted, as there are more than are to be kept.");
    }

    void clock(Duration ahead) {
        if (ahead.abs().compareTo(CLOCKS_APART) > 0) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.REASON, Durations.text(ahead.truncatedTo(ChronoUnit.MILLIS)))
                    .log("The wall clock was set since the last start: bills go on by the clock of before.");
        }
    }
}
