package io.sluice.workers.store;

import io.sluice.workers.core.Instance;
import io.sluice.workers.core.JoinToken;
import io.sluice.workers.core.Order;
import io.sluice.workers.core.Row;
import io.sluice.workers.core.Worker;
import java.util.Collection;
import java.util.List;

/** Where the rows of a fleet are durable. Used by one thread at a time. */
public interface FleetStore extends AutoCloseable {
    /** All rows of a store. */
    record Stored(List<Worker> workers, List<Instance> instances, List<Order> orders, List<JoinToken> tokens) {
        public Stored {
            workers = List.copyOf(workers);
            instances = List.copyOf(instances);
            orders = List.copyOf(orders);
            tokens = List.copyOf(tokens);
        }
    }

    /** Reads all rows. */
    Stored load();

    /** Makes all of these durable, or none; when it returns they are. */
    void commit(Collection<Row> rows);

    @Override
    void close();
}
