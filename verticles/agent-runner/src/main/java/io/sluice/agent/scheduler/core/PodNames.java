package io.sluice.agent.scheduler.core;

import io.sluice.messages.cluster.VmObserved;
import io.sluice.units.Resources;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * By which names schedulers know the ledger's members, which the agents' protocol names by namespace and pod. Those not
 * heard of for longest are forgotten first.
 */
public final class PodNames {
    private final int podsMax;
    private final Map<String, Named> pods = new LinkedHashMap<>();

    /**
     * A member as the protocol names it.
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

    /** A book for so many pods. */
    public PodNames(int podsMax) {
        this.podsMax = podsMax;
    }

    /** Takes the names of the pod that the VM runs in. */
    public void seen(VmObserved vm) {
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

    /** The member with that uid. */
    public Optional<Named> of(String member) {
        return Optional.ofNullable(pods.get(member));
    }
}
