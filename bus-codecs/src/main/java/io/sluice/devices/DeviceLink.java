package io.sluice.devices;

/** How two GPUs of a node reach each other, the best first. */
public enum DeviceLink {
    NVLINK,
    SAME_SWITCH,
    SAME_NUMA,
    CROSS_NUMA
}
