package io.sluice.billing.core;

import io.sluice.units.VmId;
import java.util.Objects;

/**
 * Whose use is added up: a VM under one endpoint. A VM that changes its endpoint goes on under another key.
 *
 * @param vm the VM
 * @param endpoint who pays, by the VM's annotation; may be empty, which is an endpoint too
 */
public record MeterKey(VmId vm, String endpoint) {
    public MeterKey {
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(endpoint, "endpoint");
    }
}
