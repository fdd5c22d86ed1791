package io.sluice.neonvm.core.objects;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.units.Resources;
import java.util.stream.Stream;

/**
 * What a pod takes from its node by its requests, by the Kubernetes rule.
 *
 * <p>Plain containers run together and add up. Init containers run one after the other, beside the restartable ones
 * that were started before them. So the largest moment of the start counts if it exceeds the sum of what runs
 * afterwards. Requests of the pod as a whole replace that sum for the resources that they name. Overhead is added. A
 * resize in place counts at the larger of the old and the new requests, or at the old ones if the node refused it as
 * infeasible.
 */
final class ContainerRequests {
    private static final String ALWAYS = "Always";
    private static final Resources NOTHING = Resources.NONE;

    private final JsonNode spec;
    private final JsonNode status;
    private final boolean resizeRefused;

    private ContainerRequests(JsonNode pod) {
        spec = pod.path("spec");
        status = pod.path("status");
        resizeRefused = resizeRefused(status.path("conditions"));
    }

    static Resources of(JsonNode pod) {
        return new ContainerRequests(pod).sum();
    }

    /** What the spec requests beside the first container: the others, the sidecars and the overhead. */
    static Resources besideFirst(JsonNode pod) {
        var sum = amounts(pod.path("spec").path("overhead"), NOTHING);
        for (int i = 1; i < pod.path("spec").path("containers").size(); i++) {
            sum = sum.plus(amounts(requests(pod.path("spec").path("containers").path(i)), NOTHING));
        }
        for (var init : pod.path("spec").path("initContainers")) {
            if (isSidecar(init)) {
                sum = sum.plus(amounts(requests(init), NOTHING));
            }
        }
        return sum;
    }

    /** Whether all containers but the first request both their limits, as those of a Guaranteed pod do. */
    static boolean othersRequestTheirLimits(JsonNode pod) {
        var containers = pod.path("spec").path("containers").valueStream().skip(1);
        return Stream.concat(containers, pod.path("spec").path("initContainers").valueStream())
                .allMatch(container -> {
                    var limits = amounts(container.path("resources").path("limits"), NOTHING);
                    return !limits.hasZero()
                            && amounts(requests(container), limits).equals(limits);
                });
    }

    private static boolean isSidecar(JsonNode init) {
        return ALWAYS.equals(init.path("restartPolicy").asText());
    }

    private Resources sum() {
        var running = NOTHING;
        for (var container : spec.path("containers")) {
            running = running.plus(resizable(container, status.path("containerStatuses")));
        }
        var restartable = NOTHING;
        var starting = NOTHING;
        for (var init : spec.path("initContainers")) {
            if (isSidecar(init)) {
                var wanted = resizable(init, status.path("initContainerStatuses"));
                running = running.plus(wanted);
                restartable = restartable.plus(wanted);
                starting = starting.max(restartable);
            } else {
                starting = starting.max(restartable.plus(amounts(requests(init), NOTHING)));
            }
        }
        return ofThePod(running.max(starting)).plus(amounts(spec.path("overhead"), NOTHING));
    }

    private Resources ofThePod(Resources sum) {
        var wanted = requests(spec);
        var resized = resized(amounts(wanted, sum), status);
        return new Resources(
                wanted.hasNonNull("cpu") ? resized.milliCpu() : sum.milliCpu(),
                wanted.hasNonNull("memory") ? resized.memoryBytes() : sum.memoryBytes());
    }

    private Resources resizable(JsonNode container, JsonNode statuses) {
        var wanted = amounts(requests(container), NOTHING);
        for (var found : statuses) {
            if (container.path("name").equals(found.path("name"))) {
                return resized(wanted, found);
            }
        }
        return wanted;
    }

    /** A resource that the status does not name counts at the spec's request. */
    private Resources resized(Resources wanted, JsonNode found) {
        var allocated = found.path("allocatedResources");
        var inForce = requests(found);
        var still = amounts(allocated, amounts(inForce, wanted)).max(amounts(inForce, amounts(allocated, wanted)));
        return resizeRefused ? still : still.max(wanted);
    }

    private static boolean resizeRefused(JsonNode conditions) {
        for (var condition : conditions) {
            if (condition.path("type").asText().equals("PodResizePending")) {
                return condition.path("reason").asText().equals("Infeasible");
            }
        }
        return false;
    }

    private static JsonNode requests(JsonNode holder) {
        return holder.path("resources").path("requests");
    }

    /** @param absent the amounts of resources that are not named */
    static Resources amounts(JsonNode quantities, Resources absent) {
        return new Resources(
                quantities.hasNonNull("cpu") ? KubernetesJson.milliCpu(quantities, "cpu") : absent.milliCpu(),
                quantities.hasNonNull("memory") ? KubernetesJson.bytes(quantities, "memory") : absent.memoryBytes());
    }
}
