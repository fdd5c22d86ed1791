package io.sluice.billing;

import io.sluice.billing.core.LedgerSamples;
import io.sluice.billing.core.UsageRecord;
import io.sluice.billing.core.exact.ExactCollector;
import io.sluice.billing.wire.AccountLineJson;
import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.SnapshotRequest;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Requests ledger snapshots at an interval, and writes an account line for each usage record with what the ledger held
 * for the VM in that time. All methods run on one context.
 */
final class Auditor {
    private static final int CHARGES_MOST = 200_000;

    private static final int ATTEMPTS = 3;

    private final Bus bus;
    private final InstantSource clock;
    private final SnapshotRequest request;
    private final Duration every;

    /** A usage record that ended longer ago is written without the amount held. */
    private final Duration timeout;

    private final LedgerSamples samples;
    private final Deque<UsageRecord> charges = new ArrayDeque<>();

    /**
     * Creates an auditor; the first request is sent by {@link #look}.
     *
     * @param node request the ledger of this node only; empty requests all nodes
     * @param every the interval between requests; zero sends none
     * @param window the usual length of a usage record
     */
    Auditor(Bus bus, InstantSource clock, Optional<String> node, Duration every, Duration window) {
        this.bus = bus;
        this.clock = clock;
        this.request = new SnapshotRequest(node.orElse(""));
        this.every = every;
        this.timeout = every.multipliedBy(ATTEMPTS).plus(ExactCollector.LAG);
        this.samples = new LedgerSamples(window.multipliedBy(2).plus(timeout));
    }

    /**
     * Requests a snapshot and stores the reply as a sample. A failed request leaves the amount unknown, and does not
     * fail the future.
     */
    Future<Void> look() {
        if (every.isZero()) {
            return Future.succeededFuture();
        }
        var requested = clock.instant();
        return bus.request(LedgerAddresses.SNAPSHOT, request).transform(snapshot -> observed(requested, snapshot));
    }

    private Future<Void> observed(Instant requested, AsyncResult<Snapshot> snapshot) {
        if (snapshot.succeeded()) {
            samples.add(requested, held(snapshot.result()));
        }
        return Future.succeededFuture();
    }

    /** Returns the reserved milli-CPU of each VM. While a VM migrates, its reservations on both nodes are added up. */
    private static Map<String, Long> held(Snapshot snapshot) {
        var held = new HashMap<String, Long>();
        snapshot.nodes().stream()
                .flatMap(node -> node.reservations().stream())
                .filter(reservation -> !reservation.vmName().isEmpty())
                .forEach(reservation ->
                        held.merge(label(reservation), reservation.reserved().milliCpu(), Long::sum));
        return held;
    }

    private static String label(ReservationView reservation) {
        return reservation.namespace() + "/" + reservation.vmName();
    }

    void billed(Collection<UsageRecord> billed) {
        charges.addAll(billed);
        while (charges.size() > CHARGES_MOST) {
            charges.removeFirst();
        }
    }

    /**
     * Returns account lines of the usage records, oldest first. It stops at the first one that still waits for the
     * amount held.
     */
    List<byte[]> lines(Instant now) {
        var lines = new ArrayList<byte[]>();
        while (!charges.isEmpty()) {
            var first = charges.getFirst();
            var held = every.isZero() ? Optional.<BigInteger>empty() : held(first);
            boolean late = first.stop().plus(timeout).isBefore(now);
            if (held.isEmpty() && !late && !every.isZero()) {
                break;
            }
            lines.add(AccountLineJson.billed(charges.removeFirst(), held));
        }
        return lines;
    }

    /** Returns account lines of all remaining usage records, because no further snapshot follows. */
    List<byte[]> last() {
        var lines = new ArrayList<byte[]>();
        charges.forEach(charge -> lines.add(AccountLineJson.billed(charge, held(charge))));
        charges.clear();
        return lines;
    }

    private Optional<BigInteger> held(UsageRecord charge) {
        return samples.held(charge.key().vm().label(), charge.start(), charge.stop());
    }
}
