package io.sluice.neonvm.core.objects;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.devices.GpuNames;
import io.sluice.devices.NodeDevices;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
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
public final class ContainerRequests {
    private static final String CPU = "cpu";
    private static final String MEMORY = "memory";
    private static final String HUGE_PAGES = "hugepages-";
    private static final String ALWAYS = "Always";

    private final JsonNode spec;
    private final JsonNode status;
    private final boolean resizeRefused;
    private final Predicate<String> counted;

    /** @param counted whether a resource counts */
    private ContainerRequests(JsonNode pod, Predicate<String> counted) {
        this.counted = counted;
        spec = pod.path("spec");
        status = pod.path("status");
        resizeRefused = resizeRefused(status.path("conditions"));
    }

    static Resources of(JsonNode pod) {
        var sum = new ContainerRequests(pod, kind -> kind.equals(CPU) || kind.equals(MEMORY)).sum();
        return new Resources(sum.getOrDefault(CPU, 0L), sum.getOrDefault(MEMORY, 0L));
    }

    /** All resources that the pod requests: CPU in milli-CPU, the others in their own unit. */
    public static Map<String, Long> all(JsonNode pod) {
        return new ContainerRequests(pod, kind -> true).sum();
    }

    /** What the pod takes of all kinds but CPU and memory: its place among a node's pods is one of them. */
    static FixedAmounts fixed(JsonNode pod) {
        var sum = new ContainerRequests(pod, ContainerRequests::isFixed).sum();
        sum.put(FixedAmounts.PODS, 1L);
        return FixedAmounts.of(sum);
    }

    /** Whether a running pod keeps its amount of that kind. Shares of GPUs count device by device instead. */
    static boolean isFixed(String kind) {
        boolean byDevice = GpuNames.isGpu(kind) && !kind.equals(NodeDevices.WHOLE_DEVICES);
        return !kind.equals(CPU) && !kind.equals(MEMORY) && !byDevice;
    }

    /** What the spec requests beside the first container: the others, the sidecars and the overhead. */
    static Resources besideFirst(JsonNode pod) {
        var spec = pod.path("spec");
        return Stream.concat(
                        spec.path("containers").valueStream().skip(1),
                        spec.path("initContainers").valueStream().filter(ContainerRequests::isRestartable))
                .map(container -> cpuAndMemory(requests(container)))
                .reduce(cpuAndMemory(spec.path("overhead")), Resources::plus);
    }

    /** Whether all containers but the first request both their limits, as those of a Guaranteed pod do. */
    static boolean othersRequestTheirLimits(JsonNode pod) {
        var spec = pod.path("spec");
        return Stream.concat(
                        spec.path("containers").valueStream().skip(1),
                        spec.path("initContainers").valueStream())
                .allMatch(container -> {
                    var limits = cpuAndMemory(container.path("resources").path("limits"));
                    return !limits.hasZero()
                            && cpuAndMemory(requests(container)).equals(limits);
                });
    }

    private Map<String, Long> sum() {
        var running = new TreeMap<String, Long>();
        for (var container : spec.path("containers")) {
            add(resizable(container, status.path("containerStatuses")), running);
        }
        var restartable = new TreeMap<String, Long>();
        var starting = new TreeMap<String, Long>();
        for (var init : spec.path("initContainers")) {
            if (isRestartable(init)) {
                var wanted = resizable(init, status.path("initContainerStatuses"));
                add(wanted, running);
                add(wanted, restartable);
                raise(restartable, starting);
            } else {
                var together = amounts(requests(init));
                add(restartable, together);
                raise(together, starting);
            }
        }
        raise(starting, running);
        replaceByThePods(running);
        add(amounts(spec.path("overhead")), running);
        return running;
    }

    /** Whether an init container runs as long as the pod. */
    static boolean isRestartable(JsonNode init) {
        return ALWAYS.equals(init.path("restartPolicy").asText());
    }

    private void replaceByThePods(Map<String, Long> sum) {
        var wanted = amounts(requests(spec));
        wanted.keySet().removeIf(kind -> !kind.equals(CPU) && !kind.equals(MEMORY) && !kind.startsWith(HUGE_PAGES));
        var resized = resized(wanted, status);
        wanted.keySet().forEach(kind -> sum.put(kind, resized.get(kind)));
    }

    private Map<String, Long> resizable(JsonNode container, JsonNode statuses) {
        var wanted = amounts(requests(container));
        for (var found : statuses) {
            if (container.path("name").equals(found.path("name"))) {
                return resized(wanted, found);
            }
        }
        return wanted;
    }

    /** A resource that the status does not name counts at the spec's request. */
    private Map<String, Long> resized(Map<String, Long> wanted, JsonNode found) {
        var inForce = amounts(found.path("allocatedResources"));
        raise(amounts(requests(found)), inForce);
        wanted.forEach(
                (kind, amount) -> inForce.merge(kind, amount, resizeRefused ? (still, refused) -> still : Math::max));
        return inForce;
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

    private static void add(Map<String, Long> more, Map<String, Long> sum) {
        more.forEach((kind, amount) -> sum.merge(kind, amount, Math::addExact));
    }

    private static void raise(Map<String, Long> to, Map<String, Long> amounts) {
        to.forEach((kind, amount) -> amounts.merge(kind, amount, Math::max));
    }

    /** CPU and memory alone; zero where there is none. */
    static Resources cpuAndMemory(JsonNode quantities) {
        return cpuAndMemory(quantities, Resources.NONE);
    }

    /** CPU and memory alone, with what stands for each that is not named. */
    static Resources cpuAndMemory(JsonNode quantities, Resources absent) {
        return new Resources(
                quantities.hasNonNull(CPU) ? KubernetesJson.milliCpu(quantities, CPU) : absent.milliCpu(),
                quantities.hasNonNull(MEMORY) ? KubernetesJson.bytes(quantities, MEMORY) : absent.memoryBytes());
    }

    private Map<String, Long> amounts(JsonNode quantities) {
        return amounts(quantities, counted);
    }

    /** The amounts of a list of quantities; the map can be changed. */
    public static Map<String, Long> amounts(JsonNode quantities, Predicate<String> counted) {
        var amounts = new TreeMap<String, Long>();
        quantities.properties().forEach(quantity -> {
            var kind = quantity.getKey();
            if (counted.test(kind) && !quantity.getValue().isNull()) {
                amounts.put(
                        kind,
                        kind.equals(CPU)
                                ? KubernetesJson.milliCpu(quantities, kind)
                                : KubernetesJson.bytes(quantities, kind));
            }
        });
        return amounts;
    }
}
