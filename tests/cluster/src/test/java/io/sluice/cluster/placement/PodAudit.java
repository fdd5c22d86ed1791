package io.sluice.cluster.placement;

import io.sluice.units.Resources;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Compares the bound pods of each node with its total, after every write to a pod. A pod counts from its bind to the
 * request to delete it. Of each node with zones it stands for the kubelet, which chooses the zone of an aligned pod.
 * Safe from any thread.
 */
final class PodAudit {
    private static final int NO_ZONE = -1;

    private final Resources total;
    private final int zones;
    private final Resources zoneTotal;
    private final Map<String, Pod> pods = new TreeMap<>();
    private final List<String> complaints = new ArrayList<>();
    private int bound;

    private static final class Pod {
        private final Resources amounts;
        private final boolean aligned;
        private String node = "";
        private int zone = NO_ZONE;
        private boolean ending;

        Pod(Resources amounts, boolean aligned) {
            this.amounts = amounts;
            this.aligned = aligned;
        }

        boolean isOn(String which) {
            return node.equals(which) && !ending;
        }
    }

    /** What a node has: its pods, and the room of each zone, by number. */
    record Report(List<String> pods, List<Resources> free) {}

    /** @param total of each node */
    PodAudit(Resources total) {
        this(total, 0, Resources.NONE);
    }

    /**
     * Audits nodes with zones.
     *
     * @param total of each node
     * @param zones how many each node has
     */
    PodAudit(Resources total, int zones, Resources zoneTotal) {
        this.total = total;
        this.zones = zones;
        this.zoneTotal = zoneTotal;
    }

    /** Takes a pod that is about to be created. */
    synchronized void created(String name, Resources amounts) {
        created(name, amounts, false);
    }

    /** Takes a pod that is about to be created; an aligned one needs one zone. */
    synchronized void created(String name, Resources amounts, boolean aligned) {
        pods.put(name, new Pod(amounts, aligned));
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
        if (pod.aligned && !pod.ending) {
            align(name, pod);
        }
    }

    /** In turn each zone comes first, so which one has a pod cannot be foreseen. */
    private void align(String name, Pod pod) {
        pod.zone = IntStream.range(bound, bound + zones)
                .map(turn -> turn % zones)
                .filter(zone -> !pod.amounts.exceeds(free(pod.node, zone)))
                .findFirst()
                .orElse(NO_ZONE);
        if (pod.zone == NO_ZONE) {
            var report = report(pod.node);
            complaints.add("the kubelet of " + pod.node + " refuses " + name + " of " + pod.amounts + ": " + report);
        }
    }

    private Resources free(String node, int zone) {
        return zoneTotal.minus(sum(pod -> pod.isOn(node) && pod.zone == zone));
    }

    private Resources sum(Predicate<Pod> which) {
        return pods.values().stream().filter(which).map(pod -> pod.amounts).reduce(Resources.NONE, Resources::plus);
    }

    /** What an exporter of the node reports now. */
    synchronized Report report(String node) {
        return new Report(
                pods.entrySet().stream()
                        .filter(pod -> pod.getValue().isOn(node))
                        .map(Map.Entry::getKey)
                        .toList(),
                IntStream.range(0, zones).mapToObj(zone -> free(node, zone)).toList());
    }

    /** Whether the pod waits for a node. */
    synchronized boolean waits(String name) {
        return Optional.ofNullable(pods.get(name))
                .filter(pod -> pod.node.isEmpty() && !pod.ending)
                .isPresent();
    }

    /** The sum of the pods on a node. */
    synchronized Resources use(String node) {
        return sum(pod -> pod.isOn(node));
    }

    /** What each zone has in all. */
    Resources zoneTotal() {
        return zoneTotal;
    }

    /** How many binds there were. */
    synchronized int bound() {
        return bound;
    }

    synchronized List<String> complaints() {
        return List.copyOf(complaints);
    }
}
