package io.sluice.ledger.store;

import io.sluice.ledger.core.NodeLedger;
import java.time.InstantSource;

class MemoryLedgerStoreTest extends LedgerStoreContract {
    @Override
    protected LedgerStore store(NodeLedger ledger, InstantSource clock) {
        return new MemoryLedgerStore(ledger, clock);
    }
}
