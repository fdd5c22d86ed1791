package io.sluice.neonvm.core;

import java.time.temporal.ChronoUnit;

/** Writes the Events that stand on VirtualMachine objects. */
public final class EventObjects {
    /** Kind of an event, as it stands in objects. */
    public static final String KIND = "Event";

    private static final String COMPONENT = "sluice";

    private EventObjects() {}

    /** The event as it is after the last time that it happened. */
    public static String create(VmEvent remark) {
        var vm = remark.vm();
        var event = KubernetesJson.MAPPER.createObjectNode();
        event.put("apiVersion", "v1").put("kind", KIND);
        event.putObject("metadata").put("name", remark.name()).put("namespace", vm.namespace());
        event.putObject("involvedObject")
                .put("apiVersion", NeonVmKeys.API_VERSION)
                .put("kind", NeonVmKeys.VM_KIND)
                .put("namespace", vm.namespace())
                .put("name", vm.name())
                .put("uid", vm.uid());
        event.put("reason", remark.reason().word())
                .put("type", remark.reason().warning() ? "Warning" : "Normal")
                .put("message", remark.message())
                .put("count", remark.count())
                .put(
                        "firstTimestamp",
                        remark.first().truncatedTo(ChronoUnit.SECONDS).toString())
                .put("lastTimestamp", lastTimestamp(remark));
        event.putObject("source").put("component", COMPONENT);
        event.put("reportingComponent", COMPONENT).put("reportingInstance", COMPONENT);
        return event.toString();
    }

    /** A merge patch that brings the event up to the last time that it happened. */
    public static String raise(VmEvent remark) {
        return KubernetesJson.MAPPER
                .createObjectNode()
                .put("count", remark.count())
                .put("message", remark.message())
                .put("lastTimestamp", lastTimestamp(remark))
                .toString();
    }

    private static String lastTimestamp(VmEvent remark) {
        return remark.last().truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
