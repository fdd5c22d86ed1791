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

    /** What the ids of those workers begin with that are nodes of Kubernetes. */
    public static final String KUBERNETES = "kubernetes:";

    /** The label of pods that run instances. */
    public static final String POD_LABEL = "autoscaling.sluice.io/instance-pod";

    /** The annotation of such a pod with the id of its instance. */
    public static final String POD_INSTANCE = "autoscaling.sluice.io/instance";

    /** The annotation of such a pod with the generation of its instance's start. */
    public static final String POD_GENERATION = "autoscaling.sluice.io/instance-generation";

    private static final String PREFIX = "worker:";

    private WorkerNames() {}

    /** The ledger's name of a worker; that of a node of Kubernetes is the node's own. */
    public static String node(String worker) {
        return isKubernetes(worker) ? worker.substring(KUBERNETES.length()) : PREFIX + worker;
    }

    /** The worker of such a name. */
    public static String worker(String node) {
        return isOfWorker(node) ? node.substring(PREFIX.length()) : KUBERNETES + node;
    }

    /** Whether the ledger's node is a machine that registered itself, and none of Kubernetes. */
    public static boolean isOfWorker(String node) {
        return node.startsWith(PREFIX);
    }

    /** Whether the worker is a node of Kubernetes. */
    public static boolean isKubernetes(String worker) {
        return worker.startsWith(KUBERNETES);
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
