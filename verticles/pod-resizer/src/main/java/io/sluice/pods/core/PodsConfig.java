package io.sluice.pods.core;

import io.sluice.pods.node.core.NodeAgentConfig;
import io.sluice.shell.config.Durations;
import java.time.Duration;
import java.util.Objects;

/**
 * Section {@code pods}: how pods are resized in place, and how their kubelets are read.
 *
 * @param kubeletCaFile the file with the certificates that sign those of the kubelets; '' trusts those of the JVM
 * @param kubeletInsecure whether any certificate of a kubelet is accepted; whoever answers at a node's address then
 *     gets the token of the service account
 * @param kubeletTimeout how long a kubelet may take to reply
 * @param scrapeEvery the shortest time between two reads of the samples of a node
 * @param waitingEvery the shortest time between two reads of what its pods wait for, which come with new samples
 * @param refusalCooldown how long a pod is not given more after the API server has refused it, as a quota does
 * @param infeasibleFor how long a pod is not given more after its kubelet has refused it, if its node stays as it is
 * @param withdrawAfter a resize that a kubelet has not accepted for this long, and that no process attends to, is
 *     withdrawn; must exceed {@code ledger.permitValidFor}
 * @param evictAfter a pod with {@code evict: true} whose node has had no room for its growth for this long is evicted
 * @param evictionsPerMinute the most pods that are evicted from one node within a minute
 * @param startAs at which size a pod that is made anew begins
 * @param nodeAgent what the role node-agent watches
 */
public record PodsConfig(
        String kubeletCaFile,
        boolean kubeletInsecure,
        Duration kubeletTimeout,
        Duration scrapeEvery,
        Duration waitingEvery,
        Duration refusalCooldown,
        Duration infeasibleFor,
        Duration withdrawAfter,
        Duration evictAfter,
        int evictionsPerMinute,
        StartAs startAs,
        NodeAgentConfig nodeAgent) {
    /** The size at which a pod begins. */
    public enum StartAs {
        /** That of its template. */
        TEMPLATE,
        /** What the pod needed in whose place its controller made it from the same template. */
        PREDECESSOR
    }

    private static final String SERVICE_ACCOUNT_CA = "/var/run/secrets/kubernetes.io/serviceaccount/ca.crt";

    /** In a pod of the Kubernetes cluster. */
    public static final PodsConfig DEFAULTS = new PodsConfig(
            SERVICE_ACCOUNT_CA,
            false,
            Duration.ofSeconds(5),
            Duration.ofSeconds(2),
            Duration.ofSeconds(5),
            Duration.ofMinutes(1),
            Duration.ofHours(1),
            Duration.ofSeconds(12),
            Duration.ofMinutes(5),
            1,
            StartAs.TEMPLATE,
            NodeAgentConfig.DEFAULTS);

    public PodsConfig {
        Durations.requirePositive("pods.kubeletTimeout", kubeletTimeout);
        Durations.requirePositive("pods.scrapeEvery", scrapeEvery);
        Durations.requirePositive("pods.waitingEvery", waitingEvery);
        Durations.requirePositive("pods.refusalCooldown", refusalCooldown);
        Durations.requirePositive("pods.infeasibleFor", infeasibleFor);
        Durations.requirePositive("pods.withdrawAfter", withdrawAfter);
        Durations.requirePositive("pods.evictAfter", evictAfter);
        Objects.requireNonNull(nodeAgent, "pods.nodeAgent");
        if (evictionsPerMinute < 1) {
            throw new IllegalArgumentException("pods.evictionsPerMinute=" + evictionsPerMinute + " must be at least 1");
        }
    }
}
