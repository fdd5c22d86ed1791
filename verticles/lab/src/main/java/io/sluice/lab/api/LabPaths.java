package io.sluice.lab.api;

/** The paths of the lab's objects in its API. */
public final class LabPaths {
    /** The namespace of all namespaced objects. */
    public static final String NAMESPACE = "default";

    /** All nodes. */
    public static final String NODES = "/api/v1/nodes";

    /** All pods of the namespace. */
    public static final String PODS = "/api/v1/namespaces/" + NAMESPACE + "/pods";

    /** All VMs of the namespace. */
    public static final String VMS = "/apis/vm.neon.tech/v1/namespaces/" + NAMESPACE + "/virtualmachines";

    /** All migrations of the namespace. */
    public static final String MIGRATIONS =
            "/apis/vm.neon.tech/v1/namespaces/" + NAMESPACE + "/virtualmachinemigrations";

    /** The NUMA zones of all nodes. */
    public static final String ZONES = "/apis/topology.node.k8s.io/v1alpha2/noderesourcetopologies";

    private LabPaths() {}

    /** One VM. */
    public static String vm(String name) {
        return VMS + "/" + name;
    }

    /** One migration. */
    public static String migration(String name) {
        return MIGRATIONS + "/" + name;
    }

    /** One pod. */
    public static String pod(String name) {
        return PODS + "/" + name;
    }
}
