package io.sluice.lab.core;

import io.sluice.units.Resources;

/**
 * What the auditor read of a VM object.
 *
 * @param name the VM's name
 * @param version of the object
 * @param podName the pod in which it runs
 * @param node the node on which it runs; empty if it runs nowhere
 * @param using the larger of its actual size and its size by the spec
 */
public record AuditedVm(String name, long version, String podName, String node, Resources using) {}
