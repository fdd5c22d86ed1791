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
 * Who billed here before, as it wrote itself down. While it lived others left its VMs to it, also where nobody took its
 * charges: when it was gone they billed the last of it, and no more.
 *
 * @param name its name among those who share VMs; empty where that was not written down
 * @param views whom it saw, the earliest first
 * @param aliveUntil the last instant at which it surely lived
 */
public record Predecessor(String name, List<View> views, Instant aliveUntil) {
    /**
     * Who surely billed, from an instant on.
     *
     * @param from from when on; in the first, from when on what was its was not left to others
     * @param settled who surely billed
     */
    public record View(Instant from, Set<String> settled) {
        /** Checks that nothing is missing. */
        public View {
            Objects.requireNonNull(from, "from");
            settled = Set.copyOf(settled);
        }
    }

    /** Checks that nothing is missing. */
    public Predecessor {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(aliveUntil, "aliveUntil");
        views = List.copyOf(views);
        if (views.isEmpty()) {
            throw new IllegalArgumentException("whom " + name + " saw must be said");
        }
    }

    /** One that saw the same all along. */
    public static Predecessor of(String name, Set<String> settled, Instant aliveUntil) {
        return new Predecessor(name, List.of(new View(Instant.EPOCH, settled)), aliveUntil);
    }

    /** Who surely billed at last: only they can know what went on from there. */
    public Set<String> settled() {
        return views.getLast().settled();
    }

    /**
     * What was its to bill from when changes were heard of last, as far as that is known now: told a little too long
     * rather than too short.
     *
     * @param kept for how long others keep what they leave to it, and so it did of theirs
     * @param meters as it left them
     * @param facts of VMs as they are now: some may not have been there then
     */
    List<Gap> unbilled(
            Instant heard, Instant until, Duration kept, Collection<UsageMeter> meters, Collection<VmUse> facts) {
        var gaps = new ArrayList<Gap>();
        var metered = new HashSet<VmId>();
        for (var meter : meters) {
            metered.add(meter.key().vm());
            add(gaps, new Gap(meter.key(), meter.state().start(), until, meter.milliCpu(), Gap.Cause.RESTART), kept);
        }
        for (var fact : facts) {
            fact.use().filter(use -> !metered.contains(fact.vm())).ifPresent(use -> {
                var key = new MeterKey(fact.vm(), use.endpoint());
                add(gaps, new Gap(key, heard, until, use.milliCpu(), Gap.Cause.RESTART), kept);
            });
        }
        return gaps;
    }

    /** Of all that may be missing of a VM, what was its to bill; what others had begun it took over. */
    private void add(List<Gap> gaps, Gap all, Duration kept) {
        var told = all.from();
        for (int i = 0; i < views.size(); i++) {
            var view = views.get(i);
            boolean last = i == views.size() - 1;
            var from =
                    UsageMeters.later(told, i == 0 ? view.from() : view.from().minus(kept));
            var to = last || all.to().isBefore(views.get(i + 1).from())
                    ? all.to()
                    : views.get(i + 1).from();
            if (from.isBefore(to)
                    && BillingPeers.holder(all.key().vm(), view.settled()).equals(name)) {
                gaps.add(new Gap(all.key(), from, to, all.milliCpu(), all.cause()));
                told = to;
            }
        }
    }
}
