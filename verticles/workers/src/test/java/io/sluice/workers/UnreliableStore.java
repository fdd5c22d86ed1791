package io.sluice.workers;

import io.sluice.workers.core.Row;
import io.sluice.workers.store.FleetStore;
import io.sluice.workers.store.FleetStoreException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A store in memory that fails on request. */
final class UnreliableStore implements FleetStore {
    final Map<String, Row> rows = new LinkedHashMap<>();
    volatile boolean fails;

    @Override
    public Stored load() {
        return new Stored(List.of(), List.of(), List.of(), List.of());
    }

    @Override
    public void commit(Collection<Row> changes) {
        if (fails) {
            throw new FleetStoreException("it fails", null);
        }
        changes.forEach(row -> rows.put(row.key(), row));
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
