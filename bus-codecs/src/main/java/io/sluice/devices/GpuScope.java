package io.sluice.devices;

/** How close the devices of one request are to be. */
public enum GpuScope {
    /** Anywhere on the node. */
    NODE(DeviceLink.CROSS_NUMA),
    NUMA(DeviceLink.SAME_NUMA),
    PCIE(DeviceLink.SAME_SWITCH),
    NVLINK(DeviceLink.NVLINK);

    private final DeviceLink worst;

    GpuScope(DeviceLink worst) {
        this.worst = worst;
    }

    /** The worst link that is within it. */
    public DeviceLink worst() {
        return worst;
    }
}
