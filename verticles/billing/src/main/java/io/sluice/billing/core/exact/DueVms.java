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
 * Collects the usage records and gaps that this process has to bill. Repeated use is harmless, and use that no process
 * bills is lost. So records that other processes have to bill are kept for a time, and become due as soon as this
 * process has to bill the VM.
 */
final class DueVms {
    /**
     * The limit for usage records. It is reached mostly by VMs that ended while the outbox accepted nothing, because
     * each running VM has one record.
     */
    static final int DUE_MOST = 2 * ExactCollector.VMS_MOST;

    private final BillingAssignment duties;
    private final Duration keptFor;
    private final Set<VmId> ours = new HashSet<>();

    /** VMs of processes that left, and until when they are billed here too. */
    private final Map<VmId, Instant> helped = new HashMap<>();

    /**
     * VMs of other processes that ended, with the end of that window. They are not metered any more, and may still
     * become due here.
     */
    private final Map<VmId, Instant> othersEnded = new HashMap<>();

    /** The same for the open window. */
    private final Set<VmId> othersEndedNow = new HashSet<>();

    private final Deque<Closed> others = new ArrayDeque<>();
    private final List<Gap> othersGaps = new ArrayList<>();
    private List<UsageRecord> othersNow = new ArrayList<>();
    private List<UsageRecord> due = new ArrayList<>();
    private List<Gap> gaps = new ArrayList<>();
    private long givenUp;

    private record Closed(Instant at, List<UsageRecord> charges) {}

    /** @param keptFor how long records of other processes are kept */
    DueVms(BillingAssignment duties, Duration keptFor) {
        this.duties = duties;
        this.keptFor = keptFor;
    }

    /** A usage meter begins. */
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

    /** Bills these VMs here too until then, because possibly no other process has observed them. */
    void help(Collection<VmId> vms, Instant until) {
        vms.forEach(vm -> helped.put(vm, until));
    }

    /** Whether this process has to bill a VM now. */
    boolean isOurs(VmId vm) {
        return ours.contains(vm) || helped.containsKey(vm);
    }

    void forget(VmId vm) {
        ours.remove(vm);
        helped.remove(vm);
    }

    /**
     * Finds the VMs that this process has to bill from now on, or no longer.
     *
     * @param windowEnd end of the open window; until then the remaining processes bill the VMs of processes that left
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

    /** Makes the records of the VMs in {@code taken} due, and returns them. */
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

    /** Reports a gap if this process has to bill the VM; otherwise keeps it as a gap of another process. */
    void report(Gap gap) {
        if (isOurs(gap.key().vm())) {
            addGap(gap);
        } else if (othersGaps.size() < DUE_MOST) {
            othersGaps.add(gap);
        }
    }

    /** Reports a gap here, whichever process has to bill the VM. */
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
