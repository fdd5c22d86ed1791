package io.sluice.neonvm.core.objects;

import io.sluice.messages.cluster.PodObserved;
import io.sluice.units.Resources;

/**
 * What a pod claims about a VM in it. Any party that creates pods may write all of it.
 *
 * @param vmName the VM that runs in the pod, or migrates to it, in the pod's namespace; empty if it names none
 * @param controller uid of the object that controls the pod; empty if none does
 * @param migration name of the migration that controls the pod; empty if none does
 * @param usage what the VM uses
 */
public record PodClaim(String vmName, String controller, String migration, Resources usage) {
    /** The pod with its claim, which counts up to a limit. */
    public PodObserved accepted(PodObserved pod, Resources most) {
        return new PodObserved(
                pod.uid(),
                pod.namespace(),
                pod.name(),
                pod.node(),
                vmName,
                pod.version(),
                usage.min(most),
                pod.createdAtSeconds(),
                migration,
                pod.priority());
    }
}
