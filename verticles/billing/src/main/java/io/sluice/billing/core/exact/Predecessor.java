package io.sluice.billing.core.exact;

import io.sluice.billing.core.Gap;
import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.VmUse;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The process that billed here before, as its checkpoint describes it. While it lived, other processes left its VMs to
 * it, also while its outbox accepted nothing. After its end they billed the last part of that time, and no more.
 *
 * @param name its name among the processes that share VMs; empty where the checkpoint has none
 * @param views the established processes that it saw, earliest first
 * @param aliveUntil the last instant at which it surely lived
 */
public record Predecessor(String name, List<View> views, Instant aliveUntil) {
    /**
     * The established processes from an instant on.
     *
     * @param from the instant; in the first view, the instant from which its VMs were not left to others
     * @param settled the established processes
     */
    public record View(Instant from, Set<String> settled) {
        /** Checks the fields. */
        public View {
            Objects.requireNonNull(from, "from");
            settled = Set.copyOf(settled);
        }
    }

    /** Checks the fields. */
    public Predecessor {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(aliveUntil, "aliveUntil");
        views = List.copyOf(views);
        if (views.isEmpty()) {
            throw new IllegalArgumentException("views of " + name + " must not be empty");
        }
    }

    /** Returns a predecessor with a single view. */
    public static Predecessor of(String name, Set<String> settled, Instant aliveUntil) {
        return new Predecessor(name, List.of(new View(Instant.EPOCH, settled)), aliveUntil);
    }

    /** The established processes of its last view. Only they may have observed what followed. */
    public Set<String> settled() {
        return views.getLast().settled();
    }

    /**
     * Returns the gaps in what it had to bill since changes were last received, as far as they can be determined now.
     * They are rather too long than too short.
     *
     * @param received when it last received changes
     * @param until the end of the gaps
     * @param kept how long a process keeps records of other processes
     * @param meters its usage meters
     * @param observations present observations of VMs; some VMs may not have existed at its end
     */
    List<Gap> unbilled(
            Instant received,
            Instant until,
            Duration kept,
            Collection<UsageMeter> meters,
            Collection<VmUse> observations) {
        var gaps = new ArrayList<Gap>();
        var metered = new HashSet<VmId>();
        for (var meter : meters) {
            metered.add(meter.key().vm());
            add(gaps, new Gap(meter.key(), meter.state().start(), until, meter.milliCpu(), Gap.Cause.RESTART), kept);
        }
        for (var observation : observations) {
            observation.use().filter(use -> !metered.contains(observation.vm())).ifPresent(use -> {
                var key = new MeterKey(observation.vm(), use.endpoint());
                add(gaps, new Gap(key, received, until, use.milliCpu(), Gap.Cause.RESTART), kept);
            });
        }
        return gaps;
    }

    /**
     * Adds the parts of a gap that it had to bill. What other processes had begun to bill, it took over for the time
     * that records are kept.
     */
    private void add(List<Gap> gaps, Gap all, Duration kept) {
        var reported = all.from();
        for (int i = 0; i < views.size(); i++) {
            var view = views.get(i);
            boolean last = i == views.size() - 1;
            var from = UsageMeters.later(
                    reported, i == 0 ? view.from() : view.from().minus(kept));
            var to = last || all.to().isBefore(views.get(i + 1).from())
                    ? all.to()
                    : views.get(i + 1).from();
            if (from.isBefore(to)
                    && BillingPeers.holder(all.key().vm(), view.settled()).equals(name)) {
                gaps.add(new Gap(all.key(), from, to, all.milliCpu(), all.cause()));
                reported = to;
            }
        }
    }
}
