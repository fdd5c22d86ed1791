package io.sluice.neonvm;

import java.time.Duration;
import java.util.List;

/**
 * Section {@code cluster}: which VMs are ours and where they answer.
 *
 * @param schedulerName VMs that name another scheduler are not scaled
 * @param metricsPort where a VM's metrics answer unless its annotation names another port
 * @param metricsPath absolute path of the metrics
 * @param lfcPort where the metrics of a VM's file cache answer unless its annotation names another port
 * @param lfcPath absolute path of the metrics of the file cache
 * @param monitorPort where a VM's monitor answers unless its annotation names another port
 * @param monitorPath absolute path of the monitor's websocket
 * @param settleAfter how long after a load a VM that no agent spoke for is booked at what it uses; must exceed the time
 *     that permits stay valid
 * @param ignoredNamespaces pods in these count for nothing, unless a VM runs in them; whatever they use, nodes promise
 *     to VMs as well
 * @param testingLabels whether labels count that are meant for tests, such as {@code testing-only-always-migrate}
 */
public record ClusterConfig(
        String schedulerName,
        int metricsPort,
        String metricsPath,
        int lfcPort,
        String lfcPath,
        int monitorPort,
        String monitorPath,
        Duration settleAfter,
        List<String> ignoredNamespaces,
        boolean testingLabels) {
    /** What holds where no key is set. */
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
            false);

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
        KubernetesConfig.positive("cluster.settleAfter", settleAfter);
        ignoredNamespaces = List.copyOf(ignoredNamespaces);
        if (ignoredNamespaces.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("cluster.ignoredNamespaces must be names, none of them blank");
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
