package io.sluice.lab.controller;

import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/** Reads the fields of a VM object that tell what it is and what it was told to be. */
public final class VmObject {
    private VmObject() {}

    /** What it was last told to be. */
    public static Resources specSize(JsonObject vm) {
        var guest = vm.getJsonObject("spec").getJsonObject("guest");
        long slotBytes = Quantities.bytes(guest.getString("memorySlotSize"));
        long slots = guest.getJsonObject("memorySlots").getLong("use");
        return new Resources(
                Quantities.milliCpu(String.valueOf(guest.getJsonObject("cpus").getValue("use"))), slots * slotBytes);
    }

    /** What it was last seen to be; empty while it does not run. */
    public static Optional<Resources> statusSize(JsonObject vm) {
        var status = vm.getJsonObject("status", new JsonObject());
        return status.containsKey("cpus") && status.containsKey("memorySize")
                ? Optional.of(new Resources(
                        Quantities.milliCpu(String.valueOf(status.getValue("cpus"))),
                        Quantities.bytes(String.valueOf(status.getValue("memorySize")))))
                : Optional.empty();
    }

    /** The goal that it was last told, if any. */
    static Optional<JsonObject> targetRevision(JsonObject vm) {
        return revision(vm.getJsonObject("spec"), "targetRevision");
    }

    /** Whether it runs, and is not what it was told to be, or has not said that it reached its goal. */
    static boolean needsWork(JsonObject vm) {
        var status = statusSize(vm);
        if (status.isEmpty()) {
            return false;
        }
        var reached = revision(vm.getJsonObject("status"), "currentRevision");
        return !status.get().equals(specSize(vm))
                || !targetRevision(vm).equals(reached)
                || !"Running".equals(vm.getJsonObject("status").getString("phase"));
    }

    static String usage(JsonObject vm) {
        var size = specSize(vm);
        return new JsonObject()
                .put("cpu", Quantities.cpuText(size.milliCpu()))
                .put("memory", Quantities.memoryText(size.memoryBytes()))
                .encode();
    }

    private static Optional<JsonObject> revision(JsonObject part, String field) {
        return Optional.ofNullable(part.getJsonObject(field)).map(value -> value.getJsonObject("revision"));
    }
}
