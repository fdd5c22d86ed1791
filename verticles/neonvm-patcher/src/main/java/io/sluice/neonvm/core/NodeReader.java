package io.sluice.neonvm.core;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.cluster.NodeSeen;
import io.sluice.units.Resources;

/** Reads nodes, and what every object and list has. */
public final class NodeReader {
    private NodeReader() {}

    /**
     * The fact about a node. One that says nothing of its allocatable amounts has none to give.
     *
     * @throws IllegalArgumentException when a field is missing or no quantity
     */
    public static NodeSeen read(JsonNode node) {
        var allocatable = ContainerRequests.amounts(node.path("status").path("allocatable"), Resources.NONE);
        return new NodeSeen(Json.text(node.path("metadata"), "name"), Json.version(node), allocatable);
    }

    /**
     * The version of an object or a list.
     *
     * @throws IllegalArgumentException when it is no number, as versions must be that are to be compared
     */
    public static long version(JsonNode object) {
        return Json.version(object);
    }
}
