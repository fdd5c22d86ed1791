package io.sluice.billing.core.exact;

import io.sluice.billing.core.Charge;
import io.sluice.units.VmId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which VMs are this one's to bill, and what is due of them. A repeat is harmless, and what nobody bills is lost: what
 * others were to bill lately is kept for a while, and whoever takes over from one of them bills it again, as nobody
 * knows what he still did; and a VM that came to be another's is billed on until that one surely has begun.
 */
final class Holdings {
    /** Longer than anybody's end goes unnoticed, and than anybody takes to begin. */
    private static final int WINDOWS_KEPT = 8;

    /** Of VMs that ended while nobody took charges, mostly: those that run have one each. */
    static final int DUE_MOST = 2 * ExactCollector.VMS_MOST;

    private final Predicate<VmId> mine;
    private final Set<VmId> ours = new HashSet<>();

    /** VMs of ours that came to be another's, and in which window. */
    private final Map<VmId, Long> leaving = new HashMap<>();

    private final Deque<List<Charge>> others = new ArrayDeque<>();
    private List<Charge> othersNow = new ArrayList<>();
    private List<Charge> due = new ArrayList<>();

    /** VMs of others that ended, and in which window; they are not metered any more, and may come to be ours. */
    private final Map<VmId, Long> othersEnded = new HashMap<>();

    private long window;
    private long givenUp;

    Holdings(Predicate<VmId> mine) {
        this.mine = mine;
    }

    /** A VM is metered from now on. */
    void began(VmId vm) {
        if (mine.test(vm)) {
            ours.add(vm);
        }
    }

    void ended(VmId vm) {
        if (!isOurs(vm)) {
            othersEnded.put(vm, window);
        }
    }

    /** Whether it is ours, or was lately. */
    boolean isOurs(VmId vm) {
        return ours.contains(vm);
    }

    void forget(VmId vm) {
        ours.remove(vm);
        leaving.remove(vm);
    }

    /** Sees which VMs came to be ours, or ceased to be. */
    void weigh(Collection<VmId> metered) {
        var taken = new HashSet<VmId>();
        for (var vm : metered) {
            if (mine.test(vm)) {
                leaving.remove(vm);
                if (ours.add(vm)) {
                    taken.add(vm);
                }
            } else if (ours.contains(vm)) {
                leaving.putIfAbsent(vm, window);
            }
        }
        othersEnded.keySet().stream().filter(mine).forEach(taken::add);
        othersEnded.keySet().removeAll(taken);
        if (!taken.isEmpty()) {
            takeOver(taken);
        }
    }

    private void takeOver(Set<VmId> taken) {
        int size = others.size();
        for (int i = 0; i < size; i++) {
            others.addLast(split(others.removeFirst(), taken));
        }
        othersNow = split(othersNow, taken);
    }

    /** What is ours now becomes due; answers the rest. */
    private List<Charge> split(List<Charge> charges, Set<VmId> taken) {
        var left = new ArrayList<Charge>();
        for (var charge : charges) {
            if (taken.contains(charge.key().vm())) {
                addDue(charge);
            } else {
                left.add(charge);
            }
        }
        return left;
    }

    private void addDue(Charge charge) {
        if (due.size() < DUE_MOST) {
            due.add(charge);
        } else {
            givenUp++;
        }
    }

    long givenUp() {
        return givenUp;
    }

    /** @param theirs whether others bill it, whosever the VM is */
    void charge(Charge charge, boolean theirs) {
        if (theirs) {
            return;
        }
        if (isOurs(charge.key().vm())) {
            addDue(charge);
        } else if (othersNow.size() < DUE_MOST) {
            othersNow.add(charge);
        }
    }

    void windowOver() {
        others.addLast(othersNow);
        othersNow = new ArrayList<>();
        if (others.size() > WINDOWS_KEPT) {
            others.removeFirst();
        }
        window++;
        othersEnded.values().removeIf(ended -> ended < window - WINDOWS_KEPT);
        leaving.entrySet().removeIf(left -> left.getValue() <= window - WINDOWS_KEPT && ours.remove(left.getKey()));
    }

    List<Charge> takeDue() {
        var taken = due;
        due = new ArrayList<>();
        return List.copyOf(taken);
    }
}
