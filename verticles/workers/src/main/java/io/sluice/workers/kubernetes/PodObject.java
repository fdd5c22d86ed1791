package io.sluice.workers.kubernetes;

import io.sluice.units.Resources;
import io.sluice.units.WorkerNames;
import io.sluice.workers.kubernetes.core.PodRules;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/** An instance's definition as a pod of Kubernetes. */
public final class PodObject {
    private PodObject() {}

    /** Why a definition cannot be a pod; empty if it can. No text quotes it, as it may have secrets. */
    public static Optional<String> unfit(String definition) {
        try {
            var json = new JsonObject(definition);
            if (!PodRules.KIND.equals(json.getString("kind"))) {
                return Optional.of("on a node of Kubernetes the kind of a definition is Pod; a VM, which may need live"
                        + " migration, is a VirtualMachine there");
            }
            var containers = json.getJsonObject("spec").getJsonArray("containers");
            if (containers.size() != 1) {
                return Optional.of("a pod has not exactly one container");
            }
            var container = containers.getJsonObject(0);
            texts(container.getJsonArray("command", new JsonArray()));
            texts(container.getJsonArray("args", new JsonArray()));
            environment(container);
            return container.getString("image", "").isEmpty()
                    ? Optional.of("the container of a pod on Kubernetes has an image")
                    : Optional.empty();
        } catch (DecodeException | ClassCastException | NullPointerException unreadable) {
            return Optional.of("the definition has not the form of a pod");
        }
    }

    private static JsonArray texts(JsonArray words) {
        var texts = new JsonArray();
        words.forEach(word -> texts.add((String) word));
        return texts;
    }

    private static JsonArray environment(JsonObject container) {
        var variables = new JsonArray();
        container
                .getJsonObject("env", new JsonObject())
                .forEach(entry -> variables.add(
                        new JsonObject().put("name", entry.getKey()).put("value", (String) entry.getValue())));
        return variables;
    }

    /**
     * The pod of one start, bound to the node. Its limits are its requests.
     *
     * @param definition one that is not {@link #unfit}
     * @param graceSeconds how long it has to end by itself
     */
    static JsonObject of(
            String definition, String instance, long generation, String node, Resources size, int graceSeconds) {
        var container = new JsonObject(definition)
                .getJsonObject("spec")
                .getJsonArray("containers")
                .getJsonObject(0);
        var amounts =
                new JsonObject().put("cpu", size.milliCpu() + "m").put("memory", Long.toString(size.memoryBytes()));
        return new JsonObject()
                .put("apiVersion", "v1")
                .put("kind", PodRules.KIND)
                .put(
                        "metadata",
                        new JsonObject()
                                .put("name", PodRules.name(instance, generation))
                                .put("labels", new JsonObject().put(WorkerNames.POD_LABEL, "true"))
                                .put(
                                        "annotations",
                                        new JsonObject()
                                                .put(WorkerNames.POD_INSTANCE, instance)
                                                .put(WorkerNames.POD_GENERATION, Long.toString(generation))))
                .put(
                        "spec",
                        new JsonObject()
                                .put("nodeName", node)
                                .put("restartPolicy", "Never")
                                .put("automountServiceAccountToken", false)
                                .put("terminationGracePeriodSeconds", graceSeconds)
                                .put(
                                        "containers",
                                        new JsonArray()
                                                .add(new JsonObject()
                                                        .put("name", "instance")
                                                        .put("image", container.getString("image"))
                                                        .put(
                                                                "command",
                                                                container.getJsonArray("command", new JsonArray()))
                                                        .put("args", container.getJsonArray("args", new JsonArray()))
                                                        .put("env", environment(container))
                                                        .put(
                                                                "resources",
                                                                new JsonObject()
                                                                        .put("requests", amounts)
                                                                        .put("limits", amounts)))));
    }
}
