package io.sluice.neonvm.core.objects;

import io.sluice.neonvm.core.VmEvent;
import io.sluice.units.ScaledPodKeys;
import java.time.temporal.ChronoUnit;

/** Writes Event objects for VirtualMachine objects, and for pods that are scaled. */
public final class EventObjects {
    /** The kind of an Event, as written in objects. */
    public static final String KIND = "Event";

    private static final String COMPONENT = "sluice";

    private EventObjects() {}

    /** The Event object after its latest occurrence. */
    public static String create(VmEvent vmEvent) {
        var vm = vmEvent.vm();
        var event = KubernetesJson.MAPPER.createObjectNode();
        event.put("apiVersion", "v1").put("kind", KIND);
        event.putObject("metadata").put("name", vmEvent.name()).put("namespace", vm.namespace());
        event.putObject("involvedObject")
                .put("apiVersion", ScaledPodKeys.isPod(vm) ? "v1" : NeonVmKeys.API_VERSION)
                .put("kind", ScaledPodKeys.isPod(vm) ? "Pod" : NeonVmKeys.VM_KIND)
                .put("namespace", vm.namespace())
                .put("name", vm.name())
                .put("uid", vm.uid());
        event.put("reason", vmEvent.reason().word())
                .put("type", vmEvent.reason().warning() ? "Warning" : "Normal")
                .put("message", vmEvent.message())
                .put("count", vmEvent.count())
                .put(
                        "firstTimestamp",
                        vmEvent.first().truncatedTo(ChronoUnit.SECONDS).toString())
                .put("lastTimestamp", lastTimestamp(vmEvent));
        event.putObject("source").put("component", COMPONENT);
        event.put("reportingComponent", COMPONENT).put("reportingInstance", COMPONENT);
        return event.toString();
    }

    /** A merge patch that updates the Event object to its latest occurrence. */
    public static String raise(VmEvent event) {
        return KubernetesJson.MAPPER
                .createObjectNode()
                .put("count", event.count())
                .put("message", event.message())
                .put("lastTimestamp", lastTimestamp(event))
                .toString();
    }

    private static String lastTimestamp(VmEvent event) {
        return event.last().truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
