package io.sluice.ledger.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.core.InvariantChecks;
import io.sluice.ledger.core.LastPermitTrust;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.shell.Portions;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class GatedLedgerStoreTest {
    private static final String NODE = "n";
    private static final Resources TOTAL = new Resources(10_000, 1L << 40);
    private static final Resources LESS = new Resources(5_000, 1L << 39);

    private final AtomicReference<Optional<String>> shut = new AtomicReference<>(Optional.empty());
    private final LedgerStore store = new GatedLedgerStore(
            new MemoryLedgerStore(
                    new NodeLedger(new LedgerRules(
                            Duration.ofSeconds(10),
                            0.9,
                            Portions.NOTHING,
                            LastPermitTrust.RECOVERY,
                            InvariantChecks.WHOLE)),
                    InstantSource.fixed(Instant.EPOCH)),
            "no_lease",
            shut::get);

    private final LedgerCommand<HoldReply> hold = new LedgerCommand.Hold(new HoldRoom(
            NODE, "h", "ns", "h", "", new Resources(1_000, 1L << 30), Overcommit.OFF, Duration.ofSeconds(10)));

    @Test
    void anOpenOneLetsEverythingThrough() {
        load();

        assertThat(store.run(NODE, hold).result()).isInstanceOf(HoldReply.Held.class);
    }

    @Test
    void aShutOnePromisesNothingAndReportsWhy() {
        load();
        shut.set(Optional.of("the lease is held by another"));

        assertThat(store.run(NODE, hold).cause())
                .isInstanceOfSatisfying(
                        LedgerUnavailableException.class,
                        closed -> assertThat(closed.word()).isEqualTo("no_lease"))
                .hasMessage("the lease is held by another");
        assertThat(store.read(NODE).result().orElseThrow().reservations().size())
                .isZero();
    }

    @Test
    void theLedgerFollowsTheObservationsMeanwhile() {
        load();
        shut.set(Optional.of("the lease is held by another"));

        store.run(NODE, new LedgerCommand.ObserveNode(new NodeObserved(NODE, 2, LESS)));

        assertThat(store.read(NODE).result().orElseThrow().size().total()).isEqualTo(LESS);
    }

    private void load() {
        var list = new LoadNode(new NodeObserved(NODE, 1, TOTAL), 1, List.of(), List.of());
        var requested = store.run(NODE, new LedgerCommand.Load(list)).result();
        store.run(NODE, new LedgerCommand.Load(list.relist(requested.relist().orElseThrow())));
    }
}
