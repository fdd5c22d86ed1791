package io.sluice.lab.controller;

import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** The pod in which a VM runs, as its controller writes it: it mirrors the VM and has no node yet. */
public final class RunnerPod {
    /** The label of a pod that names the VM that runs in it. */
    public static final String VM_LABEL = "vm.neon.tech/name";

    private static final String USAGE = "vm.neon.tech/usage";
    private static final String OVERCOMMIT = "vm.neon.tech/overcommit";
    private static final String METADATA = "metadata";
    private static final String REQUESTS = "requests";

    private RunnerPod() {}

    /**
     * A pod for a VM.
     *
     * @param owners see {@link #owner}
     */
    public static JsonObject of(JsonObject vm, String podName, JsonArray owners) {
        var metadata = vm.getJsonObject(METADATA);
        var vmName = metadata.getString("name");
        var labels = metadata.getJsonObject("labels", new JsonObject())
                .copy()
                .put("app.kubernetes.io/name", "NeonVM")
                .put(VM_LABEL, vmName);
        var spec = vm.getJsonObject("spec");
        var container = new JsonObject()
                .put("name", "neonvm-runner")
                .put("image", "example/runner:1")
                .put(
                        "resources",
                        spec.getJsonObject("podResources", new JsonObject()).copy());
        return new JsonObject()
                .put(
                        METADATA,
                        new JsonObject()
                                .put("name", podName)
                                .put("ownerReferences", owners)
                                .put("labels", labels)
                                .put("annotations", annotations(vm)))
                .put(
                        "spec",
                        new JsonObject()
                                .put("schedulerName", spec.getString("schedulerName"))
                                .put("containers", new JsonArray().add(container)));
    }

    /** The annotations of a VM's pod: the VM's own, its size, and its overcommit if it has one. */
    public static JsonObject annotations(JsonObject vm) {
        var annotations = vm.getJsonObject(METADATA)
                .getJsonObject("annotations", new JsonObject())
                .copy()
                .put(USAGE, quantities(LabVmObject.specSize(vm)).encode());
        var overcommit = vm.getJsonObject("spec").getJsonObject("overcommit");
        return overcommit == null ? annotations : annotations.put(OVERCOMMIT, overcommit.encode());
    }

    /** An owner reference to an object. */
    public static JsonObject owner(JsonObject object, boolean controller) {
        var metadata = object.getJsonObject(METADATA);
        return new JsonObject()
                .put("apiVersion", object.getString("apiVersion"))
                .put("kind", object.getString("kind"))
                .put("name", metadata.getString("name"))
                .put("uid", metadata.getString("uid"))
                .put("controller", controller);
    }

    /** What a pod takes of its node: its VM's size, or else its containers' requests. */
    public static Resources use(JsonObject pod) {
        var usage = pod.getJsonObject(METADATA)
                .getJsonObject("annotations", new JsonObject())
                .getString(USAGE);
        if (usage != null) {
            return amounts(new JsonObject(usage));
        }
        var sum = Resources.NONE;
        for (var container : pod.getJsonObject("spec").getJsonArray("containers", new JsonArray())) {
            sum = sum.plus(amounts(((JsonObject) container)
                    .getJsonObject("resources", new JsonObject())
                    .getJsonObject(REQUESTS, new JsonObject())));
        }
        return sum;
    }

    /** Reads {@code cpu} and {@code memory}; a missing amount is zero. */
    public static Resources amounts(JsonObject quantities) {
        return new Resources(
                Quantities.milliCpu(String.valueOf(quantities.getValue("cpu", "0"))),
                Quantities.bytes(String.valueOf(quantities.getValue("memory", "0"))));
    }

    /** Writes {@code cpu} and {@code memory}. */
    public static JsonObject quantities(Resources amount) {
        return new JsonObject()
                .put("cpu", Quantities.cpuText(amount.milliCpu()))
                .put("memory", Quantities.memoryText(amount.memoryBytes()));
    }
}
