package io.sluice.devices;

import java.util.Objects;

/**
 * Why a node has no GPU, or no NUMA zone, for a pod.
 *
 * @param cause the kind of reason
 * @param detail its numbers and names; empty where there are none
 */
public record DeviceMisfit(Cause cause, String detail) {
    /** The kind of reason. Its name is what operators see. */
    public enum Cause {
        /** No device has that much room, or too few have. */
        GPU_NO_DEVICE_FITS,
        /** No device is of a model that the request allows. */
        GPU_MODEL,
        /** Devices fit, but they are further apart than the request requires. */
        GPU_SCOPE,
        /** All devices that the request allows are unhealthy. */
        GPU_UNHEALTHY,
        /** Another allocator has the node's devices. */
        GPU_NODE_MODE,
        /** A container names resources of several families. */
        GPU_REQUEST_AMBIGUOUS,
        /** No zone has that much room, or too few have. */
        NUMA_NO_ZONE,
        /** A zone may have it, but pods count in each zone until the node has reported where they are. */
        NUMA_PESSIMISTIC;

        /** Whether it is about zones, not GPUs. */
        public boolean ofZones() {
            return this == NUMA_NO_ZONE || this == NUMA_PESSIMISTIC;
        }
    }

    public DeviceMisfit {
        Objects.requireNonNull(cause, "cause");
        Objects.requireNonNull(detail, "detail");
    }

    /** Of two nodes without a GPU for the same cause, that with the larger numbers. */
    public DeviceMisfit closer(DeviceMisfit other) {
        int order = Integer.compare(detail.length(), other.detail.length());
        return (order != 0 ? order : detail.compareTo(other.detail)) >= 0 ? this : other;
    }

    /** It in words, such as {@code GPU_NO_DEVICE_FITS(max free MiB=6144)}. */
    public String text() {
        return detail.isEmpty() ? cause.name() : cause.name() + "(" + detail + ")";
    }
}
