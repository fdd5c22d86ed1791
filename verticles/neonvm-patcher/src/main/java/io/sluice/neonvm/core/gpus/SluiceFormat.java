package io.sluice.neonvm.core.gpus;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.devices.Device;
import io.sluice.devices.DeviceLink;
import io.sluice.devices.GpuShare;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/** Sluice's own annotations about GPUs: JSON, whose unknown fields are ignored. */
final class SluiceFormat {
    private static final int VERSION = 1;

    private SluiceFormat() {}

    /**
     * The devices of a node, as its agent writes them.
     *
     * @throws IllegalArgumentException if they cannot be read
     */
    static List<Device> devices(String text) {
        var devices = new ArrayList<Device>();
        for (var device : json(GpuKeys.DEVICES, text)) {
            var links = new HashMap<String, DeviceLink>();
            device.path("links")
                    .properties()
                    .forEach(link -> links.put(
                            link.getKey(), DeviceLink.valueOf(link.getValue().asText())));
            devices.add(new Device(
                    device.path("uuid").asText(""),
                    device.path("minor").asInt(),
                    device.path("model").asText(""),
                    device.path("memMiB").asLong(),
                    device.path("core").asInt(Device.WHOLE_CORE),
                    device.path("healthy").asBoolean(true),
                    device.has("numa") ? Optional.of(device.path("numa").asInt()) : Optional.empty(),
                    links));
        }
        return devices;
    }

    /** What the agent on a node has to give a pod. */
    static String allocation(String node, List<GpuShare> shares) {
        var json = GpuKeys.MAPPER.createObjectNode();
        json.put("v", VERSION).put("node", node);
        var devices = json.putArray("gpu");
        for (var share : shares) {
            devices.addObject()
                    .put("container", share.container())
                    .put("minor", share.minor())
                    .put("uuid", share.uuid())
                    .put("memMiB", share.memoryMiB())
                    .put("core", share.core());
        }
        return json.toString();
    }

    /**
     * Reads {@link #allocation}.
     *
     * @throws IllegalArgumentException if it is none
     */
    static List<GpuShare> shares(String allocation) {
        var json = json(GpuKeys.ALLOCATION, allocation);
        if (json.path("v").asInt() != VERSION) {
            throw new IllegalArgumentException(GpuKeys.ALLOCATION + " has the version " + json.path("v"));
        }
        var shares = new ArrayList<GpuShare>();
        for (var device : json.path("gpu")) {
            shares.add(new GpuShare(
                    device.path("container").asInt(),
                    device.path("minor").asInt(),
                    device.path("uuid").asText(""),
                    device.path("memMiB").asLong(),
                    device.path("core").asInt()));
        }
        return shares;
    }

    private static JsonNode json(String key, String text) {
        try {
            return GpuKeys.MAPPER.readTree(text);
        } catch (JsonProcessingException noJson) {
            throw new IllegalArgumentException(key + " is no JSON: " + noJson.getOriginalMessage(), noJson);
        }
    }
}
