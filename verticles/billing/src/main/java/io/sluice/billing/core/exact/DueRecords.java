package io.sluice.billing.core.exact;

import io.sluice.billing.core.Gap;
import io.sluice.billing.core.UsageRecord;
import java.util.ArrayList;
import java.util.List;

/** The usage records and gaps for the next commit. */
final class DueRecords {
    /**
     * The limit for usage records, and that for gaps. It is reached mostly by VMs that ended while the outbox accepted
     * nothing, because each running VM has one record.
     */
    static final int MOST = 2 * ExactCollector.VMS_MOST;

    private List<UsageRecord> charges = new ArrayList<>();
    private List<Gap> gaps = new ArrayList<>();
    private long givenUp;

    /** Adds a usage record, unless nothing was used. */
    void charge(UsageRecord charge) {
        if (charge.activeNs() > 0) {
            add(charges, charge);
        }
    }

    void report(Gap gap) {
        if (!gap.length().isZero()) {
            add(gaps, gap);
        }
    }

    private <T> void add(List<T> due, T one) {
        if (due.size() < MOST) {
            due.add(one);
        } else {
            givenUp++;
        }
    }

    List<UsageRecord> takeCharges() {
        var taken = charges;
        charges = new ArrayList<>();
        return taken;
    }

    List<Gap> takeGaps() {
        var taken = gaps;
        gaps = new ArrayList<>();
        return taken;
    }

    boolean hasCharges() {
        return !charges.isEmpty();
    }

    long givenUp() {
        return givenUp;
    }
}
