package io.sluice.workers.core;

import java.util.List;

/** What follows from one event: rows first, and once they are durable, actions in their order. */
public record FleetStep(List<Row> rows, List<FleetAction> actions) {
    public FleetStep {
        rows = List.copyOf(rows);
        actions = List.copyOf(actions);
    }
}
