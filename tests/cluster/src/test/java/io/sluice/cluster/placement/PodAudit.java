package io.sluice.cluster.placement;

import io.sluice.units.Resources;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Compares the bound pods of each node with its total, after every write to a pod. A pod counts from its bind to the
 * request to delete it. Safe from any thread.
 */
final class PodAudit {
    private final Resources total;
    private final Map<String, Pod> pods = new TreeMap<>();
    private final List<String> complaints = new ArrayList<>();
    private int bound;

    private static final class Pod {
        private final Resources amounts;
        private String node = "";
        private boolean ending;

        Pod(Resources amounts) {
            this.amounts = amounts;
        }
    }

    /** @param total of each node */
    PodAudit(Resources total) {
        this.total = total;
    }

    /** Takes a pod that is about to be created. */
    synchronized void created(String name, Resources amounts) {
        pods.put(name, new Pod(amounts));
    }

    /** Takes a pod that is about to be deleted. */
    synchronized void ends(String name) {
        pods.get(name).ending = true;
    }

    /** Takes a pod that was written. */
    synchronized void written(JsonObject object) {
        var name = object.getJsonObject("metadata").getString("name");
        var pod = pods.get(name);
        var node = object.getJsonObject("spec").getString("nodeName", "");
        if (pod == null || node.isEmpty() || pod.node.equals(node)) {
            return;
        }
        if (!pod.node.isEmpty()) {
            complaints.add(name + " was bound to " + pod.node + " and to " + node);
        }
        pod.node = node;
        bound++;
        var use = use(node);
        if (use.exceeds(total)) {
            complaints.add(node + " has pods of " + use + " with " + name + ", of a total of " + total);
        }
    }

    /** Whether the pod waits for a node. */
    synchronized boolean waits(String name) {
        return Optional.ofNullable(pods.get(name))
                .filter(pod -> pod.node.isEmpty() && !pod.ending)
                .isPresent();
    }

    /** The sum of the pods on a node. */
    synchronized Resources use(String node) {
        return pods.values().stream()
                .filter(pod -> pod.node.equals(node) && !pod.ending)
                .map(pod -> pod.amounts)
                .reduce(Resources.NONE, Resources::plus);
    }

    /** How many binds there were. */
    synchronized int bound() {
        return bound;
    }

    synchronized List<String> complaints() {
        return List.copyOf(complaints);
    }
}
