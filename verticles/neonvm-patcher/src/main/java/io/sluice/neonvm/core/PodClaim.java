package io.sluice.neonvm.core;

import io.sluice.messages.cluster.PodObserved;
import io.sluice.units.Resources;

/**
 * What a pod says about a VM in it. Whoever creates pods may write all of it.
 *
 * @param vmName the VM that runs in the pod, or is moved to it, in the pod's namespace; empty where it names none
 * @param controller uid of the object that controls the pod; empty where none does
 * @param migration name of the migration that controls the pod; empty where none does
 * @param usage what the VM uses
 */
public record PodClaim(String vmName, String controller, String migration, Resources usage) {
    /** The pod with its claim, which counts up to a limit. */
    PodObserved accepted(PodObserved pod, Resources most) {
        return new PodObserved(
                pod.uid(),
                pod.namespace(),
                pod.name(),
                pod.node(),
                vmName,
                pod.version(),
                usage.min(most),
                pod.createdAtSeconds(),
                migration);
    }
}
