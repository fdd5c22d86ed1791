package io.sluice.neonvm.watch;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.neonvm.core.observed.FullList;
import io.sluice.neonvm.core.observed.MarkEnds;
import io.sluice.shell.LogKeys;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes migration marks of finished migrations in the ledger. It also finds marks of migrations with an unobserved
 * end: such a mark existed before the migrations were listed, and its migration is not in the list. For one context and
 * one full list at a time.
 */
final class MarkRemoval {
    private static final Logger LOG = LoggerFactory.getLogger(MarkRemoval.class);
    private static final long FIRST_WAIT_MS = 1_000;

    /** The tries take about half a minute in all; the next full list finds the marks that remain. */
    private static final int TRIES_MAX = 5;

    private final Vertx vertx;
    private final Bus bus;
    private final BooleanSupplier leads;
    private final Counter takenBack;
    private long looks;
    private boolean fullList;
    private Optional<Snapshot> before = Optional.empty();

    /** @param leads whether this process removes marks */
    MarkRemoval(Vertx vertx, Bus bus, MeterRegistry meters, BooleanSupplier leads) {
        this.vertx = vertx;
        this.bus = bus;
        this.leads = leads;
        takenBack = Counter.builder("sluice.cluster.marks.removed")
                .description("Requests to remove marks of migrations that are certainly over and moved no VM")
                .register(meters);
    }

    /** A full list begins. */
    void look() {
        looks++;
        fullList = false;
        before = Optional.empty();
        if (leads.getAsBoolean()) {
            long mine = looks;
            bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest("")).onSuccess(marks -> {
                if (mine == looks && !fullList) {
                    before = Optional.of(marks);
                }
            });
        }
    }

    /**
     * The migrations of the list are requested. A mark that is set from now on may be newer than the list of
     * migrations.
     */
    void migrationsRequested() {
        fullList = true;
    }

    /** The full list is done. */
    void listed(FullList found) {
        before.ifPresent(
                marks -> takeBack(MarkEnds.of(marks, found.allMigrations().items())));
        before = Optional.empty();
    }

    /** Requests the removal of marks of finished migrations. */
    void takeBack(List<UnmarkMigrating> marks) {
        if (leads.getAsBoolean()) {
            marks.forEach(mark -> {
                takenBack.increment();
                request(mark, 1);
            });
        }
    }

    private void request(UnmarkMigrating mark, int number) {
        bus.request(LedgerAddresses.UNMARK, mark).onFailure(lost -> {
            LOG.atDebug()
                    .addKeyValue(LogKeys.POD, mark.pod())
                    .addKeyValue(LogKeys.ERROR, String.valueOf(lost.getMessage()))
                    .log("A mark could not be removed.");
            if (number < TRIES_MAX && leads.getAsBoolean()) {
                vertx.setTimer(FIRST_WAIT_MS << (number - 1), timer -> request(mark, number + 1));
            }
        });
    }
}
