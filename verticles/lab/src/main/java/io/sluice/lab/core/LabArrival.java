package io.sluice.lab.core;

import java.time.Duration;
import java.util.Objects;

/**
 * A VM that is created while the lab runs; a scheduler finds its node.
 *
 * @param after the lab's start
 * @param vm the VM
 */
public record LabArrival(Duration after, LabVm vm) {
    public LabArrival {
        Objects.requireNonNull(after, "after");
        Objects.requireNonNull(vm, "vm");
    }
}
