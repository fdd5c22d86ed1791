package io.sluice.units;

/**
 * The names by which pods that are resized in place are known: to Sluice, and to the tools that label and annotate
 * them.
 */
public final class ScaledPodKeys {
    /** The driver in the id of each such pod. */
    public static final String DRIVER = "pod";

    /** The label of pods that are to be scaled. */
    public static final String ENABLED = "autoscaling.sluice.io/enabled";

    /** The annotation with the least and the most of the container. */
    public static final String BOUNDS = "autoscaling.sluice.io/bounds";

    /** The annotation with options and scaling config. */
    public static final String CONFIG = "autoscaling.sluice.io/config";

    /** The annotation that names the container that is scaled. */
    public static final String CONTAINER = "autoscaling.sluice.io/container";

    /** The annotation with the port of the pod's own monitor, or {@code port/path}. */
    public static final String MONITOR = "autoscaling.sluice.io/monitor";

    /**
     * Where a kubelet serves samples of pods. A monitor endpoint with it is that of the driver, which stands for one.
     */
    public static final String SAMPLES_PATH = "/metrics/resource";

    /** The annotation with the endpoint that the pod's use is billed to. */
    public static final String BILLED_TO = "autoscaling.sluice.io/billing-endpoint-id";

    /** The annotation with the fence that the current session's resizes match: {@code runner+version/n}. */
    public static final String FENCE = "internal.autoscaling.sluice.io/fence";

    /** The annotation with the goal that the last resize serves: {@code value/flags/generation of the resized spec}. */
    public static final String REVISION = "internal.autoscaling.sluice.io/revision";

    /** The annotation with the most that the pod may be given for now, as a larger size was refused. */
    public static final String LIMIT = "internal.autoscaling.sluice.io/limit";

    /** The annotation with the least that the pod is given at its start, as its predecessor needed it. */
    public static final String START = "internal.autoscaling.sluice.io/start";

    private ScaledPodKeys() {}

    /** Whether the VM is a pod that is resized in place. */
    public static boolean isPod(VmId vm) {
        return DRIVER.equals(vm.driver());
    }
}
