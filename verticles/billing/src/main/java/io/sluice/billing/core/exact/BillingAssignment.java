package io.sluice.billing.core.exact;

import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which VMs this process has to bill. A VM is billed by the process that it is assigned to. While that process is not
 * established, the process to which the VM would be assigned among the established ones bills it too. When a process
 * leaves, all remaining processes bill its VMs, because it is unknown what it still sent and which of its changes its
 * successor received.
 */
final class BillingAssignment {
    private final BillingPeers peers;
    private final Duration settling;
    private final Map<String, Instant> since = new HashMap<>();
    private View view = new View(List.of(), List.of());
    private View before = view;
    private Set<String> left = Set.of();
    private Optional<Instant> aloneSince = Optional.empty();
    private boolean looked;

    /**
     * The processes at one time.
     *
     * @param all all processes with the role
     * @param settled the established processes; if there is none, the oldest process
     */
    private record View(List<String> all, List<String> settled) {}

    /** @param settling the time after which a new process counts as established */
    BillingAssignment(BillingPeers peers, Duration settling) {
        this.peers = peers;
        this.settling = settling;
    }

    /** Reads the present processes, and returns whether that changes the assignment. */
    boolean look(Instant now) {
        if (!peers.isShared()) {
            return false;
        }
        var all = peers.oldestFirst().get();
        since.keySet().retainAll(all);
        all.forEach(peer -> since.putIfAbsent(peer, looked || peer.equals(peers.self()) ? now : Instant.MIN));
        looked = true;
        aloneSince = all.size() > 1 ? Optional.empty() : aloneSince.or(() -> Optional.of(now));
        var settled = all.stream().filter(peer -> isSettled(peer, now)).toList();
        var next = new View(
                List.copyOf(all), settled.isEmpty() ? all.stream().limit(1).toList() : settled);
        if (next.equals(view)) {
            return false;
        }
        left = new HashSet<>(view.all());
        left.removeAll(all);
        before = view;
        view = next;
        return true;
    }

    /** This process counts itself as established earlier, so that it bills before others rely on it. */
    private boolean isSettled(String peer, Instant now) {
        var enough = peer.equals(peers.self()) ? settling.dividedBy(2) : settling;
        return !now.minus(enough).isBefore(since.get(peer));
    }

    /** The established processes. */
    Set<String> settled() {
        return Set.copyOf(view.settled());
    }

    /** Whether this process has to bill a VM. */
    boolean isOurs(VmId vm) {
        return !peers.isShared()
                || BillingPeers.holder(vm, view.all()).equals(peers.self())
                || BillingPeers.holder(vm, view.settled()).equals(peers.self());
    }

    /** Whether a process that left before the last {@link #look} had to bill a VM. */
    boolean isLeft(VmId vm) {
        return !left.isEmpty()
                && (left.contains(BillingPeers.holder(vm, before.all()))
                        || left.contains(BillingPeers.holder(vm, before.settled())));
    }

    /** Whether no other process is present, and none was for the settling time. */
    boolean isAlone(Instant now) {
        return !peers.isShared()
                || aloneSince.filter(now.minus(settling)::isAfter).isPresent();
    }
}
