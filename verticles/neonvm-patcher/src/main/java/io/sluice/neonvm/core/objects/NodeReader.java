package io.sluice.neonvm.core.objects;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.neonvm.core.gpus.GpuObjects;
import io.sluice.units.FixedAmounts;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Reads nodes, and the fields that every object and list has. */
public final class NodeReader {
    private static final String CORDONED = "cordoned";
    private static final String NOT_READY = "not ready";
    private static final Set<String> KEEPING_AWAY = Set.of("NoSchedule", "NoExecute");

    /**
     * Prefix of the taints that Kubernetes itself sets. Pods on such a node may tolerate them; new ones should not go
     * there.
     */
    private static final String KUBERNETES = "node.kubernetes.io/";

    private static final Map<String, String> WORDS =
            Map.of("unschedulable", CORDONED, "not-ready", NOT_READY, "unreachable", NOT_READY);

    private NodeReader() {}

    /**
     * The observation of a node. A node without allocatable amounts has a total of zero.
     *
     * @throws IllegalArgumentException if a field is missing or not a quantity
     */
    public static NodeObserved read(JsonNode node) {
        var allocatable = node.path("status").path("allocatable");
        return new NodeObserved(
                KubernetesJson.text(node.path("metadata"), "name"),
                KubernetesJson.version(node),
                ContainerRequests.cpuAndMemory(allocatable),
                closed(node),
                taints(node),
                isReady(node),
                FixedAmounts.of(ContainerRequests.amounts(allocatable, ContainerRequests::isFixed)),
                GpuObjects.node(node));
    }

    /** A reason that Kubernetes also reports as a taint is reported once. */
    private static String closed(JsonNode node) {
        var why = new LinkedHashSet<String>();
        if (node.path("spec").path("unschedulable").asBoolean()) {
            why.add(CORDONED);
        }
        if (node.path("metadata").hasNonNull("deletionTimestamp")) {
            why.add("being deleted");
        }
        if (!isReady(node)) {
            why.add(NOT_READY);
        }
        keepingAway(node)
                .map(taint -> taint.path("key").asText())
                .filter(key -> key.startsWith(KUBERNETES))
                .map(key -> WORDS.getOrDefault(key.substring(KUBERNETES.length()), "tainted " + key))
                .forEach(why::add);
        return String.join(" and ", why);
    }

    /** Neither False nor Unknown: a node that has just registered has no such condition. */
    private static boolean isReady(JsonNode node) {
        for (var condition : node.path("status").path("conditions")) {
            if (condition.path("type").asText().equals("Ready")
                    && !condition.path("status").asText().equals("True")) {
                return false;
            }
        }
        return true;
    }

    private static List<String> taints(JsonNode node) {
        return keepingAway(node)
                .filter(taint -> !taint.path("key").asText().startsWith(KUBERNETES))
                .map(NodeReader::text)
                .sorted()
                .toList();
    }

    private static Stream<JsonNode> keepingAway(JsonNode node) {
        return StreamSupport.stream(node.path("spec").path("taints").spliterator(), false)
                .filter(taint -> KEEPING_AWAY.contains(taint.path("effect").asText()));
    }

    private static String text(JsonNode taint) {
        var value = taint.path("value").asText();
        return taint.path("key").asText() + (value.isEmpty() ? "" : "=" + value) + ":"
                + taint.path("effect").asText();
    }

    /**
     * The version of an object or a list.
     *
     * @throws IllegalArgumentException if it is not a number, as versions have to be compared
     */
    public static long version(JsonNode object) {
        return KubernetesJson.version(object);
    }
}
