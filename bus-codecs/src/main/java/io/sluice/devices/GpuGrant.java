package io.sluice.devices;

import java.util.List;
import java.util.Objects;

/**
 * The GPUs and NUMA zones that the ledger has chosen for a pod on a node.
 *
 * @param mode whose agent on the node is to give them
 * @param shares what the pod has of each
 * @param zones in which it may be, by their numbers; its kubelet chooses among several. Empty where it is not aligned
 */
public record GpuGrant(GpuMode mode, List<GpuShare> shares, List<Integer> zones) {
    /** No GPU. */
    public static final GpuGrant NONE = new GpuGrant(GpuMode.WHOLE, List.of(), List.of());

    /** GPUs of a pod that is not aligned to zones. */
    public GpuGrant(GpuMode mode, List<GpuShare> shares) {
        this(mode, shares, List.of());
    }

    public GpuGrant {
        Objects.requireNonNull(mode, "mode");
        shares = List.copyOf(shares);
        zones = List.copyOf(zones);
    }
}
