package io.sluice.simulation.model;

import io.sluice.messages.cluster.NodeObserved;
import io.sluice.units.Resources;
import java.util.List;

/** A node as the API server stores it. */
final class NodeObject {
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
        return new NodeObserved(name, version, allocatable, ready ? "" : "not ready", List.of(), ready);
    }
}
