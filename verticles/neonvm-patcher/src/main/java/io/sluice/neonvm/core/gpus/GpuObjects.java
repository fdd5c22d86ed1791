package io.sluice.neonvm.core.gpus;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.devices.Device;
import io.sluice.devices.GpuDemand;
import io.sluice.devices.GpuGrant;
import io.sluice.devices.GpuMode;
import io.sluice.devices.GpuNames;
import io.sluice.devices.GpuRequest;
import io.sluice.devices.GpuShare;
import io.sluice.devices.NodeDevices;
import io.sluice.shell.Quantities;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The GPUs of nodes and pods, by their objects. */
public final class GpuObjects {
    private GpuObjects() {}

    /**
     * The GPUs of a node, and who allocates them by its label. A node without that label leaves them to the kubelet.
     *
     * @throws IllegalArgumentException if its annotations cannot be read
     */
    public static NodeDevices node(JsonNode node) {
        var mode = mode(
                node.path("metadata").path("labels").path(GpuKeys.ALLOCATOR).asText(""));
        return new NodeDevices(mode, mode.isShared() ? devices(node, mode) : List.of());
    }

    private static GpuMode mode(String label) {
        for (var mode : GpuMode.values()) {
            if (mode.name().toLowerCase(Locale.ROOT).equals(label)) {
                return mode;
            }
        }
        return GpuMode.WHOLE;
    }

    private static List<Device> devices(JsonNode node, GpuMode mode) {
        var own = annotation(node, GpuKeys.DEVICES);
        if (!own.isEmpty() && mode == GpuMode.SHARED) {
            return SluiceFormat.devices(own);
        }
        var hami = annotation(node, GpuKeys.HAMI_DEVICES);
        if (!hami.isEmpty()) {
            return HamiFormat.devices(hami);
        }
        var chunks = annotation(node, GpuKeys.ALNAIR_CHUNKS);
        var written = chunks.isEmpty() ? annotation(node, GpuKeys.ALNAIR_CHUNKS_AS_WRITTEN) : chunks;
        return written.isEmpty() ? List.of() : AlnairFormat.devices(written, annotation(node, GpuKeys.ALNAIR_UUIDS));
    }

    /** What a pod requests of GPUs, and has. What cannot be read of it is named in the complaints. */
    public static GpuDemand pod(JsonNode pod, List<String> complaints) {
        var requests = new ArrayList<GpuRequest>();
        var ambiguous = "";
        var selector = GpuRequest.Selector.ANY;
        try {
            selector = GpuNames.selector(texts(pod.path("metadata").path("annotations")));
        } catch (IllegalArgumentException noScope) {
            complaints.add(noScope.getMessage());
        }
        int number = 0;
        for (var container : pod.path("spec").path("containers")) {
            var resources = gpus(container.path("resources"));
            var families = GpuNames.ambiguous(resources);
            if (families.isPresent()) {
                ambiguous = container.path("name").asText() + ": " + families.get();
            }
            GpuNames.read(number++, resources, selector).ifPresent(requests::add);
        }
        return new GpuDemand(ambiguous.isEmpty() ? requests : List.of(), shares(pod, complaints), ambiguous);
    }

    /** Limits count as requests: Kubernetes requires both to be equal for these resources. */
    private static Map<String, Long> gpus(JsonNode resources) {
        var gpus = new HashMap<String, Long>();
        for (var list : List.of("limits", "requests")) {
            resources.path(list).properties().forEach(quantity -> {
                if (GpuNames.isGpu(quantity.getKey())) {
                    gpus.put(
                            quantity.getKey(),
                            Quantities.bytes(quantity.getValue().asText()));
                }
            });
        }
        return gpus;
    }

    private static Map<String, String> texts(JsonNode object) {
        var texts = new HashMap<String, String>();
        object.properties()
                .forEach(field -> texts.put(field.getKey(), field.getValue().asText()));
        return texts;
    }

    /** Whoever has chosen them. */
    private static List<GpuShare> shares(JsonNode pod, List<String> complaints) {
        try {
            var own = annotation(pod, GpuKeys.ALLOCATION);
            if (!own.isEmpty()) {
                return SluiceFormat.shares(own);
            }
            var hami = annotation(pod, GpuKeys.HAMI_ALLOCATED);
            if (!hami.isEmpty()) {
                return HamiFormat.shares(hami);
            }
            return AlnairFormat.shares(annotation(pod, GpuKeys.ALNAIR_POD));
        } catch (IllegalArgumentException unreadable) {
            complaints.add(unreadable.getMessage());
            return List.of();
        }
    }

    private static String annotation(JsonNode object, String key) {
        return object.path("metadata").path("annotations").path(key).asText("");
    }

    /**
     * The annotations by which the node's agent gives a pod its GPUs, and which name its NUMA zones. The API server
     * writes them together with the pod's node, so no pod is bound without them.
     *
     * @param nowSeconds since 1970
     */
    public static Map<String, String> annotations(String node, GpuGrant grant, long nowSeconds) {
        var annotations = new LinkedHashMap<String, String>();
        if (!grant.zones().isEmpty()) {
            annotations.put(GpuKeys.ZONES, ZoneObjects.annotation(grant.zones()));
        }
        if (grant.shares().isEmpty()) {
            return annotations;
        }
        annotations.put(GpuKeys.ALLOCATION, SluiceFormat.allocation(node, grant.shares()));
        if (grant.mode() == GpuMode.HAMI) {
            annotations.putAll(HamiFormat.allocating(node, grant.shares(), nowSeconds));
        }
        return annotations;
    }
}
