package io.sluice.neonvm.core.gpus;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.devices.Device;
import io.sluice.devices.GpuShare;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The annotations by which the scheduler of HAMi and its device plugin agree: devices that a node registers, and those
 * that a pod is to get, container by container.
 */
final class HamiFormat {
    /** What HAMi names all devices of this vendor, in pods. */
    private static final String TYPE = "NVIDIA";

    private static final int SHORT = 7;
    private static final int LONG = 9;

    private HamiFormat() {}

    /**
     * The devices that a node registers: a JSON array, whose fields are left out where they are zero; before release
     * 2.5 texts of seven fields, or nine, each ended by a colon.
     *
     * @throws IllegalArgumentException if it is neither
     */
    static List<Device> devices(String register) {
        var devices = new ArrayList<Device>();
        if (register.stripLeading().startsWith("[")) {
            for (var device : json(register)) {
                devices.add(device(device));
            }
            return devices;
        }
        for (var entry : register.split(":")) {
            if (!entry.isBlank()) {
                devices.add(device(entry.strip().split(",", -1), devices.size()));
            }
        }
        return devices;
    }

    private static JsonNode json(String register) {
        try {
            return GpuKeys.MAPPER.readTree(register);
        } catch (JsonProcessingException noJson) {
            throw new IllegalArgumentException(GpuKeys.HAMI_DEVICES + " is no JSON", noJson);
        }
    }

    private static Device device(JsonNode device) {
        return new Device(
                device.path("id").asText(""),
                device.path("index").asInt(),
                device.path("type").asText(""),
                device.path("devmem").asLong(),
                device.path("devcore").asInt(),
                device.path("health").asBoolean(),
                Optional.of(device.path("numa").asInt()),
                Map.of());
    }

    private static Device device(String[] fields, int place) {
        if (fields.length != SHORT && fields.length != LONG) {
            throw new IllegalArgumentException(
                    GpuKeys.HAMI_DEVICES + " has a device with " + fields.length + " fields: " + fields[0]);
        }
        return new Device(
                fields[0],
                fields.length == LONG ? Integer.parseInt(fields[7]) : place,
                fields[4],
                Long.parseLong(fields[2]),
                Integer.parseInt(fields[3]),
                Boolean.parseBoolean(fields[6]),
                Optional.of(Integer.parseInt(fields[5])),
                Map.of());
    }

    /** The annotations from which the device plugin gives a pod its devices. */
    static Map<String, String> allocating(String node, List<GpuShare> shares, long nowSeconds) {
        var text = pod(shares);
        var annotations = new LinkedHashMap<String, String>();
        annotations.put(GpuKeys.HAMI_NODE, node);
        annotations.put(GpuKeys.HAMI_ASSIGNED_AT, Long.toString(nowSeconds));
        annotations.put(GpuKeys.HAMI_TO_ALLOCATE, text);
        annotations.put(GpuKeys.HAMI_ALLOCATED, text);
        annotations.put(GpuKeys.HAMI_BIND_PHASE, GpuKeys.HAMI_ALLOCATING);
        annotations.put(GpuKeys.HAMI_BOUND_AT, Long.toString(nowSeconds));
        return annotations;
    }

    /** The devices of a pod: a semicolon ends each container, also one without any, and a colon each device. */
    static String pod(List<GpuShare> shares) {
        int last = shares.stream().mapToInt(GpuShare::container).max().orElse(-1);
        var text = new StringBuilder();
        for (int container = 0; container <= last; container++) {
            for (var share : shares) {
                if (share.container() == container) {
                    text.append(share.uuid()).append(',').append(TYPE).append(',');
                    text.append(share.memoryMiB())
                            .append(',')
                            .append(share.core())
                            .append(':');
                }
            }
            text.append(';');
        }
        return text.toString();
    }

    /**
     * Reads {@link #pod}.
     *
     * @throws IllegalArgumentException if it is none
     */
    static List<GpuShare> shares(String text) {
        var shares = new ArrayList<GpuShare>();
        int container = 0;
        for (var devices : text.split(";")) {
            for (var device : devices.split(":")) {
                var fields = device.split(",");
                if (fields.length >= 4) {
                    shares.add(new GpuShare(
                            container,
                            GpuShare.UNKNOWN_MINOR,
                            fields[0],
                            Long.parseLong(fields[2]),
                            Integer.parseInt(fields[3])));
                } else if (!device.isBlank()) {
                    throw new IllegalArgumentException(GpuKeys.HAMI_ALLOCATED + " has a device without amounts");
                }
            }
            container++;
        }
        return shares;
    }
}
