package io.sluice.neonvm.api;

import io.sluice.neonvm.core.gangs.PodGroupObjects;
import io.sluice.neonvm.core.objects.NeonVmKeys;
import io.sluice.neonvm.core.observed.WatchScope;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** A kind of objects that is listed and watched. */
public enum WatchedKind {
    NODES("Nodes", "nodes", "/api/v1/nodes"),
    PODS("Pods", "pods", "/api/v1/pods"),
    VMS("VirtualMachines", "vms", neonVm(NeonVmKeys.VMS)),
    MIGRATIONS("VirtualMachineMigrations", "migrations", neonVm(NeonVmKeys.MIGRATIONS)),
    ZONES("NodeResourceTopologies", "zones", "/apis/topology.node.k8s.io/v1alpha2/noderesourcetopologies"),
    NAMESPACES("Namespaces", "namespaces", "/api/v1/namespaces"),
    CLAIMS("PersistentVolumeClaims", "claims", "/api/v1/persistentvolumeclaims"),
    VOLUMES("PersistentVolumes", "volumes", "/api/v1/persistentvolumes"),
    DRIVERS("CSINodes", "drivers", "/apis/storage.k8s.io/v1/csinodes"),
    ATTACHMENTS("VolumeAttachments", "attachments", "/apis/storage.k8s.io/v1/volumeattachments"),
    BUDGETS("PodDisruptionBudgets", "budgets", "/apis/policy/v1/poddisruptionbudgets"),
    STORAGE_CLASSES("StorageClasses", "storage classes", "/apis/storage.k8s.io/v1/storageclasses"),
    POD_GROUPS("PodGroups", "pod groups", PodGroupObjects.path(PodGroupObjects.X_K8S)),
    POD_GROUPS_SIGS("PodGroups", "pod groups", PodGroupObjects.path(PodGroupObjects.SIGS)),
    POD_GROUPS_KUBERNETES("PodGroups", "pod groups", PodGroupObjects.path(PodGroupObjects.KUBERNETES));

    private final String instance;
    private final String word;
    private final String path;

    WatchedKind(String instance, String word, String path) {
        this.instance = instance;
        this.word = word;
        this.path = path;
    }

    /** The watcher's name in the metrics of NeonVM's agents and schedulers. */
    public String instance() {
        return instance;
    }

    /** The kind in words. */
    public String word() {
        return word;
    }

    /** The path of the list of all objects in all namespaces. */
    public String path() {
        return path;
    }

    /**
     * The query part that selects the objects of a scope; empty if the API server cannot select them. Only nodes, their
     * zones and pods have a field to select by.
     */
    public String selector(WatchScope scope) {
        return switch (this) {
            case NODES, ZONES -> selector("metadata.name", scope);
            case PODS -> selector("spec.nodeName", scope);
            case VMS,
                    MIGRATIONS,
                    NAMESPACES,
                    CLAIMS,
                    VOLUMES,
                    DRIVERS,
                    ATTACHMENTS,
                    BUDGETS,
                    STORAGE_CLASSES,
                    POD_GROUPS,
                    POD_GROUPS_SIGS,
                    POD_GROUPS_KUBERNETES -> "";
        };
    }

    private static String selector(String field, WatchScope scope) {
        return scope.node()
                .map(node -> "&fieldSelector=" + URLEncoder.encode(field + "=" + node, StandardCharsets.UTF_8))
                .orElse("");
    }

    /** The component that counts this watcher where agent and scheduler are separate: the agent counts VMs. */
    String meterPrefix() {
        return this == VMS ? "autoscaling.agent.watchers." : "autoscaling.plugin.watchers.";
    }

    private static String neonVm(String plural) {
        return "/apis/" + NeonVmKeys.GROUP + "/" + NeonVmKeys.VERSION + "/" + plural;
    }
}
