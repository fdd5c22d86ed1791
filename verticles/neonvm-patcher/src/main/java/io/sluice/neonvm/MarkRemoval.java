package io.sluice.neonvm;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.neonvm.core.FullList;
import io.sluice.neonvm.core.MarkEnds;
import io.sluice.shell.LogKeys;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has marks taken back whose migrations are over, and finds those that nobody saw end: marks that stood before the
 * migrations were listed, and whose migration is not in the list. For one context, and one listing at a time.
 */
final class MarkRemoval {
    private static final Logger LOG = LoggerFactory.getLogger(MarkRemoval.class);
    private static final long FIRST_WAIT_MS = 1_000;

    /** About half a minute in all; the next full list finds what still stands then. */
    private static final int TRIES_MAX = 5;

    private final Vertx vertx;
    private final Bus bus;
    private final BooleanSupplier leads;
    private final Counter takenBack;
    private long looks;
    private boolean listing;
    private Optional<Snapshot> before = Optional.empty();

    /** @param leads whether it is for this process to do */
    MarkRemoval(Vertx vertx, Bus bus, MeterRegistry meters, BooleanSupplier leads) {
        this.vertx = vertx;
        this.bus = bus;
        this.leads = leads;
        takenBack = Counter.builder("sluice.cluster.marks.removed")
                .description("Marks of migrations that were certainly over and whose VMs stay, asked to be taken back")
                .register(meters);
    }

    /** A listing begins. */
    void look() {
        looks++;
        listing = false;
        before = Optional.empty();
        if (leads.getAsBoolean()) {
            long mine = looks;
            bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest("")).onSuccess(marks -> {
                if (mine == looks && !listing) {
                    before = Optional.of(marks);
                }
            });
        }
    }

    /** Its migrations are asked for: whatever mark is put on from here on may be newer than what they show. */
    void migrationsAsked() {
        listing = true;
    }

    /** It is through. */
    void listed(FullList found) {
        before.ifPresent(
                marks -> takeBack(MarkEnds.of(marks, found.allMigrations().items())));
        before = Optional.empty();
    }

    /** Takes back marks whose migrations are over. */
    void takeBack(List<UnmarkMigrating> marks) {
        if (leads.getAsBoolean()) {
            marks.forEach(mark -> {
                takenBack.increment();
                ask(mark, 1);
            });
        }
    }

    private void ask(UnmarkMigrating mark, int number) {
        bus.request(LedgerAddresses.UNMARK, mark).onFailure(lost -> {
            LOG.atDebug()
                    .addKeyValue(LogKeys.POD, mark.member())
                    .addKeyValue(LogKeys.ERROR, String.valueOf(lost.getMessage()))
                    .log("A mark could not be taken back.");
            if (number < TRIES_MAX && leads.getAsBoolean()) {
                vertx.setTimer(FIRST_WAIT_MS << (number - 1), timer -> ask(mark, number + 1));
            }
        });
    }
}
