package io.sluice.neonvm.core.observed;

/**
 * A VM and a migration to be read from the API server, since a pod claims to belong to them and neither confirms it
 * yet.
 *
 * @param pod uid of the pod; {@link PodClaims#read} is called with it afterwards
 * @param namespace of all of them
 * @param vmName name of the VM; empty if none is to be read
 * @param migration name of the migration; empty if none is to be read
 */
public record OwnerLookup(String pod, String namespace, String vmName, String migration) {}
