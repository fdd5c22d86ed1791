package io.sluice.billing.core;

import io.sluice.units.VmId;
import java.util.Objects;

/**
 * Identifies what one usage meter measures: a VM under one endpoint. A VM that changes its endpoint continues under
 * another key.
 *
 * @param vm the VM
 * @param endpoint the endpoint that pays, by the VM's annotation; an empty name counts as an endpoint
 */
public record MeterKey(VmId vm, String endpoint) {
    public MeterKey {
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(endpoint, "endpoint");
    }
}
