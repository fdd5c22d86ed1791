package io.sluice.neonvm.core;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.units.Resources;

/**
 * What a pod takes from its node by its requests, as Kubernetes counts it.
 *
 * <p>Plain containers run together and add up. Init containers run one after the other, beside the restartable ones
 * started before them, so the largest moment of the start counts if it is above the sum of what runs afterwards.
 * Requests of the pod as a whole replace that sum for the kinds that they name; overhead comes on top.
 */
final class ContainerRequests {
    private static final String ALWAYS = "Always";
    private static final Resources NOTHING = Resources.NONE;

    private ContainerRequests() {}

    static Resources of(JsonNode pod) {
        var spec = pod.path("spec");
        var status = pod.path("status");
        var running = NOTHING;
        for (var container : spec.path("containers")) {
            running = running.plus(effective(container, status.path("containerStatuses")));
        }
        var restartable = NOTHING;
        var starting = NOTHING;
        for (var init : spec.path("initContainers")) {
            var wanted = effective(init, status.path("initContainerStatuses"));
            if (ALWAYS.equals(init.path("restartPolicy").asText())) {
                running = running.plus(wanted);
                restartable = restartable.plus(wanted);
                starting = starting.max(restartable);
            } else {
                starting = starting.max(restartable.plus(wanted));
            }
        }
        return amounts(requests(spec), running.max(starting)).plus(amounts(spec.path("overhead"), NOTHING));
    }

    /** While a container is resized in place, the node still has to give the larger of what was and what will be. */
    private static Resources effective(JsonNode container, JsonNode statuses) {
        var wanted = amounts(requests(container), NOTHING);
        for (var status : statuses) {
            if (container.path("name").equals(status.path("name"))) {
                wanted = wanted.max(amounts(status.path("allocatedResources"), NOTHING))
                        .max(amounts(requests(status), NOTHING));
            }
        }
        return wanted;
    }

    private static JsonNode requests(JsonNode holder) {
        return holder.path("resources").path("requests");
    }

    /** @param absent stands in for each kind that is not named */
    static Resources amounts(JsonNode quantities, Resources absent) {
        return new Resources(
                quantities.hasNonNull("cpu") ? Json.milliCpu(quantities, "cpu") : absent.milliCpu(),
                quantities.hasNonNull("memory") ? Json.bytes(quantities, "memory") : absent.memoryBytes());
    }
}
