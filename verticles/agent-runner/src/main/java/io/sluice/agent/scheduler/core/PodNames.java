package io.sluice.agent.scheduler.core;

import io.sluice.messages.cluster.VmObserved;
import io.sluice.units.Resources;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The names of pods: the agents' protocol identifies a pod by namespace and name, the ledger by uid. Beyond the maximum
 * the pod that was not observed for longest is dropped.
 */
public final class PodNames {
    private final int podsMax;
    private final Map<String, Named> pods = new LinkedHashMap<>();

    /**
     * A pod as the protocol identifies it.
     *
     * @param namespace the pod's namespace
     * @param pod the pod's name
     * @param most what the VM may be using by its object: spec, status and what was approved, the largest of them
     */
    public record Named(String namespace, String pod, Resources most) {
        public Named {
            Objects.requireNonNull(namespace, "namespace");
            Objects.requireNonNull(pod, "pod");
            Objects.requireNonNull(most, "most");
        }
    }

    /** Names of at most so many pods. */
    public PodNames(int podsMax) {
        this.podsMax = podsMax;
    }

    /** Stores the names of the pod that the VM runs in. */
    public void observed(VmObserved vm) {
        if (vm.pod().isEmpty() || vm.podName().isEmpty()) {
            return;
        }
        var inUse = vm.sizes().inUse();
        pods.remove(vm.pod());
        pods.put(
                vm.pod(),
                new Named(
                        vm.vm().namespace(),
                        vm.podName(),
                        vm.approved().map(inUse::max).orElse(inUse)));
        if (pods.size() > podsMax) {
            pods.remove(pods.keySet().iterator().next());
        }
    }

    /** The names of the pod with that uid. */
    public Optional<Named> of(String pod) {
        return Optional.ofNullable(pods.get(pod));
    }
}
