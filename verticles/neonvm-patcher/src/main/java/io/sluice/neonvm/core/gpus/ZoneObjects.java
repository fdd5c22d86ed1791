package io.sluice.neonvm.core.gpus;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.devices.NodeZones;
import io.sluice.devices.Zone;
import io.sluice.devices.ZoneRequest;
import io.sluice.shell.Quantities;
import io.sluice.units.FixedAmounts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The NUMA zones of nodes, by the objects {@code NodeResourceTopology} that an exporter writes, and what pods request
 * of them.
 */
public final class ZoneObjects {
    private static final Pattern NAME = Pattern.compile("node-(\\d{1,4})");
    private static final String FINGERPRINT = "nodeTopologyPodsFingerprint";
    private static final String FINGERPRINT_ANNOTATION = "topology.node.k8s.io/fingerprint";
    private static final String CPU = "cpu";
    private static final String MEMORY = "memory";
    private static final String HUGE_PAGES = "hugepages-";
    private static final Set<String> OF_THE_NODE = Set.of("ephemeral-storage", "storage", "pods");
    private static final int ZONES_MAX = 1_024;

    private ZoneObjects() {}

    /**
     * The zones of the node of the same name. What cannot be read of them is named in the complaints.
     *
     * @param version of the object
     */
    public static NodeZones zones(JsonNode topology, long version, List<String> complaints) {
        var attributes = pairs(topology.path("attributes"));
        var old = topology.path("topologyPolicies").path(0).asText("");
        var zones = new ArrayList<Zone>();
        for (var zone : topology.path("zones")) {
            if (zone.path("type").asText().equals("Node")) {
                zone(zone, complaints).ifPresent(zones::add);
            }
        }
        return new NodeZones(
                policy(attributes.getOrDefault("topologyManagerPolicy", old)),
                attributes
                        .getOrDefault("topologyManagerScope", old)
                        .toLowerCase(Locale.ROOT)
                        .matches("pod|.*podlevel"),
                zonesMax(attributes.getOrDefault("topologyManagerMaxNUMANodes", "")),
                version,
                fingerprint(topology, attributes),
                zones);
    }

    private static NodeZones.Policy policy(String text) {
        var words = text.toLowerCase(Locale.ROOT).replace("-", "");
        if (words.startsWith("singlenumanode")) {
            return NodeZones.Policy.SINGLE_ZONE;
        }
        if (words.startsWith("restricted")) {
            return NodeZones.Policy.RESTRICTED;
        }
        return words.startsWith("besteffort") ? NodeZones.Policy.BEST_EFFORT : NodeZones.Policy.NONE;
    }

    private static int zonesMax(String text) {
        int most = text.matches("\\d{1,4}") ? Integer.parseInt(text) : 0;
        return most > 1 ? Math.min(ZONES_MAX, most) : NodeZones.ZONES_MAX;
    }

    /** One of some pods alone does not say where the others are. */
    private static String fingerprint(JsonNode topology, Map<String, String> attributes) {
        boolean ofAll = !attributes.getOrDefault(FINGERPRINT + "Method", "all").equals("with-exclusive-resources");
        var annotated = topology.path("metadata")
                .path("annotations")
                .path(FINGERPRINT_ANNOTATION)
                .asText("");
        return ofAll ? attributes.getOrDefault(FINGERPRINT, annotated) : "";
    }

    private static Optional<Zone> zone(JsonNode zone, List<String> complaints) {
        var name = NAME.matcher(zone.path("name").asText());
        if (!name.matches()) {
            complaints.add("zone " + zone.path("name").asText() + " is not named node-NUMBER");
            return Optional.empty();
        }
        var allocatable = new HashMap<String, Long>();
        var available = new HashMap<String, Long>();
        for (var resource : zone.path("resources")) {
            var kind = resource.path("name").asText();
            allocatable.put(kind, amount(kind, resource.path("allocatable").asText()));
            available.put(kind, amount(kind, resource.path("available").asText()));
        }
        var distances = new HashMap<Integer, Integer>();
        for (var cost : zone.path("costs")) {
            var to = NAME.matcher(cost.path("name").asText());
            if (to.matches()) {
                distances.put(Integer.parseInt(to.group(1)), cost.path("value").asInt());
            }
        }
        return Optional.of(new Zone(
                Integer.parseInt(name.group(1)), FixedAmounts.of(allocatable), FixedAmounts.of(available), distances));
    }

    private static long amount(String kind, String quantity) {
        return Math.max(0, kind.equals(CPU) ? Quantities.milliCpu(quantity) : Quantities.bytes(quantity));
    }

    private static Map<String, String> pairs(JsonNode list) {
        var pairs = new HashMap<String, String>();
        list.forEach(
                pair -> pairs.put(pair.path("name").asText(), pair.path("value").asText()));
        return pairs;
    }

    /**
     * What the containers of a pod request of one zone each. The kubelet aligns CPU, memory and huge pages of
     * Guaranteed pods alone, and other resources of all.
     */
    public static FixedAmounts requests(JsonNode pod) {
        boolean guaranteed = pod.path("status").path("qosClass").asText().equals("Guaranteed");
        var containers = new ArrayList<FixedAmounts>();
        var init = new ArrayList<FixedAmounts>();
        for (var container : pod.path("spec").path("containers")) {
            containers.add(aligned(container, guaranteed));
        }
        for (var container : pod.path("spec").path("initContainers")) {
            boolean stays = container.path("restartPolicy").asText().equals("Always");
            (stays ? containers : init).add(aligned(container, guaranteed));
        }
        return new ZoneRequest(containers, init).kinds();
    }

    private static FixedAmounts aligned(JsonNode container, boolean guaranteed) {
        var amounts = new HashMap<String, Long>();
        container.path("resources").path("requests").properties().forEach(request -> {
            var kind = request.getKey();
            boolean ofAll = !kind.equals(CPU) && !kind.equals(MEMORY) && !kind.startsWith(HUGE_PAGES);
            if (!OF_THE_NODE.contains(kind) && (guaranteed || ofAll)) {
                amounts.put(kind, amount(kind, request.getValue().asText()));
            }
        });
        return FixedAmounts.of(amounts);
    }

    /** What people and agents can read on the pod: in which zones it may be, and whether that is one. */
    static String annotation(List<Integer> zones) {
        var json = GpuKeys.MAPPER.createObjectNode();
        var numbers = json.putArray("zones");
        zones.forEach(numbers::add);
        return json.put("exact", zones.size() == 1).toString();
    }
}
