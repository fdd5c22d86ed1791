package io.sluice.devices;

import java.util.List;
import java.util.Objects;

/**
 * The GPUs that the ledger has chosen for a pod on a node.
 *
 * @param mode whose agent on the node is to give them
 * @param shares what the pod has of each
 */
public record GpuGrant(GpuMode mode, List<GpuShare> shares) {
    /** No GPU. */
    public static final GpuGrant NONE = new GpuGrant(GpuMode.WHOLE, List.of());

    public GpuGrant {
        Objects.requireNonNull(mode, "mode");
        shares = List.copyOf(shares);
    }
}
