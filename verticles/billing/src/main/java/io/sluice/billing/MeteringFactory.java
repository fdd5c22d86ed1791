package io.sluice.billing;

import io.sluice.billing.core.exact.BillingPeers;
import io.sluice.billing.core.exact.ExactCollector;
import io.sluice.billing.core.reference.ReferenceSchedule;
import io.sluice.shell.Assignment;
import io.sluice.shell.Peer;
import io.sluice.shell.Peers;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Which VMs a process bills, beside others, and how.
 *
 * @param peers who else there is
 * @param node the node whose VMs are billed; empty where the processes with the role share them
 */
record MeteringFactory(Peers peers, Optional<String> node) {
    static final String ROLE = "billing";

    /** Facts are said to be heard once a second. */
    private static final Duration STALE_AFTER = Duration.ofSeconds(5);

    private BillingPeers company() {
        boolean isShared = node.isEmpty() && !peers.alone();
        return new BillingPeers(
                peers.self().id(),
                isShared,
                () -> isShared ? billing() : List.of(peers.self().id()));
    }

    private List<String> billing() {
        return peers.oldestFirst().stream()
                .filter(peer -> peer.roles().contains(ROLE))
                .map(Peer::id)
                .toList();
    }

    private Predicate<VmId> mine() {
        var share = new Assignment(peers, ROLE);
        return node.isPresent() ? vm -> true : vm -> share.mine(vm.uid());
    }

    /** One that goes on where the process before this one left off. */
    Metering of(BillingConfig config, UsageCheckpoint.Read before, BillingClock clock, MachineClock machine) {
        var now = clock.instant();
        return switch (config.arithmetic()) {
            case EXACT ->
                new ExactMetering(exact(config, before, now), config.collectEvery(), () -> machine.standing(clock));
            case REFERENCE ->
                new ReferenceMetering(
                        new ReferenceSchedule(now, config.collectEvery(), config.accumulateEvery()),
                        STALE_AFTER,
                        mine(),
                        before.meters(),
                        () -> machine.standing(clock));
        };
    }

    private ExactCollector exact(BillingConfig config, UsageCheckpoint.Read before, Instant now) {
        var terms = new ExactCollector.Terms(config.accumulateEvery(), STALE_AFTER, company());
        return before.heardUntil()
                .map(heard -> new ExactCollector.Notes(
                        before.meters(), heard, before.windowStart(), before.writer(), before.doubts()))
                .map(notes -> ExactCollector.resume(terms, notes, now))
                .orElseGet(() -> new ExactCollector(terms, now));
    }
}
