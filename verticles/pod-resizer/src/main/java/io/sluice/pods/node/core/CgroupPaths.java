package io.sluice.pods.node.core;

import java.util.List;
import java.util.Locale;

/** Where a kubelet makes the control groups of pods, by either of its drivers. */
public final class CgroupPaths {
    private static final String GUARANTEED = "guaranteed";

    private CgroupPaths() {}

    /**
     * Where the group of a pod may be below the root.
     *
     * @param uid of the pod
     * @param qosClass as its status has it
     */
    public static List<String> ofPod(String uid, String qosClass) {
        var qos = qosClass.toLowerCase(Locale.ROOT);
        var escaped = uid.replace('-', '_');
        return qos.equals(GUARANTEED)
                ? List.of("kubepods.slice/kubepods-pod" + escaped + ".slice", "kubepods/pod" + uid)
                : List.of(
                        "kubepods.slice/kubepods-" + qos + ".slice/kubepods-" + qos + "-pod" + escaped + ".slice",
                        "kubepods/" + qos + "/pod" + uid);
    }

    /**
     * Whether a directory in a pod's group is that of a container: its id alone, or {@code RUNTIME-ID.scope}.
     *
     * @param directory its name
     * @param containerId as the pod's status has it, such as {@code containerd://ID}
     */
    public static boolean isOfContainer(String directory, String containerId) {
        var id = containerId.substring(containerId.indexOf("://") + "://".length());
        return directory.equals(id) || directory.endsWith("-" + id) || directory.endsWith("-" + id + ".scope");
    }
}
