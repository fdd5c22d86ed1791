package io.sluice.neonvm;

import io.sluice.neonvm.core.NeonVmKeys;
import io.sluice.neonvm.core.WatchScope;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** A kind of objects that is listed and watched. */
enum WatchedKind {
    NODES("Nodes", "nodes", "/api/v1/nodes"),
    PODS("Pods", "pods", "/api/v1/pods"),
    VMS("VirtualMachines", "vms", neonVm(NeonVmKeys.VMS)),
    MIGRATIONS("VirtualMachineMigrations", "migrations", neonVm(NeonVmKeys.MIGRATIONS));

    private final String instance;
    private final String word;
    private final String path;

    WatchedKind(String instance, String word, String path) {
        this.instance = instance;
        this.word = word;
        this.path = path;
    }

    /** The name of its watcher in the metrics that agents and schedulers of NeonVM have. */
    String instance() {
        return instance;
    }

    /** In words, for people. */
    String word() {
        return word;
    }

    /** Where all of them are listed, of whatever namespace. */
    String path() {
        return path;
    }

    /**
     * What picks those of a scope, to be added to a query; empty where the API server cannot tell them apart. NeonVM's
     * kinds name no field to pick by.
     */
    String selector(WatchScope scope) {
        return switch (this) {
            case NODES -> selector("metadata.name", scope);
            case PODS -> selector("spec.nodeName", scope);
            case VMS, MIGRATIONS -> "";
        };
    }

    private static String selector(String field, WatchScope scope) {
        return scope.node()
                .map(node -> "&fieldSelector=" + URLEncoder.encode(field + "=" + node, StandardCharsets.UTF_8))
                .orElse("");
    }

    /** Who counts this watcher where agent and scheduler are apart: VMs are the agent's. */
    String meterPrefix() {
        return this == VMS ? "autoscaling.agent.watchers." : "autoscaling.plugin.watchers.";
    }

    private static String neonVm(String plural) {
        return "/apis/" + NeonVmKeys.GROUP + "/" + NeonVmKeys.VERSION + "/" + plural;
    }
}
