package io.sluice.devices;

/** Who allocates the GPUs of a node. There is one allocator for each node, named by its label. */
public enum GpuMode {
    /** The kubelet gives whole devices. */
    WHOLE,
    /** Sluice gives shares of devices, and whole ones, to an agent that reads its own annotation. */
    SHARED,
    /** The same, to the device plugin of HAMi. */
    HAMI,
    /** Dynamic resource allocation of Kubernetes. */
    DRA;

    /** Whether Sluice chooses the devices. */
    public boolean isShared() {
        return switch (this) {
            case SHARED, HAMI -> true;
            case WHOLE, DRA -> false;
        };
    }
}
