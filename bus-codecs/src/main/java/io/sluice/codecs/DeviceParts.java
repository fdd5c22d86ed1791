package io.sluice.codecs;

import io.sluice.devices.Device;
import io.sluice.devices.DeviceMisfit;
import io.sluice.devices.GpuDemand;
import io.sluice.devices.GpuGrant;
import io.sluice.devices.GpuRequest;
import io.sluice.devices.GpuShare;
import io.sluice.devices.NodeDevices;
import io.sluice.devices.NodeZones;
import io.sluice.devices.Zone;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * GPUs in several messages. They have no version of their own: a change of a part needs a new version of each message
 * that contains it.
 */
public final class DeviceParts {
    private DeviceParts() {}

    /**
     * Mode u8; devices, each uuid text, minor i32, model text, memoryMiB i64, core i32, healthy bool, zone i32?, links,
     * each uuid text, link u8; zones: policy u8, byPod bool, zonesMax i32, version i64, pods text, zones, each id i32,
     * allocatable, available amounts, distances, each id, distance i32.
     */
    public static void write(NodeDevices node, WireWriter out) {
        out.constant(EnumNumbers.GPU_MODE, node.mode())
                .list(
                        node.devices(),
                        (to, device) -> to.text(device.uuid())
                                .i32(device.minor())
                                .text(device.model())
                                .i64(device.memoryMiB())
                                .i32(device.core())
                                .bool(device.healthy())
                                .optional(device.zone(), WireWriter::i32)
                                .list(
                                        List.copyOf(new TreeMap<>(device.links()).entrySet()),
                                        (each, link) -> each.text(link.getKey())
                                                .constant(EnumNumbers.DEVICE_LINK, link.getValue())));
        write(node.zones(), out);
    }

    private static void write(NodeZones node, WireWriter out) {
        out.constant(EnumNumbers.ZONE_POLICY, node.policy())
                .bool(node.byPod())
                .i32(node.zonesMax())
                .i64(node.version())
                .text(node.pods())
                .list(
                        node.zones(),
                        (to, zone) -> to.i32(zone.id())
                                .fixedAmounts(zone.allocatable())
                                .fixedAmounts(zone.available())
                                .list(
                                        List.copyOf(new TreeMap<>(zone.distances()).entrySet()),
                                        (each, distance) ->
                                                each.i32(distance.getKey()).i32(distance.getValue())));
    }

    private static NodeZones zones(WireReader in) {
        return new NodeZones(
                in.constant(EnumNumbers.ZONE_POLICY),
                in.bool(),
                in.i32(),
                in.i64(),
                in.text(),
                in.list(from -> new Zone(
                        from.i32(),
                        from.fixedAmounts(),
                        from.fixedAmounts(),
                        map(from.list(each -> Map.entry(each.i32(), each.i32()))))));
    }

    private static <K, V> Map<K, V> map(List<Map.Entry<K, V>> entries) {
        var map = new HashMap<K, V>();
        for (var entry : entries) {
            if (map.put(entry.getKey(), entry.getValue()) != null) {
                throw new IllegalArgumentException(entry.getKey() + " is there twice");
            }
        }
        return map;
    }

    public static NodeDevices node(WireReader in) {
        return new NodeDevices(
                in.constant(EnumNumbers.GPU_MODE),
                in.list(from -> new Device(
                        from.text(),
                        from.i32(),
                        from.text(),
                        from.i64(),
                        from.i32(),
                        from.bool(),
                        from.optional(WireReader::i32),
                        map(from.list(each -> Map.entry(each.text(), each.constant(EnumNumbers.DEVICE_LINK)))))),
                zones(in));
    }

    /**
     * Requests, each container i32, family text, devices i32, memoryMiB i64, memoryPercent, core i32, exclusive bool,
     * models, notModels texts, scope u8, scopeRequired, spread bools.
     */
    public static void writeRequests(List<GpuRequest> requests, WireWriter out) {
        out.list(
                requests,
                (to, request) -> to.i32(request.container())
                        .text(request.family())
                        .i32(request.devices())
                        .i64(request.each().memoryMiB())
                        .i32(request.each().memoryPercent())
                        .i32(request.each().core())
                        .bool(request.each().exclusive())
                        .list(request.selector().models(), WireWriter::text)
                        .list(request.selector().notModels(), WireWriter::text)
                        .constant(EnumNumbers.GPU_SCOPE, request.selector().scope())
                        .bool(request.selector().scopeRequired())
                        .bool(request.selector().spread()));
    }

    public static List<GpuRequest> requests(WireReader in) {
        return in.list(from -> new GpuRequest(
                from.i32(),
                from.text(),
                from.i32(),
                new GpuRequest.Amounts(from.i64(), from.i32(), from.i32(), from.bool()),
                new GpuRequest.Selector(
                        from.list(WireReader::text),
                        from.list(WireReader::text),
                        from.constant(EnumNumbers.GPU_SCOPE),
                        from.bool(),
                        from.bool())));
    }

    /** Shares, each container, minor i32, uuid text, memoryMiB i64, core i32. */
    public static void writeShares(List<GpuShare> shares, WireWriter out) {
        out.list(
                shares,
                (to, share) -> to.i32(share.container())
                        .i32(share.minor())
                        .text(share.uuid())
                        .i64(share.memoryMiB())
                        .i32(share.core()));
    }

    public static List<GpuShare> shares(WireReader in) {
        return in.list(from -> new GpuShare(from.i32(), from.i32(), from.text(), from.i64(), from.i32()));
    }

    /** Requests, shares, ambiguous text. */
    public static void write(GpuDemand demand, WireWriter out) {
        writeRequests(demand.requests(), out);
        writeShares(demand.shares(), out);
        out.text(demand.ambiguous());
    }

    public static GpuDemand demand(WireReader in) {
        return new GpuDemand(requests(in), shares(in), in.text());
    }

    /** Mode u8, shares, zones i32s. */
    public static void write(GpuGrant grant, WireWriter out) {
        writeShares(grant.shares(), out.constant(EnumNumbers.GPU_MODE, grant.mode()));
        out.list(grant.zones(), WireWriter::i32);
    }

    public static GpuGrant grant(WireReader in) {
        return new GpuGrant(in.constant(EnumNumbers.GPU_MODE), shares(in), in.list(WireReader::i32));
    }

    /** Cause u8, detail text. */
    public static void write(DeviceMisfit misfit, WireWriter out) {
        out.constant(EnumNumbers.DEVICE_MISFIT, misfit.cause()).text(misfit.detail());
    }

    public static DeviceMisfit misfit(WireReader in) {
        return new DeviceMisfit(in.constant(EnumNumbers.DEVICE_MISFIT), in.text());
    }
}
