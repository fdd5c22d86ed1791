package io.sluice.ledger.core;

import io.sluice.devices.Device;
import io.sluice.devices.DeviceLink;
import io.sluice.devices.GpuDemand;
import io.sluice.devices.GpuMode;
import io.sluice.devices.GpuRequest;
import io.sluice.devices.GpuScope;
import io.sluice.devices.GpuShare;
import io.sluice.devices.NodeDevices;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** GPUs of nodes and requests for them, drawn from few values so that they collide. */
public record RandomGpus(Random random) {
    private static final int MIB = 1_000;

    /** A node with up to three devices, mostly with shares of them. */
    public NodeDevices node() {
        var devices = new ArrayList<Device>();
        for (int minor = 0; minor < random.nextInt(4); minor++) {
            devices.add(new Device(
                    "g-" + minor,
                    minor,
                    random.nextBoolean() ? "T4" : "V100",
                    MIB * (1 + random.nextInt(2)),
                    Device.WHOLE_CORE,
                    random.nextInt(6) > 0,
                    random.nextBoolean() ? Optional.of(random.nextInt(2)) : Optional.empty(),
                    random.nextBoolean() ? Map.of("g-0", DeviceLink.NVLINK) : Map.of()));
        }
        var modes = GpuMode.values();
        return new NodeDevices(random.nextInt(4) > 0 ? GpuMode.SHARED : modes[random.nextInt(modes.length)], devices);
    }

    /** Requests of up to two containers. */
    public List<GpuRequest> requests() {
        var requests = new ArrayList<GpuRequest>();
        for (int container = 0; container < random.nextInt(3); container++) {
            boolean whole = random.nextInt(4) == 0;
            requests.add(new GpuRequest(
                    container,
                    random.nextBoolean() ? GpuRequest.NVIDIA : "alnair",
                    1 + random.nextInt(2),
                    whole
                            ? GpuRequest.Amounts.WHOLE
                            : new GpuRequest.Amounts(
                                    random.nextInt(MIB), random.nextInt(3) * 40, 1 + random.nextInt(60), false),
                    selector()));
        }
        return requests;
    }

    private GpuRequest.Selector selector() {
        var scopes = GpuScope.values();
        return new GpuRequest.Selector(
                random.nextInt(3) == 0 ? List.of("T4") : List.of(),
                List.of(),
                scopes[random.nextInt(scopes.length)],
                random.nextBoolean(),
                random.nextBoolean());
    }

    /** What a bound pod names as its own, whoever gave it. */
    public GpuDemand demand() {
        var shares = new ArrayList<GpuShare>();
        for (int i = 0; i < random.nextInt(3); i++) {
            int minor = random.nextInt(4);
            shares.add(new GpuShare(i, minor, "g-" + minor, random.nextInt(MIB), random.nextInt(100)));
        }
        return new GpuDemand(requests(), shares, random.nextInt(8) == 0 ? "main" : "");
    }
}
