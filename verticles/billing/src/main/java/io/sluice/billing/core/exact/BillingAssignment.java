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
 * Who has to bill a VM. Whoever holds it does; and while its holder has not been here for long, who would hold it among
 * those who have, as a newcomer may not have begun. When somebody leaves, all who stay bill what was his until then, as
 * nobody knows what he still did, nor whether his successor knows of it.
 */
final class BillingAssignment {
    private final BillingPeers company;
    private final Duration settling;
    private final Map<String, Instant> since = new HashMap<>();
    private View view = new View(List.of(), List.of());
    private View before = view;
    private Set<String> left = Set.of();
    private Optional<Instant> aloneSince = Optional.empty();
    private boolean looked;

    /**
     * Who is here.
     *
     * @param settled those of them who surely have begun, or the oldest
     */
    private record View(List<String> all, List<String> settled) {}

    /** @param settling how long a newcomer may take to begin */
    BillingAssignment(BillingPeers company, Duration settling) {
        this.company = company;
        this.settling = settling;
    }

    /** Sees who is here now, and answers whether that changes who has to bill. */
    boolean look(Instant now) {
        if (!company.isShared()) {
            return false;
        }
        var all = company.oldestFirst().get();
        since.keySet().retainAll(all);
        all.forEach(peer -> since.putIfAbsent(peer, looked || peer.equals(company.self()) ? now : Instant.MIN));
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

    /** This one begins to bill before others count on it. */
    private boolean isSettled(String peer, Instant now) {
        var enough = peer.equals(company.self()) ? settling.dividedBy(2) : settling;
        return !now.minus(enough).isBefore(since.get(peer));
    }

    /** Those who surely have begun. */
    Set<String> settled() {
        return Set.copyOf(view.settled());
    }

    /** Whether this one has to bill a VM. */
    boolean isOurs(VmId vm) {
        return !company.isShared()
                || BillingPeers.holder(vm, view.all()).equals(company.self())
                || BillingPeers.holder(vm, view.settled()).equals(company.self());
    }

    /** Whether somebody who left when this looked last had to bill a VM. */
    boolean isLeft(VmId vm) {
        return !left.isEmpty()
                && (left.contains(BillingPeers.holder(vm, before.all()))
                        || left.contains(BillingPeers.holder(vm, before.settled())));
    }

    /** Whether nobody else is here, nor was for a while. */
    boolean isAlone(Instant now) {
        return !company.isShared()
                || aloneSince.filter(now.minus(settling)::isAfter).isPresent();
    }
}
