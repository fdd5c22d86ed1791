package io.sluice.ledger.clustered;

import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.store.LedgerStore;
import io.sluice.ledger.store.LedgerStoreContract;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import org.junit.jupiter.api.AfterEach;

/** The store contract on a single member. */
class ClusteredLedgerStoreTest extends LedgerStoreContract {
    private final Members members = new Members(1);

    @Override
    protected LedgerStore store(NodeLedger ledger, InstantSource clock) {
        return members.start(ledger.rules(), 1, EnumSet.allOf(Safeguard.class), () -> nanos(clock.instant()), clock)
                .store();
    }

    private static long nanos(Instant at) {
        return Duration.between(Instant.EPOCH, at).toNanos();
    }

    @AfterEach
    void stop() {
        members.close();
    }
}
