package io.sluice.lab.core;

import io.sluice.units.Resources;

/**
 * What an auditor read of a VM object.
 *
 * @param name the VM's name
 * @param version of the object
 * @param podName the pod it runs in
 * @param node the node it runs on, empty if it runs nowhere
 * @param using the larger of what it was told to be and what it was seen to be
 */
public record AuditedVm(String name, long version, String podName, String node, Resources using) {}
