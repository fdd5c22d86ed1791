package io.sluice.placement.core.spec;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A pod.
 *
 * @param id its uid, name and version
 * @param node to which it is bound; empty if it waits
 * @param schedulerName which scheduler places it
 * @param priority higher ones go first
 * @param preemption what preemption reads of it
 * @param terminating whether it is being deleted
 * @param requests by resource, in the units of {@link NodeSpec#allocatable}
 * @param attracted required terms of its pod affinity
 * @param repelled required terms of its pod anti-affinity
 * @param spread its constraints that must be met
 * @param preferences what it prefers of the pods near it
 * @param claims the names of its volume claims
 * @param gates the names of its scheduling gates
 * @param resourceClaims the names of its claims of dynamic resource allocation
 */
public record PodSpec(
        PodId id,
        String node,
        String schedulerName,
        int priority,
        Preemption preemption,
        boolean terminating,
        Map<String, String> labels,
        Map<String, Long> requests,
        NodeAffinity nodeAffinity,
        List<Toleration> tolerations,
        List<PodTerm> attracted,
        List<PodTerm> repelled,
        List<SpreadConstraint> spread,
        PodPreferences preferences,
        List<HostPort> hostPorts,
        List<String> claims,
        List<String> gates,
        List<String> resourceClaims) {
    public PodSpec {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(schedulerName, "schedulerName");
        Objects.requireNonNull(preemption, "preemption");
        labels = Map.copyOf(labels);
        requests = Map.copyOf(requests);
        Objects.requireNonNull(nodeAffinity, "nodeAffinity");
        tolerations = List.copyOf(tolerations);
        attracted = List.copyOf(attracted);
        repelled = List.copyOf(repelled);
        spread = List.copyOf(spread);
        Objects.requireNonNull(preferences, "preferences");
        hostPorts = List.copyOf(hostPorts);
        claims = List.copyOf(claims);
        gates = List.copyOf(gates);
        resourceClaims = List.copyOf(resourceClaims);
    }

    /** A pod that waits, of which nothing is known but what it requests. */
    public static PodSpec requesting(PodId id, int priority, Map<String, Long> requests) {
        return new PodSpec(
                id,
                "",
                "",
                priority,
                new Preemption(false, Preemption.NOT_STARTED, ""),
                false,
                Map.of(),
                requests,
                NodeAffinity.ANY,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                PodPreferences.NONE,
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    /** What names a pod, and its version. */
    public record PodId(String uid, String namespace, String name, long version) {
        public PodId {
            Objects.requireNonNull(uid, "uid");
            Objects.requireNonNull(namespace, "namespace");
            Objects.requireNonNull(name, "name");
        }
    }

    /**
     * What preemption reads of a pod.
     *
     * @param never whether no other pod is evicted for it
     * @param startedAtSeconds since 1970; {@link #NOT_STARTED} if it has not
     * @param nominatedNode on which room is made for it; empty if on none
     */
    public record Preemption(boolean never, long startedAtSeconds, String nominatedNode) {
        /** Later than any start. */
        public static final long NOT_STARTED = Long.MAX_VALUE;

        public Preemption {
            Objects.requireNonNull(nominatedNode, "nominatedNode");
        }
    }

    /** Namespace and name, as people read them. */
    public String label() {
        return id.namespace() + "/" + id.name();
    }

    public String uid() {
        return id.uid();
    }

    public String namespace() {
        return id.namespace();
    }

    /** The same pod on a node. */
    public PodSpec on(String chosen) {
        return with(id, chosen);
    }

    /** Whether another pod differs by its name and version alone. */
    boolean isLike(PodSpec other) {
        return with(other.id, node).equals(other);
    }

    private PodSpec with(PodId newId, String newNode) {
        return new PodSpec(
                newId,
                newNode,
                schedulerName,
                priority,
                preemption,
                terminating,
                labels,
                requests,
                nodeAffinity,
                tolerations,
                attracted,
                repelled,
                spread,
                preferences,
                hostPorts,
                claims,
                gates,
                resourceClaims);
    }

    /** Whether a taint that keeps pods away is tolerated by none of its tolerations. */
    public boolean isKeptAwayBy(List<Taint> taints) {
        return taints.stream()
                .filter(Taint::excludes)
                .anyMatch(taint -> tolerations.stream().noneMatch(toleration -> toleration.tolerates(taint)));
    }
}
