package io.sluice.neonvm.core.gpus;

import io.sluice.devices.Device;
import io.sluice.devices.GpuShare;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The annotations of Alnair's device plugin, which deals in chunks of 1 GiB. They are read alone. */
final class AlnairFormat {
    private static final long CHUNK_MIB = 1_024;

    private AlnairFormat() {}

    /**
     * The devices of a node.
     *
     * @param chunks of each, separated by commas
     * @param uuids of each; those that are missing are named by their number
     */
    static List<Device> devices(String chunks, String uuids) {
        var ids = uuids.isBlank() ? new String[0] : uuids.split(",");
        var counts = chunks.split(",");
        var devices = new ArrayList<Device>(counts.length);
        for (int minor = 0; minor < counts.length; minor++) {
            devices.add(new Device(
                    minor < ids.length ? ids[minor].strip() : "gpu-" + minor,
                    minor,
                    "",
                    Long.parseLong(counts[minor].strip()) * CHUNK_MIB));
        }
        return devices;
    }

    /** What a pod has by the ids of its chunks: the uuid of a device, and a number after the first underscore. */
    static List<GpuShare> shares(String ids) {
        var chunks = new LinkedHashMap<String, Set<String>>();
        Arrays.stream(ids.split(","))
                .map(String::strip)
                .filter(id -> id.contains("_"))
                .forEach(id -> chunks.computeIfAbsent(id.substring(0, id.indexOf('_')), uuid -> new LinkedHashSet<>())
                        .add(id));
        return chunks.entrySet().stream().map(AlnairFormat::share).toList();
    }

    private static GpuShare share(Map.Entry<String, Set<String>> chunks) {
        return new GpuShare(
                0, GpuShare.UNKNOWN_MINOR, chunks.getKey(), chunks.getValue().size() * CHUNK_MIB, 0);
    }
}
