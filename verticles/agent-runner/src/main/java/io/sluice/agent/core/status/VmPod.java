package io.sluice.agent.core.status;

import io.sluice.messages.cluster.VmObserved;
import io.sluice.units.VmId;
import java.util.Objects;

/**
 * The VM that a runner scales and the pod it runs in, which identifies its reservation in the ledger.
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

    /** Where the VM runs by its object. */
    public static VmPod of(VmObserved observed) {
        return new VmPod(observed.vm(), observed.node(), observed.pod(), observed.podName());
    }

    /** Whether the VM runs elsewhere now. An unknown place does not count as elsewhere. */
    public boolean leftBehindBy(VmObserved observed) {
        return !observed.pod().isEmpty() && !observed.pod().equals(pod)
                || !observed.node().isEmpty() && !observed.node().equals(node);
    }
}
