package io.sluice.units;

/**
 * The names under which the ledger and placement know machines that register themselves and what runs on them. No
 * object of Kubernetes has such a name, as none has a colon.
 */
public final class WorkerNames {
    /** The driver of instances, in the ids of VMs. */
    public static final String DRIVER = "worker";

    /** The namespace of instances. */
    public static final String NAMESPACE = "workers";

    private static final String PREFIX = "worker:";

    private WorkerNames() {}

    /** The ledger's name of a worker. */
    public static String node(String worker) {
        return PREFIX + worker;
    }

    /** The worker of such a name. */
    public static String worker(String node) {
        return node.substring(PREFIX.length());
    }

    /** The uid of an instance's reservation; each placement has its own. */
    public static String uid(String instance, long placement) {
        return PREFIX + instance + "/" + placement;
    }

    /** The instance of such a uid. */
    public static String instance(String uid) {
        return uid.substring(PREFIX.length(), uid.lastIndexOf('/'));
    }

    /** Whether the uid is an instance's, and not a pod's. */
    public static boolean isInstance(String uid) {
        return uid.startsWith(PREFIX) && uid.lastIndexOf('/') > PREFIX.length();
    }
}
