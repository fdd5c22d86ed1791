package io.sluice.messages.billing;

import java.util.Objects;

/**
 * Requests what was billed of one VM in the last hours.
 *
 * @param namespace the VM's namespace
 * @param vmName the VM's name
 * @param node the node that it runs on, whose process bills it where each process bills one node; empty if that is
 *     unknown
 */
public record ReadVmBill(String namespace, String vmName, String node) {
    public ReadVmBill {
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(vmName, "vmName");
        Objects.requireNonNull(node, "node");
    }
}
