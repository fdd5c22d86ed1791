package io.sluice.lab.kubelet;

import io.sluice.lab.controller.RunnerPod;
import io.sluice.lab.kubelet.core.ResizeAdmission;
import io.sluice.units.Resources;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/**
 * A pod of one container as its kubelet has it.
 *
 * @param json the object
 */
record KubeletPod(JsonObject json) {
    private static final String ALLOCATED = "allocatedResources";
    private static final String RESOURCES = "resources";

    String name() {
        return metadata().getString("name");
    }

    boolean runsOn(String node) {
        return node.equals(json.getJsonObject("spec").getString("nodeName", ""));
    }

    private JsonObject metadata() {
        return json.getJsonObject("metadata");
    }

    private JsonObject status() {
        return json.getJsonObject("status", new JsonObject());
    }

    /** What its spec requests. */
    Resources requests() {
        return json.getJsonObject("spec").getJsonArray("containers").stream()
                .map(container -> requests(((JsonObject) container).getJsonObject(RESOURCES, new JsonObject())))
                .reduce(Resources.NONE, Resources::plus);
    }

    private static Resources requests(JsonObject resources) {
        return RunnerPod.amounts(resources.getJsonObject("requests", new JsonObject()));
    }

    private JsonObject spec() {
        return json.getJsonObject("spec")
                .getJsonArray("containers")
                .getJsonObject(0)
                .getJsonObject(RESOURCES);
    }

    private Optional<JsonObject> container() {
        var statuses = status().getJsonArray("containerStatuses", new JsonArray());
        return statuses.isEmpty() ? Optional.empty() : Optional.of(statuses.getJsonObject(0));
    }

    /** The limits in force; empty before its container runs. */
    Optional<Resources> limits() {
        return container()
                .map(found -> RunnerPod.amounts(found.getJsonObject(RESOURCES).getJsonObject("limits")));
    }

    /**
     * The status after the kubelet's next step, or empty if there is none. A new pod has what its spec has. A resize is
     * allocated first, if there is room, and in force with the step after that.
     *
     * @param admission of what its spec requests
     */
    Optional<JsonObject> next(ResizeAdmission admission) {
        var before = container();
        if (before.isEmpty()) {
            return changed(spec().getJsonObject("requests"), spec(), Optional.empty());
        }
        var allocated = before.get().getJsonObject(ALLOCATED);
        var inForce = before.get().getJsonObject(RESOURCES);
        if (RunnerPod.amounts(allocated).equals(requests())) {
            return changed(allocated, spec(), Optional.empty());
        }
        return switch (admission) {
            case ResizeAdmission.Admitted() ->
                changed(
                        spec().getJsonObject("requests"),
                        inForce,
                        Optional.of(condition("PodResizeInProgress", "", "")));
            case ResizeAdmission.Deferred(var message) ->
                changed(allocated, inForce, Optional.of(condition("PodResizePending", "Deferred", message)));
            case ResizeAdmission.Infeasible(var message) ->
                changed(allocated, inForce, Optional.of(condition("PodResizePending", "Infeasible", message)));
        };
    }

    private static JsonObject condition(String type, String reason, String message) {
        var condition = new JsonObject().put("type", type).put("status", "True");
        return reason.isEmpty() ? condition : condition.put("reason", reason).put("message", message);
    }

    private Optional<JsonObject> changed(JsonObject allocated, JsonObject inForce, Optional<JsonObject> resize) {
        var conditions = new JsonArray().add(condition("Ready", "", ""));
        resize.ifPresent(conditions::add);
        var container = new JsonObject()
                .put("name", KubeletStandIn.CONTAINER)
                .put("ready", true)
                .put("restartCount", 0)
                .put(ALLOCATED, allocated)
                .put(RESOURCES, inForce);
        var next = status().copy()
                .put("phase", "Running")
                .put("hostIP", KubeletStandIn.ADDRESS)
                .put("podIP", KubeletStandIn.ADDRESS)
                .put("observedGeneration", metadata().getLong("generation"))
                .put("conditions", conditions)
                .put("containerStatuses", new JsonArray().add(container));
        return next.equals(status()) ? Optional.empty() : Optional.of(next);
    }

    /** The patch that writes a status of this version. */
    JsonObject with(JsonObject next) {
        return new JsonObject()
                .put(
                        "metadata",
                        new JsonObject().put("resourceVersion", metadata().getString("resourceVersion")))
                .put("status", next);
    }
}
