package io.sluice.neonvm.core;

/**
 * A VM and a migration to be read from the API server, as a pod claims to be theirs and neither is known to agree.
 *
 * @param pod uid of the pod; {@link PodClaims#read} is told of it afterwards
 * @param namespace of all of them
 * @param vmName name of the VM; empty where none is to be read
 * @param migration name of the migration; empty where none is to be read
 */
public record OwnerLookup(String pod, String namespace, String vmName, String migration) {}
