package io.sluice.neonvm;

import io.sluice.neonvm.core.NeonVmKeys;

/** A kind of objects that is listed and watched. */
enum Watched {
    NODES("Nodes", "nodes", "/api/v1/nodes"),
    PODS("Pods", "pods", "/api/v1/pods"),
    VMS("VirtualMachines", "vms", neonVm(NeonVmKeys.VMS)),
    MIGRATIONS("VirtualMachineMigrations", "migrations", neonVm(NeonVmKeys.MIGRATIONS));

    private final String instance;
    private final String word;
    private final String path;

    Watched(String instance, String word, String path) {
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

    /** Who counts this watcher where agent and scheduler are apart: VMs are the agent's. */
    String meterPrefix() {
        return this == VMS ? "autoscaling.agent.watchers." : "autoscaling.plugin.watchers.";
    }

    private static String neonVm(String plural) {
        return "/apis/" + NeonVmKeys.GROUP + "/" + NeonVmKeys.VERSION + "/" + plural;
    }
}
