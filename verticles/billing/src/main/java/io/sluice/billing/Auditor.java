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
 * Asks the ledger now and then what it holds, and writes beside each charge what was held meanwhile. All on one
 * context.
 */
final class Auditor {
    private static final int CHARGES_MOST = 200_000;

    private static final int PATIENCE = 3;

    private final Bus bus;
    private final InstantSource clock;
    private final SnapshotRequest question;
    private final Duration every;

    /** Of a window that ended longer ago it will not be known any more what was held. */
    private final Duration patience;

    private final LedgerSamples samples;
    private final Deque<UsageRecord> charges = new ArrayDeque<>();

    /**
     * One that has not asked yet.
     *
     * @param node of which node's books; empty asks for all
     * @param every how often the ledger is asked; zero: never
     * @param window how long charges are for, mostly
     */
    Auditor(Bus bus, InstantSource clock, Optional<String> node, Duration every, Duration window) {
        this.bus = bus;
        this.clock = clock;
        this.question = new SnapshotRequest(node.orElse(""));
        this.every = every;
        this.patience = every.multipliedBy(PATIENCE).plus(ExactCollector.LAG);
        this.samples = new LedgerSamples(window.multipliedBy(2).plus(patience));
    }

    /** Asks; what is not answered is not known. */
    Future<Void> look() {
        if (every.isZero()) {
            return Future.succeededFuture();
        }
        var asked = clock.instant();
        return bus.request(LedgerAddresses.SNAPSHOT, question).transform(books -> seen(asked, books));
    }

    private Future<Void> seen(Instant asked, AsyncResult<Snapshot> books) {
        if (books.succeeded()) {
            samples.add(asked, held(books.result()));
        }
        return Future.succeededFuture();
    }

    /** A VM that moves is held for on both nodes. */
    private static Map<String, Long> held(Snapshot books) {
        var held = new HashMap<String, Long>();
        books.nodes().stream()
                .flatMap(node -> node.members().stream())
                .filter(member -> !member.vmName().isEmpty())
                .forEach(member -> held.merge(label(member), member.reserved().milliCpu(), Long::sum));
        return held;
    }

    private static String label(ReservationView member) {
        return member.namespace() + "/" + member.vmName();
    }

    void billed(Collection<UsageRecord> billed) {
        charges.addAll(billed);
        while (charges.size() > CHARGES_MOST) {
            charges.removeFirst();
        }
    }

    /** Lines of those charges for which it is known, or will not be, what was held. */
    List<byte[]> lines(Instant now) {
        var lines = new ArrayList<byte[]>();
        while (!charges.isEmpty()) {
            var first = charges.getFirst();
            var held = every.isZero() ? Optional.<BigInteger>empty() : held(first);
            boolean late = first.stop().plus(patience).isBefore(now);
            if (held.isEmpty() && !late && !every.isZero()) {
                break;
            }
            lines.add(AccountLineJson.billed(charges.removeFirst(), held));
        }
        return lines;
    }

    /** All that are left, as nobody asks any more. */
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
