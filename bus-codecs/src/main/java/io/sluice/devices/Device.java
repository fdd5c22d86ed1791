package io.sluice.devices;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A GPU of a node.
 *
 * @param uuid its id, the same after a restart
 * @param minor its number on the node
 * @param model as the node's agent names it
 * @param memoryMiB its memory
 * @param core its compute, in percent of one device
 * @param healthy whether anything new may run on it
 * @param zone its NUMA zone, where that is known
 * @param links how it reaches other devices, by their uuid
 */
public record Device(
        String uuid,
        int minor,
        String model,
        long memoryMiB,
        int core,
        boolean healthy,
        Optional<Integer> zone,
        Map<String, DeviceLink> links) {
    /** The compute of a device. */
    public static final int WHOLE_CORE = 100;

    private static final String MEMORY = "gpu.memory/";
    private static final String CORE = "gpu.core/";

    public Device {
        if (uuid.isEmpty() || memoryMiB < 0 || core < 0) {
            throw new IllegalArgumentException(
                    "a device has an id, and no negative amounts: " + uuid + " " + memoryMiB + " MiB " + core + " %");
        }
        Objects.requireNonNull(model, "model");
        Objects.requireNonNull(zone, "zone");
        links = Map.copyOf(links);
    }

    /** A healthy device of which neither zone nor links are known. */
    public Device(String uuid, int minor, String model, long memoryMiB) {
        this(uuid, minor, model, memoryMiB, WHOLE_CORE, true, Optional.empty(), Map.of());
    }

    /** The kind under which the ledger counts the memory of one device, in MiB. */
    public static String memoryOf(String uuid) {
        return MEMORY + uuid;
    }

    /** The kind under which the ledger counts the compute of one device, in percent. */
    public static String coreOf(String uuid) {
        return CORE + uuid;
    }

    /** Whether a kind is an amount of one device. */
    public static boolean isKind(String kind) {
        return kind.startsWith(MEMORY) || kind.startsWith(CORE);
    }

    /** How it reaches another device; where that is not reported, by the zones of both. */
    DeviceLink linkTo(Device other) {
        var known = links.get(other.uuid);
        if (known != null) {
            return known;
        }
        return zone.isPresent() && zone.equals(other.zone) ? DeviceLink.SAME_NUMA : DeviceLink.CROSS_NUMA;
    }
}
