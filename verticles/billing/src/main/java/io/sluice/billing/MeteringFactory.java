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
 * Creates the metering of a process for the VMs that it bills.
 *
 * @param peers the processes of the Hazelcast cluster
 * @param node bill the VMs of this node only; empty where the processes with the role share all VMs
 */
record MeteringFactory(Peers peers, Optional<String> node) {
    static final String ROLE = "billing";

    /** {@code cluster.vms-watched} is published once a second. */
    private static final Duration STALE_AFTER = Duration.ofSeconds(5);

    private BillingPeers billingPeers() {
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

    /** Creates a metering that continues from the checkpoint of the process before this one. */
    Metering of(BillingConfig config, UsageCheckpoint.Read before, BillingClock clock, MachineClock machine) {
        var now = clock.instant();
        return switch (config.arithmetic()) {
            case EXACT ->
                new ExactMetering(exact(config, before, now), config.collectEvery(), () -> machine.status(clock));
            case REFERENCE ->
                new ReferenceMetering(
                        new ReferenceSchedule(now, config.collectEvery(), config.accumulateEvery()),
                        STALE_AFTER,
                        mine(),
                        before.meters(),
                        () -> machine.status(clock));
        };
    }

    private ExactCollector exact(BillingConfig config, UsageCheckpoint.Read before, Instant now) {
        var terms = new ExactCollector.Terms(config.accumulateEvery(), STALE_AFTER, billingPeers());
        return before.receivedUntil()
                .map(received -> new ExactCollector.Checkpoint(
                        before.meters(), received, before.windowStart(), before.writer(), before.inheritedGaps()))
                .map(checkpoints -> ExactCollector.resume(terms, checkpoints, now))
                .orElseGet(() -> new ExactCollector(terms, now));
    }
}
