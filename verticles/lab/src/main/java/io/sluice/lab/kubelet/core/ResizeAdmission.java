package io.sluice.lab.kubelet.core;

import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.util.Optional;

/** What a kubelet decides about a pod whose spec requests another size than it has allocated. */
public sealed interface ResizeAdmission {
    /** There is room. */
    record Admitted() implements ResizeAdmission {}

    /** There is no room now; it is tried again. */
    record Deferred(String message) implements ResizeAdmission {}

    /** The node as a whole is too small. */
    record Infeasible(String message) implements ResizeAdmission {}

    /**
     * Decides by requests alone, as a kubelet does. What a VM uses beyond the requests of its pod is not counted.
     *
     * @param requested by the pod
     * @param others requested by all other pods of the node
     * @param allocatable of the node
     */
    static ResizeAdmission of(Resources requested, Resources others, Resources allocatable) {
        var tooLarge = above(requested, allocatable);
        if (tooLarge.isPresent()) {
            var kind = tooLarge.get();
            return new Infeasible("Node didn't have enough capacity: " + name(kind) + ", requested: "
                    + requested.of(kind) + ", capacity: " + allocatable.of(kind));
        }
        return above(requested.plus(others), allocatable)
                .<ResizeAdmission>map(kind -> new Deferred(
                        "Node didn't have enough resource: " + name(kind) + ", requested: " + requested.of(kind)
                                + ", used: " + others.of(kind) + ", capacity: " + allocatable.of(kind)))
                .orElseGet(Admitted::new);
    }

    private static Optional<ResourceKind> above(Resources amount, Resources most) {
        for (var kind : ResourceKind.values()) {
            if (amount.of(kind) > most.of(kind)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    private static String name(ResourceKind kind) {
        return switch (kind) {
            case CPU -> "cpu";
            case MEMORY -> "memory";
        };
    }
}
