package io.sluice.lab.controller;

import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/** Reads the actual size and the size by the spec from a VM object. */
public final class LabVmObject {
    private LabVmObject() {}

    /** The size by the spec. */
    public static Resources specSize(JsonObject vm) {
        return size(vm, "use");
    }

    /** The size at boot. */
    static Resources leastSize(JsonObject vm) {
        return size(vm, "min");
    }

    private static Resources size(JsonObject vm, String which) {
        var guest = vm.getJsonObject("spec").getJsonObject("guest");
        long slotBytes = Quantities.bytes(guest.getString("memorySlotSize"));
        long slots = guest.getJsonObject("memorySlots").getLong(which);
        return new Resources(
                Quantities.milliCpu(String.valueOf(guest.getJsonObject("cpus").getValue(which))), slots * slotBytes);
    }

    /** The actual size by the status; empty while the VM does not run. */
    public static Optional<Resources> statusSize(JsonObject vm) {
        var status = vm.getJsonObject("status", new JsonObject());
        return status.containsKey("cpus") && status.containsKey("memorySize")
                ? Optional.of(new Resources(
                        Quantities.milliCpu(String.valueOf(status.getValue("cpus"))),
                        Quantities.bytes(String.valueOf(status.getValue("memorySize")))))
                : Optional.empty();
    }

    /** The revision of the last goal, if there is one. */
    static Optional<JsonObject> targetRevision(JsonObject vm) {
        return revision(vm.getJsonObject("spec"), "targetRevision");
    }

    /** Whether it is being scaled. */
    static boolean isScaling(JsonObject vm) {
        return "Scaling".equals(phase(vm));
    }

    /** Whether it runs and its status differs from its spec's size or revision. A VM that migrates needs no work. */
    static boolean needsWork(JsonObject vm) {
        var status = statusSize(vm);
        if (status.isEmpty() || !"Running".equals(phase(vm))) {
            return isScaling(vm);
        }
        var reached = revision(vm.getJsonObject("status"), "currentRevision");
        return !status.get().equals(specSize(vm)) || !targetRevision(vm).equals(reached);
    }

    private static String phase(JsonObject vm) {
        return vm.getJsonObject("status", new JsonObject()).getString("phase", "");
    }

    private static Optional<JsonObject> revision(JsonObject part, String field) {
        return Optional.ofNullable(part.getJsonObject(field)).map(value -> value.getJsonObject("revision"));
    }
}
