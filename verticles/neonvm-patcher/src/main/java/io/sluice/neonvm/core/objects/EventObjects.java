package io.sluice.neonvm.core.objects;

import io.sluice.neonvm.core.VmEvent;
import io.sluice.shell.KubernetesEvent;
import io.sluice.units.ScaledPodKeys;

/** Writes Event objects for VirtualMachine objects, and for pods that are scaled. */
public final class EventObjects {
    /** The kind of an Event, as written in objects. */
    public static final String KIND = "Event";

    private static final String COMPONENT = "sluice";

    private EventObjects() {}

    /** The Event object after its latest occurrence. */
    public static String create(VmEvent vmEvent) {
        var vm = vmEvent.vm();
        boolean pod = ScaledPodKeys.isPod(vm);
        return new KubernetesEvent(
                        vmEvent.name(),
                        pod
                                ? KubernetesEvent.About.pod(vm.namespace(), vm.name(), vm.uid())
                                : new KubernetesEvent.About(
                                        NeonVmKeys.API_VERSION,
                                        NeonVmKeys.VM_KIND,
                                        vm.namespace(),
                                        vm.name(),
                                        vm.uid()),
                        vmEvent.reason().word(),
                        vmEvent.reason().warning(),
                        vmEvent.message(),
                        COMPONENT,
                        new KubernetesEvent.Occurrences(vmEvent.count(), vmEvent.first(), vmEvent.last()))
                .json();
    }

    /** A merge patch that updates the Event object to its latest occurrence. */
    public static String raise(VmEvent event) {
        return KubernetesJson.MAPPER
                .createObjectNode()
                .put("count", event.count())
                .put("message", event.message())
                .put("lastTimestamp", KubernetesEvent.time(event.last()))
                .toString();
    }
}
