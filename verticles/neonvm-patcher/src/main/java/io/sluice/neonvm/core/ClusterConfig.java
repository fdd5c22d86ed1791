package io.sluice.neonvm.core;

import io.sluice.shell.config.Durations;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Section {@code cluster}: which VMs Sluice scales, and the ports and paths in them.
 *
 * @param schedulerName the scheduler name of the VMs that are scaled
 * @param metricsPort the port of a VM's metrics, unless its annotation names another
 * @param metricsPath the absolute path of the metrics
 * @param lfcPort the port of the metrics of a VM's file cache, unless its annotation names another
 * @param lfcPath the absolute path of the metrics of the file cache
 * @param monitorPort the port of a VM's monitor, unless its annotation names another
 * @param monitorPath the absolute path of the monitor's websocket
 * @param reclaimAfter the time from a full list until a recovered or found reservation without an agent's request is
 *     reclaimed; must exceed {@code ledger.permitValidFor}
 * @param ignoredNamespaces the namespaces whose pods get no reservation, unless they run a VM; what these pods use is
 *     granted to VMs as well
 * @param testingLabels whether labels for tests count, such as {@code testing-only-always-migrate}
 * @param scalePods whether pods that are labelled {@code autoscaling.sluice.io/enabled} are scaled in place; some
 *     process needs the role pods. Then the Kubernetes cluster need not have VMs
 * @param zones whether NUMA zones of nodes are read ({@code NodeResourceTopology}, where the Kubernetes cluster has
 *     that kind), so that no pod is placed where its kubelet would not align it
 * @param nodeMetricLabels labels of nodes that the metric {@code sluice_cluster_node_labels} shows, each as the
 *     metric's label, {@code =} and the node's label, such as {@code zone=topology.kubernetes.io/zone}; at most 10
 */
public record ClusterConfig(
        String schedulerName,
        int metricsPort,
        String metricsPath,
        int lfcPort,
        String lfcPath,
        int monitorPort,
        String monitorPath,
        Duration reclaimAfter,
        List<String> ignoredNamespaces,
        boolean testingLabels,
        boolean scalePods,
        boolean zones,
        List<String> nodeMetricLabels) {
    /** The values for keys that are not set. */
    public static final ClusterConfig DEFAULTS = new ClusterConfig(
            "autoscale-scheduler",
            9100,
            "/metrics",
            9499,
            "/metrics",
            10_301,
            "/monitor",
            Duration.ofSeconds(11),
            List.of(),
            false,
            false,
            false,
            List.of());

    private static final Pattern METRIC_LABEL = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*=[^=\\s]+");
    private static final int METRIC_LABELS_MAX = 10;

    public ClusterConfig {
        if (schedulerName.isBlank()) {
            throw new IllegalArgumentException("cluster.schedulerName must be a name, not blank");
        }
        port("cluster.metricsPort", metricsPort);
        path("cluster.metricsPath", metricsPath);
        port("cluster.lfcPort", lfcPort);
        path("cluster.lfcPath", lfcPath);
        port("cluster.monitorPort", monitorPort);
        path("cluster.monitorPath", monitorPath);
        Durations.requirePositive("cluster.reclaimAfter", reclaimAfter);
        ignoredNamespaces = List.copyOf(ignoredNamespaces);
        if (ignoredNamespaces.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("cluster.ignoredNamespaces must be names, none of them blank");
        }
        nodeMetricLabels = List.copyOf(nodeMetricLabels);
        requireMetricLabels(nodeMetricLabels);
    }

    /** The same, with pods scaled in place. */
    public ClusterConfig scalingPods() {
        return new ClusterConfig(
                schedulerName,
                metricsPort,
                metricsPath,
                lfcPort,
                lfcPath,
                monitorPort,
                monitorPath,
                reclaimAfter,
                ignoredNamespaces,
                testingLabels,
                true,
                zones,
                nodeMetricLabels);
    }

    private static void requireMetricLabels(List<String> pairs) {
        var names = new HashSet<String>(Set.of("node"));
        for (var pair : pairs) {
            if (!METRIC_LABEL.matcher(pair).matches() || !names.add(pair.substring(0, pair.indexOf('=')))) {
                throw new IllegalArgumentException("cluster.nodeMetricLabels must be pairs such as"
                        + " zone=topology.kubernetes.io/zone, each name once and none of them node: " + pair);
            }
        }
        if (pairs.size() > METRIC_LABELS_MAX) {
            throw new IllegalArgumentException(
                    "cluster.nodeMetricLabels must be at most " + METRIC_LABELS_MAX + " pairs: " + pairs.size());
        }
    }

    private static void port(String key, int port) {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException(key + " must be a port from 1 to 65535: " + port);
        }
    }

    private static void path(String key, String path) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException(key + " must be a path that starts with /: " + path);
        }
    }
}
