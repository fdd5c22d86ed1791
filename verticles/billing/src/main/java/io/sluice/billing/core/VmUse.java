package io.sluice.billing.core;

import io.sluice.units.VmId;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * What an observation of a VM means for billing.
 *
 * @param vm the VM
 * @param version grows with each change of the VM; an older observation is dropped
 * @param use the endpoint and size to bill; empty while the VM is not billed
 * @param changedAt when the VM last changed, in whole seconds by the API server's clock; the epoch where it is unknown
 */
public record VmUse(VmId vm, long version, Optional<Use> use, Instant changedAt) {
    /**
     * A size that is billed to an endpoint.
     *
     * @param endpoint the endpoint that pays; an empty name counts as an endpoint
     * @param milliCpu the size
     */
    public record Use(String endpoint, long milliCpu) {
        public Use {
            Objects.requireNonNull(endpoint, "endpoint");
            if (milliCpu < 0) {
                throw new IllegalArgumentException("milliCpu must not be negative: " + milliCpu);
            }
        }
    }

    public VmUse {
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(use, "use");
        Objects.requireNonNull(changedAt, "changedAt");
    }
}
