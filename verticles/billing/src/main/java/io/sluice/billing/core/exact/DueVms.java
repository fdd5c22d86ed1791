package io.sluice.billing.core.exact;

import io.sluice.billing.core.Gap;
import io.sluice.billing.core.UsageRecord;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What is due of the VMs that are this one's to bill. A repeat is harmless, and what nobody bills is lost: what others
 * were to bill lately is kept for a while, and is due as soon as a VM comes to be this one's.
 */
final class DueVms {
    /** Of VMs that ended while nobody took charges, mostly: those that run have one each. */
    static final int DUE_MOST = 2 * ExactCollector.VMS_MOST;

    private final BillingAssignment duties;
    private final Duration keptFor;
    private final Set<VmId> ours = new HashSet<>();

    /** VMs of somebody who left, and until when they are billed here too. */
    private final Map<VmId, Instant> helped = new HashMap<>();

    /** VMs of others that ended, by the end of that window; they are not metered any more, and may come to be ours. */
    private final Map<VmId, Instant> othersEnded = new HashMap<>();

    /** The same in the window that is open. */
    private final Set<VmId> othersEndedNow = new HashSet<>();

    private final Deque<Closed> others = new ArrayDeque<>();
    private final List<Gap> othersGaps = new ArrayList<>();
    private List<UsageRecord> othersNow = new ArrayList<>();
    private List<UsageRecord> due = new ArrayList<>();
    private List<Gap> gaps = new ArrayList<>();
    private long givenUp;

    private record Closed(Instant at, List<UsageRecord> charges) {}

    /** @param keptFor for how long what others were to bill is kept */
    DueVms(BillingAssignment duties, Duration keptFor) {
        this.duties = duties;
        this.keptFor = keptFor;
    }

    /** A VM is metered from now on. */
    void began(VmId vm) {
        if (duties.isOurs(vm)) {
            ours.add(vm);
        }
    }

    void ended(VmId vm) {
        if (!isOurs(vm)) {
            othersEndedNow.add(vm);
        }
    }

    /** Until then these are billed here too, whosever they are, as perhaps nobody else knows of them. */
    void help(Collection<VmId> vms, Instant until) {
        vms.forEach(vm -> helped.put(vm, until));
    }

    /** Whether it has to be billed here now. */
    boolean isOurs(VmId vm) {
        return ours.contains(vm) || helped.containsKey(vm);
    }

    void forget(VmId vm) {
        ours.remove(vm);
        helped.remove(vm);
    }

    /**
     * Sees which VMs came to be ours, or ceased to be.
     *
     * @param windowEnd of the window in which this is: until then, whoever stays bills what was theirs who left
     */
    void weigh(Collection<VmId> metered, Instant now, Instant windowEnd) {
        if (!duties.look(now)) {
            return;
        }
        var taken = new HashSet<VmId>();
        metered.forEach(vm -> weigh(vm, windowEnd, taken));
        Stream.concat(othersEnded.keySet().stream(), othersEndedNow.stream())
                .filter(vm -> duties.isOurs(vm) || duties.isLeft(vm))
                .forEach(taken::add);
        othersEnded.keySet().removeAll(taken);
        othersEndedNow.removeAll(taken);
        if (!taken.isEmpty()) {
            others.forEach(closed -> closed.charges().removeAll(takeOver(closed.charges(), taken)));
            othersNow.removeAll(takeOver(othersNow, taken));
            othersGaps.stream().filter(gap -> taken.contains(gap.key().vm())).forEach(this::addGap);
            othersGaps.removeIf(gap -> taken.contains(gap.key().vm()));
        }
    }

    private void weigh(VmId vm, Instant windowEnd, Set<VmId> taken) {
        boolean were = isOurs(vm);
        if (duties.isLeft(vm)) {
            helped.put(vm, windowEnd);
        }
        if (duties.isOurs(vm)) {
            ours.add(vm);
        } else {
            ours.remove(vm);
        }
        if (!were && isOurs(vm)) {
            taken.add(vm);
        }
    }

    /** What is ours now becomes due, and is answered. */
    private Set<UsageRecord> takeOver(List<UsageRecord> charges, Set<VmId> taken) {
        var found = new HashSet<UsageRecord>();
        charges.stream().filter(charge -> taken.contains(charge.key().vm())).forEach(charge -> {
            found.add(charge);
            addDue(charge);
        });
        return found;
    }

    private void addDue(UsageRecord charge) {
        if (due.size() < DUE_MOST) {
            due.add(charge);
        } else {
            givenUp++;
        }
    }

    /** What is not to be billed, as nobody knows it, is told by whoever would bill it. */
    void tell(Gap gap) {
        if (isOurs(gap.key().vm())) {
            addGap(gap);
        } else if (othersGaps.size() < DUE_MOST) {
            othersGaps.add(gap);
        }
    }

    /** What is not to be billed, and told by this one whosever it is. */
    void addGap(Gap gap) {
        if (gaps.size() < DUE_MOST) {
            gaps.add(gap);
        } else {
            givenUp++;
        }
    }

    List<Gap> takeGaps() {
        var taken = gaps;
        gaps = new ArrayList<>();
        return List.copyOf(taken);
    }

    long givenUp() {
        return givenUp;
    }

    void charge(UsageRecord charge) {
        var vm = charge.key().vm();
        boolean helps = helped.containsKey(vm) && charge.start().isBefore(helped.get(vm));
        if (ours.contains(vm) || helps) {
            addDue(charge);
        } else if (othersNow.size() < DUE_MOST) {
            othersNow.add(charge);
        }
    }

    void windowOver(Instant end) {
        others.addLast(new Closed(end, othersNow));
        othersNow = new ArrayList<>();
        othersEndedNow.forEach(vm -> othersEnded.put(vm, end));
        othersEndedNow.clear();
        var oldest = end.minus(keptFor);
        while (others.getFirst().at().isBefore(oldest)) {
            others.removeFirst();
        }
        othersEnded.values().removeIf(oldest::isAfter);
        othersGaps.removeIf(gap -> gap.to().isBefore(oldest));
        helped.values().removeIf(until -> !until.isAfter(end));
    }

    boolean hasDue() {
        return !due.isEmpty();
    }

    List<UsageRecord> takeDue() {
        var taken = due;
        due = new ArrayList<>();
        return List.copyOf(taken);
    }
}
