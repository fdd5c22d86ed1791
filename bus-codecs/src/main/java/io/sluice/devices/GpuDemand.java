package io.sluice.devices;

import java.util.List;
import java.util.Objects;

/**
 * What a pod requests of GPUs, and which it has.
 *
 * @param requests one for each container that requests some
 * @param shares those that it has, as its annotations name them; empty before they were chosen
 * @param ambiguous the container that names several families of resources, with them; such a pod is placed nowhere.
 *     Empty where there is none
 */
public record GpuDemand(List<GpuRequest> requests, List<GpuShare> shares, String ambiguous) {
    /** No GPU. */
    public static final GpuDemand NONE = new GpuDemand(List.of(), List.of(), "");

    public GpuDemand {
        requests = List.copyOf(requests);
        shares = List.copyOf(shares);
        Objects.requireNonNull(ambiguous, "ambiguous");
    }

    public static GpuDemand of(List<GpuRequest> requests) {
        return new GpuDemand(requests, List.of(), "");
    }

    /** Whether it names no device at all. */
    public boolean isNone() {
        return requests.isEmpty() && ambiguous.isEmpty();
    }
}
