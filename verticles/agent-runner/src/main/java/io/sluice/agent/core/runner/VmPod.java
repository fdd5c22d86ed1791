package io.sluice.agent.core.runner;

import io.sluice.messages.cluster.VmObserved;
import io.sluice.units.VmId;
import java.util.Objects;

/**
 * The VM that a runner speaks for, as the ledger knows it: by the pod it runs in.
 *
 * @param vm the VM
 * @param node the pod's node
 * @param pod the pod's uid
 * @param podName the pod's name
 */
public record VmPod(VmId vm, String node, String pod, String podName) {
    public VmPod {
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(podName, "podName");
    }

    /** Where the VM's object says that it runs. */
    public static VmPod of(VmObserved seen) {
        return new VmPod(seen.vm(), seen.node(), seen.pod(), seen.podName());
    }

    /** Whether the VM runs somewhere else now. What is not known for the moment is not somewhere else. */
    boolean leftBehindBy(VmObserved seen) {
        return !seen.pod().isEmpty() && !seen.pod().equals(pod)
                || !seen.node().isEmpty() && !seen.node().equals(node);
    }
}
