package io.sluice.workers.kubernetes;

import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.WorkerAddresses;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.vm.EndReply;
import io.sluice.messages.vm.PodBinding;
import io.sluice.messages.worker.EndPod;
import io.sluice.messages.worker.InstancePods;
import io.sluice.messages.worker.InstancePods.Pod;
import io.sluice.messages.worker.ListInstancePods;
import io.sluice.messages.worker.RunPod;
import io.sluice.shell.LogKeys;
import io.sluice.units.Resources;
import io.sluice.units.WorkerNames;
import io.sluice.workers.core.Instance;
import io.sluice.workers.core.InstanceReport;
import io.sluice.workers.core.InstanceReport.Observed;
import io.sluice.workers.core.WorkerFleet;
import io.sluice.workers.core.WorkerHello;
import io.sluice.workers.v1.Assign;
import io.sluice.workers.v1.SchedulerFrame;
import io.sluice.workers.v1.Stop;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Speaks for the nodes of Kubernetes, each a worker of the fleet: an order to start an instance creates a pod, one to
 * stop it deletes that, and the list of pods is the inventory. Requests follow one another, so that no list is older
 * than an order that was carried out. Used on one context.
 *
 * <p>The room of an instance is held in the ledger under the instance's own uid. Once the ledger has the reservation of
 * the pod, under the pod's, that hold ends: both count in between.
 */
public final class KubernetesNodes {
    private static final Logger LOG = LoggerFactory.getLogger(KubernetesNodes.class);
    private static final Set<String> RUNTIMES = Set.of(PodObject.KIND);
    private static final long BOOT = 1;
    private static final int LIST_EVERY_TICKS = 15;
    private static final long SOON_MS = 100;

    private final Vertx vertx;
    private final Bus bus;
    private final WorkerFleet fleet;
    private final Supplier<Instant> clock;
    private final Sessions sessions;
    private final PodTarget target;
    private final int graceSeconds;
    private final Map<String, WorkerHello> observed = new HashMap<>();
    private final Map<String, Node> nodes = new HashMap<>();
    private final Set<String> due = new HashSet<>();
    private final Set<String> handedOver = new HashSet<>();
    private Future<Void> last = Future.succeededFuture();
    private boolean listsSoon;
    private boolean holdsLeft;
    private int ticks;

    /** What the nodes need of the process that serves workers. */
    public interface Sessions {
        /** Opens the session of a worker, which gets its orders; returns its number. */
        long open(String worker, Consumer<SchedulerFrame> orders);

        /** Ends the step of the fleet under way. */
        void apply();

        /** There may be room for what waits. */
        void roomCame();
    }

    /** A registered node, and its open session. */
    private record Node(long session, WorkerHello hello) {}

    /** @param graceSeconds how long an instance has to end by itself */
    public KubernetesNodes(
            Vertx vertx,
            Bus bus,
            WorkerFleet fleet,
            Supplier<Instant> clock,
            Sessions sessions,
            PodTarget target,
            int graceSeconds) {
        this.vertx = vertx;
        this.bus = bus;
        this.fleet = fleet;
        this.clock = clock;
        this.sessions = sessions;
        this.target = target;
        this.graceSeconds = graceSeconds;
    }

    /** Completes once observations arrive. */
    public Future<Void> start() {
        return bus.subscribe(ClusterAddresses.NODE_OBSERVED, this::observed)
                .compose(served -> bus.subscribe(ClusterAddresses.NODE_GONE, gone -> gone(gone.node())))
                .compose(served -> bus.subscribe(ClusterAddresses.POD_OBSERVED, this::podObserved))
                .compose(served -> bus.subscribe(ClusterAddresses.POD_GONE, this::podGone))
                .onSuccess(served -> bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest("workers")));
    }

    /** Called each second. A node stays while it is observed: what its pods are is up to Kubernetes. */
    public void tick() {
        observed.forEach((name, hello) -> {
            if (!isRegistered(name, hello)) {
                register(name);
            }
        });
        sessions.apply();
        if (++ticks % LIST_EVERY_TICKS == 0 || holdsLeft) {
            listSoon();
        }
    }

    private boolean isRegistered(String name, WorkerHello hello) {
        return Optional.ofNullable(nodes.get(name))
                .filter(node -> node.hello().equals(hello) && fleet.frame(hello.worker(), node.session(), clock.get()))
                .isPresent();
    }

    private void podObserved(PodObserved pod) {
        if (pod.namespace().equals(target.namespace())) {
            listSoon();
        }
    }

    private void podGone(PodGone pod) {
        if (!WorkerNames.isInstance(pod.uid())) {
            listSoon();
        }
    }

    private void observed(NodeObserved node) {
        if (WorkerNames.isOfWorker(node.node())) {
            return;
        }
        var hello = hello(node);
        if (!hello.equals(observed.put(node.node(), hello))) {
            register(node.node());
        }
    }

    /**
     * The fleet compares what a node has with what it should have, so the pods are listed first: once for all nodes
     * that are due.
     */
    private void register(String name) {
        if (!due.add(name) || due.size() > 1) {
            return;
        }
        inOrder(() -> pods().onComplete(listed -> {
                    var names = List.copyOf(due);
                    due.clear();
                    if (listed.succeeded()) {
                        var byNode = byNode(listed.result());
                        names.forEach(one -> open(one, byNode.getOrDefault(one, List.of())));
                        sessions.apply();
                        sessions.roomCame();
                    }
                })
                .mapEmpty());
    }

    private void open(String name, List<Pod> pods) {
        Optional.ofNullable(observed.get(name)).ifPresent(hello -> {
            long session = sessions.open(hello.worker(), frame -> ordered(name, frame));
            nodes.put(name, new Node(session, hello));
            fleet.opened(with(hello, pods), session, clock.get());
        });
    }

    private static Map<String, List<Pod>> byNode(List<Pod> pods) {
        return pods.stream().collect(Collectors.groupingBy(Pod::node));
    }

    /** One that no new pod may be placed on keeps what it has. */
    private static WorkerHello hello(NodeObserved node) {
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

    private static WorkerHello with(WorkerHello hello, List<Pod> pods) {
        return new WorkerHello(
                hello.worker(),
                hello.key(),
                hello.boot(),
                hello.capacity(),
                hello.labels(),
                hello.runtimes(),
                hello.resizes(),
                reports(pods),
                hello.lastSeq());
    }

    private void gone(String name) {
        observed.remove(name);
        Optional.ofNullable(nodes.remove(name)).ifPresent(node -> {
            fleet.left(node.hello().worker(), node.session(), clock.get());
            sessions.apply();
        });
    }

    /** Begins once everything before has its reply, whatever that was. */
    private void inOrder(Supplier<Future<Void>> step) {
        last = last.transform(before -> step.get()).otherwiseEmpty();
    }

    private void listSoon() {
        if (!listsSoon && !nodes.isEmpty()) {
            listsSoon = true;
            vertx.setTimer(
                    SOON_MS,
                    timer -> inOrder(() -> {
                        listsSoon = false;
                        return pods().compose(this::compare);
                    }));
        }
    }

    private Future<List<Pod>> pods() {
        return bus.request(WorkerAddresses.PODS, new ListInstancePods(target.namespace()))
                .compose(list -> list.failure().isEmpty()
                        ? Future.succeededFuture(list.pods())
                        : Future.failedFuture(list.failure()))
                .onFailure(failed -> LOG.atDebug()
                        .addKeyValue(LogKeys.ERROR, failed.toString())
                        .log("The pods of instances could not be listed."));
    }

    private Future<Void> compare(List<Pod> pods) {
        var byNode = byNode(pods);
        nodes.forEach((name, node) -> fleet.inventory(
                node.hello().worker(), node.session(), reports(byNode.getOrDefault(name, List.of())), clock.get()));
        sessions.apply();
        endWhatIsOver(pods);
        return handOver(pods);
    }

    /** Of an instance with several pods on a node, the one of the last start counts. */
    private static List<InstanceReport> reports(List<Pod> pods) {
        return pods.stream()
                .collect(Collectors.toMap(
                        Pod::instance, pod -> pod, (one, other) -> one.generation() > other.generation() ? one : other))
                .values()
                .stream()
                .map(pod -> new InstanceReport(
                        pod.instance(), pod.generation(), observed(pod.phase()), pod.reason(), pod.exitCode()))
                .toList();
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

    /** The end of a pod is known to the fleet by now; nothing else removes its object. */
    private void endWhatIsOver(List<Pod> pods) {
        pods.stream().filter(pod -> pod.isOver() && held(pod).isEmpty()).forEach(this::end);
    }

    private Optional<Instance> held(Pod pod) {
        return fleet.instanceOn(WorkerNames.worker(pod.node()), pod.instance())
                .filter(instance -> instance.numbers().start() == pod.generation());
    }

    private Future<Boolean> end(Pod pod) {
        return bus.request(
                        WorkerAddresses.END_POD,
                        new EndPod(target.namespace(), pod.name(), pod.uid(), pod.isOver() ? 0 : graceSeconds))
                .map(reply -> reply instanceof EndReply.Ended)
                .otherwise(false);
    }

    /** Ends the holds of those instances of which the ledger has the pod's own reservation. */
    private Future<Void> handOver(List<Pod> pods) {
        var waiting = new HashMap<String, Map<String, Instance>>();
        var uids = new HashSet<String>();
        for (var pod : pods) {
            held(pod).ifPresent(instance -> {
                uids.add(instance.uid());
                if (!handedOver.contains(instance.uid())) {
                    waiting.computeIfAbsent(pod.node(), node -> new HashMap<>()).put(pod.uid(), instance);
                }
            });
        }
        handedOver.retainAll(uids);
        holdsLeft = !waiting.isEmpty();
        Future<Void> all = Future.succeededFuture();
        for (var node : waiting.entrySet()) {
            all = all.compose(before -> handOver(node.getKey(), node.getValue()));
        }
        return all;
    }

    private Future<Void> handOver(String node, Map<String, Instance> byPod) {
        return reserved(node).map(reserved -> {
            byPod.forEach((pod, instance) -> {
                if (reserved.contains(pod) && handedOver.add(instance.uid())) {
                    bus.publish(
                            ClusterAddresses.POD_GONE,
                            new PodGone(instance.uid(), node, instance.numbers().version()));
                }
            });
            return null;
        });
    }

    private void ordered(String node, SchedulerFrame frame) {
        switch (frame.getFCase()) {
            case ASSIGN -> inOrder(() -> assign(node, frame.getSeq(), frame.getAssign()));
            case STOP -> inOrder(() -> stop(node, frame.getSeq(), frame.getStop()));
            case INVENTORY -> listSoon();
            case RESIZE -> acknowledge(node, frame.getSeq(), false, "the size of a pod does not change");
            case WELCOME, DRAIN, HEARTBEAT_ACK, CERT, F_NOT_SET -> {
                // Nothing for a pod.
            }
        }
    }

    private void acknowledge(String name, long seq, boolean accepted, String reason) {
        Optional.ofNullable(nodes.get(name)).ifPresent(node -> {
            fleet.acknowledged(node.hello().worker(), node.session(), seq, accepted, reason, clock.get());
            sessions.apply();
        });
    }

    private Future<Void> assign(String node, long seq, Assign assign) {
        var open = fleet.orders(WorkerNames.worker(node)).stream()
                .filter(order -> order.seq() == seq)
                .findFirst();
        if (open.isEmpty()) {
            return Future.succeededFuture();
        }
        var unfit = PodObject.unfit(assign.getDefinition());
        if (unfit.isPresent()) {
            acknowledge(node, seq, false, unfit.get());
            return Future.succeededFuture();
        }
        var name = PodObject.name(assign.getInstanceId(), assign.getGeneration());
        return obstacle(node, assign.getInstanceId(), name)
                .compose(obstacle -> obstacle.map(reason -> {
                            acknowledge(node, seq, false, reason);
                            return Future.<Void>succeededFuture();
                        })
                        .orElseGet(
                                () -> create(node, seq, name, assign, open.get().amounts())));
    }

    /**
     * Why no pod is created. Where the ledger has lost the hold of the instance, with its state or while no scheduler
     * of workers ran, others may have the room. A pod that is there already has room of its own.
     */
    private Future<Optional<String>> obstacle(String node, String instance, String pod) {
        var uid = fleet.instanceOn(WorkerNames.worker(node), instance).map(Instance::uid);
        return reserved(node)
                .compose(reserved -> uid.filter(reserved::contains).isPresent()
                        ? Future.succeededFuture(true)
                        : pods().map(pods ->
                                pods.stream().anyMatch(one -> one.name().equals(pod))))
                .map(hasRoom ->
                        hasRoom ? Optional.<String>empty() : Optional.of("its room on the node is held no more"))
                .otherwise(lost -> Optional.of("its room could not be read: " + lost.getMessage()));
    }

    /** The uids of what has room on the node by its ledger. */
    private Future<Set<String>> reserved(String node) {
        return bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest(node))
                .map(snapshot -> snapshot.nodes().stream()
                        .flatMap(ledger -> ledger.reservations().stream())
                        .map(reservation -> reservation.pod())
                        .collect(Collectors.toSet()));
    }

    private Future<Void> create(String node, long seq, String name, Assign assign, Resources size) {
        var object = PodObject.of(
                assign.getDefinition(), assign.getInstanceId(), assign.getGeneration(), node, size, graceSeconds);
        return bus.request(WorkerAddresses.RUN_POD, new RunPod(target.namespace(), name, object.encode()))
                .onSuccess(reply -> {
                    switch (reply) {
                        case PodBinding.Bound _ -> acknowledge(node, seq, true, "");
                        case PodBinding.Refused(var reason) -> acknowledge(node, seq, false, reason);
                        // Without an acknowledgement it is stopped here before it starts elsewhere.
                        case PodBinding.InDoubt _, PodBinding.Unbound _, PodBinding.Gone _ -> {}
                    }
                    listSoon();
                })
                .mapEmpty();
    }

    /** All pods of the instance here end that are of that generation or an earlier one. */
    private Future<Void> stop(String node, long seq, Stop stop) {
        return pods().compose(pods -> {
            var ending = pods.stream()
                    .filter(pod -> pod.node().equals(node)
                            && pod.instance().equals(stop.getInstanceId())
                            && pod.generation() <= stop.getGeneration())
                    .toList();
            if (ending.isEmpty()) {
                acknowledge(node, seq, false, "there is no such pod");
                return Future.succeededFuture();
            }
            return Future.join(ending.stream().map(this::end).toList())
                    .onSuccess(all -> {
                        if (all.<Boolean>list().stream().allMatch(done -> done)) {
                            acknowledge(node, seq, true, "");
                        }
                        listSoon();
                    })
                    .mapEmpty();
        });
    }
}
