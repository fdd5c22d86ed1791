package io.sluice.workers.kubernetes.core;

import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.vm.PodBinding;
import io.sluice.messages.worker.InstancePods;
import io.sluice.messages.worker.InstancePods.Pod;
import io.sluice.units.WorkerNames;
import io.sluice.workers.core.Instance;
import io.sluice.workers.core.InstanceReport;
import io.sluice.workers.core.InstanceReport.Observed;
import io.sluice.workers.core.Order;
import io.sluice.workers.core.WorkerFleet;
import io.sluice.workers.core.WorkerHello;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What pods, orders and holds decide together on nodes of Kubernetes, each of which is a worker. It reads the fleet and
 * changes nothing there.
 *
 * <p>The room of an instance is held in the ledger under the instance's own uid. Once the ledger has the reservation of
 * the pod, under the pod's, that hold ends: both count in between.
 */
public final class PodRules {
    /** The only kind of instances that can be a pod. */
    public static final String KIND = "Pod";

    private static final Set<String> RUNTIMES = Set.of(KIND);
    private static final long BOOT = 1;

    private final WorkerFleet fleet;
    private final Set<String> handedOver = new HashSet<>();

    public PodRules(WorkerFleet fleet) {
        this.fleet = fleet;
    }

    /** The name of the pod of one start. */
    public static String name(String instance, long generation) {
        return instance + "-" + generation;
    }

    /** What a node registers with. One that no new pod may be placed on keeps what it has. */
    public static WorkerHello hello(NodeObserved node) {
        boolean open = node.ready() && node.closed().isEmpty() && node.taints().isEmpty();
        return new WorkerHello(
                WorkerNames.worker(node.node()),
                "",
                BOOT,
                node.allocatable(),
                Map.of(),
                open ? RUNTIMES : Set.of(),
                false,
                List.of(),
                0);
    }

    /** What each node has. Of an instance with several pods on a node, the one of the last start counts. */
    public static Map<String, List<InstanceReport>> inventories(List<Pod> pods) {
        return pods.stream()
                .collect(Collectors.groupingBy(
                        Pod::node,
                        Collectors.collectingAndThen(
                                Collectors.toMap(
                                        Pod::instance,
                                        pod -> pod,
                                        (one, other) -> one.generation() > other.generation() ? one : other),
                                newest -> newest.values().stream()
                                        .map(PodRules::report)
                                        .toList())));
    }

    private static InstanceReport report(Pod pod) {
        return new InstanceReport(
                pod.instance(), pod.generation(), observed(pod.phase()), pod.reason(), pod.exitCode());
    }

    private static Observed observed(InstancePods.Phase phase) {
        return switch (phase) {
            case STARTING -> Observed.CREATING;
            case RUNNING -> Observed.RUNNING;
            case ENDING -> Observed.DESTROYING;
            case SUCCEEDED -> Observed.TERMINATED;
            case FAILED -> Observed.FAILED;
        };
    }

    /** The pods that have ended and that no instance holds room for any more: nothing else removes their objects. */
    public List<Pod> over(List<Pod> pods) {
        return pods.stream().filter(pod -> pod.isOver() && held(pod).isEmpty()).toList();
    }

    /** The instance that holds room for the pod. */
    private Optional<Instance> held(Pod pod) {
        return fleet.instanceOn(WorkerNames.worker(pod.node()), pod.instance())
                .filter(instance -> instance.numbers().start() == pod.generation());
    }

    /** The nodes where an instance has both its own hold and a pod; whether the ledger has the pod is to be read. */
    public Set<String> holding(List<Pod> pods) {
        var nodes = new HashSet<String>();
        var uids = new HashSet<String>();
        for (var pod : pods) {
            held(pod).ifPresent(instance -> {
                uids.add(instance.uid());
                if (!handedOver.contains(instance.uid())) {
                    nodes.add(pod.node());
                }
            });
        }
        handedOver.retainAll(uids);
        return nodes;
    }

    /**
     * The instances on the node whose hold ends now, each once.
     *
     * @param reserved the uids of what has room there by its ledger
     */
    public List<Instance> released(String node, List<Pod> pods, Set<String> reserved) {
        var released = new ArrayList<Instance>();
        pods.stream()
                .filter(pod -> pod.node().equals(node) && reserved.contains(pod.uid()))
                .forEach(pod -> held(pod)
                        .filter(instance -> handedOver.add(instance.uid()))
                        .ifPresent(released::add));
        return released;
    }

    /** The order of that number, if it is still to be carried out. */
    public Optional<Order> open(String node, long seq) {
        return fleet.orders(WorkerNames.worker(node)).stream()
                .filter(order -> order.seq() == seq)
                .findFirst();
    }

    /**
     * Where the ledger has lost the hold of the instance, with its state or while no scheduler of workers ran, others
     * may have the room. A pod that is there already has room of its own.
     *
     * @param order to start an instance
     * @param reserved the uids of what has room on the node by its ledger
     * @param pods all pods of instances; empty while they are not listed
     */
    public PodAnswer start(String node, Order order, Set<String> reserved, Optional<List<Pod>> pods) {
        var uid = fleet.instanceOn(WorkerNames.worker(node), order.instance()).map(Instance::uid);
        if (uid.filter(reserved::contains).isPresent()) {
            return new PodAnswer.Create(order);
        }
        if (pods.isEmpty()) {
            return new PodAnswer.ListPods();
        }
        var name = name(order.instance(), order.generation());
        boolean exists = pods.get().stream()
                .anyMatch(pod -> pod.node().equals(node) && pod.name().equals(name));
        return exists ? new PodAnswer.Create(order) : new PodAnswer.Refuse("its room on the node is held no more");
    }

    /** All pods of the instance there end that are of that generation or an earlier one. */
    public static PodAnswer stop(String node, String instance, long generation, List<Pod> pods) {
        var ending = pods.stream()
                .filter(pod ->
                        pod.node().equals(node) && pod.instance().equals(instance) && pod.generation() <= generation)
                .toList();
        return ending.isEmpty() ? new PodAnswer.Refuse("there is no such pod") : new PodAnswer.End(ending);
    }

    /**
     * How an order is acknowledged whose pod was to be created: accepted, refused, or not at all, and then it is
     * stopped here before it starts elsewhere.
     */
    public static Optional<Acknowledgement> acknowledgement(PodBinding created) {
        return switch (created) {
            case PodBinding.Bound _ -> Optional.of(new Acknowledgement(true, ""));
            case PodBinding.Refused(var reason) -> Optional.of(new Acknowledgement(false, reason));
            case PodBinding.InDoubt _, PodBinding.Unbound _, PodBinding.Gone _ -> Optional.empty();
        };
    }

    /**
     * The reply to an order.
     *
     * @param reason why it was refused, in words
     */
    public record Acknowledgement(boolean accepted, String reason) {}
}
