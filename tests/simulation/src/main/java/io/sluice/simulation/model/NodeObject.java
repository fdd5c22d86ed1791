package io.sluice.simulation.model;

import io.sluice.messages.cluster.NodeObserved;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Map;

/** A node as the API server stores it. */
public final class NodeObject {
    /** The kind of which pods that are placed may request one. */
    public static final String DEVICE = "example.com/device";

    private static final FixedAmounts FIXED = FixedAmounts.of(Map.of(FixedAmounts.PODS, 40L, DEVICE, 1L));

    final String name;
    long version;
    Resources allocatable;
    boolean there = true;
    boolean ready = true;

    NodeObject(String name, Resources allocatable) {
        this.name = name;
        this.allocatable = allocatable;
    }

    NodeObserved observation() {
        return new NodeObserved(name, version, allocatable, ready ? "" : "not ready", List.of(), ready, FIXED);
    }
}
