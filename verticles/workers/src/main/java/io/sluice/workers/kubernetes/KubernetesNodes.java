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
import io.sluice.messages.worker.EndPod;
import io.sluice.messages.worker.InstancePods.Pod;
import io.sluice.messages.worker.ListInstancePods;
import io.sluice.messages.worker.RunPod;
import io.sluice.shell.LogKeys;
import io.sluice.units.WorkerNames;
import io.sluice.workers.core.InstanceReport;
import io.sluice.workers.core.Order;
import io.sluice.workers.core.WorkerFleet;
import io.sluice.workers.core.WorkerHello;
import io.sluice.workers.kubernetes.core.PodAnswer;
import io.sluice.workers.kubernetes.core.PodRules;
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
 * stop it deletes that, and the list of pods is the inventory. {@link PodRules} decide. Requests follow one another, so
 * that no list is older than an order that was carried out. Used on one context.
 */
public final class KubernetesNodes {
    private static final Logger LOG = LoggerFactory.getLogger(KubernetesNodes.class);
    private static final int LIST_EVERY_TICKS = 15;
    private static final int NODES_AT_ONCE = 50;
    private static final long SOON_MS = 100;

    private final Vertx vertx;
    private final Bus bus;
    private final WorkerFleet fleet;
    private final Supplier<Instant> clock;
    private final PodRules rules;
    private final Sessions sessions;
    private final PodTarget target;
    private final int graceSeconds;
    private final Map<String, WorkerHello> observed = new HashMap<>();
    private final Map<String, Node> nodes = new HashMap<>();
    private final Set<String> due = new HashSet<>();
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
        this.rules = new PodRules(fleet);
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
            if (!renew(name, hello)) {
                register(name);
            }
        });
        sessions.apply();
        if (++ticks % LIST_EVERY_TICKS == 0 || holdsLeft) {
            listSoon();
        }
    }

    /** Renews the lease of a node; returns whether it is registered as it was last observed. */
    private boolean renew(String name, WorkerHello hello) {
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
        var hello = PodRules.hello(node);
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
                        var inventories = PodRules.inventories(listed.result());
                        names.forEach(one -> open(one, inventories.getOrDefault(one, List.of())));
                        sessions.apply();
                        sessions.roomCame();
                    }
                })
                .mapEmpty());
    }

    private void open(String name, List<InstanceReport> inventory) {
        Optional.ofNullable(observed.get(name)).ifPresent(hello -> {
            long session = sessions.open(hello.worker(), frame -> ordered(name, frame));
            nodes.put(name, new Node(session, hello));
            fleet.opened(hello.with(inventory), session, clock.get());
        });
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
        var inventories = PodRules.inventories(pods);
        nodes.forEach((name, node) -> fleet.inventory(
                node.hello().worker(), node.session(), inventories.getOrDefault(name, List.of()), clock.get()));
        sessions.apply();
        // The end of a pod is known to the fleet by now.
        rules.over(pods).forEach(this::end);
        return handOver(pods);
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
        var holding = List.copyOf(rules.holding(pods));
        holdsLeft = !holding.isEmpty();
        Future<Void> all = Future.succeededFuture();
        for (int from = 0; from < holding.size(); from += NODES_AT_ONCE) {
            var some = holding.subList(from, Math.min(from + NODES_AT_ONCE, holding.size()));
            all = all.compose(before -> handOver(some, pods));
        }
        return all;
    }

    /** A node that cannot be read keeps its holds. Where none can be, the ledger is away: orders do not wait for it. */
    private Future<Void> handOver(List<String> some, List<Pod> pods) {
        var read = some.stream()
                .map(node -> reserved(node).onSuccess(reserved -> released(node, pods, reserved)))
                .toList();
        return Future.join(read)
                .transform(all -> read.stream().anyMatch(Future::succeeded)
                        ? Future.succeededFuture()
                        : Future.failedFuture(all.cause()));
    }

    private void released(String node, List<Pod> pods, Set<String> reserved) {
        rules.released(node, pods, reserved)
                .forEach(instance -> bus.publish(
                        ClusterAddresses.POD_GONE,
                        new PodGone(instance.uid(), node, instance.numbers().version())));
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
        var open = rules.open(node, seq);
        if (open.isEmpty()) {
            return Future.succeededFuture();
        }
        var unfit = PodObject.unfit(assign.getDefinition());
        var answer = unfit.isPresent()
                ? Future.<PodAnswer>succeededFuture(new PodAnswer.Refuse(unfit.get()))
                : start(node, open.get())
                        .otherwise(lost -> new PodAnswer.Refuse("its room could not be read: " + lost.getMessage()));
        return answer.compose(decided -> carryOut(node, seq, decided, assign.getDefinition()));
    }

    private Future<PodAnswer> start(String node, Order order) {
        return reserved(node).compose(reserved -> {
            var atOnce = rules.start(node, order, reserved, Optional.empty());
            return atOnce instanceof PodAnswer.ListPods
                    ? pods().map(pods -> rules.start(node, order, reserved, Optional.of(pods)))
                    : Future.succeededFuture(atOnce);
        });
    }

    private Future<Void> carryOut(String node, long seq, PodAnswer answer, String definition) {
        return switch (answer) {
            case PodAnswer.Create(var order) -> create(node, order, definition);
            case PodAnswer.End(var pods) -> end(node, seq, pods);
            case PodAnswer.Refuse(var reason) -> {
                acknowledge(node, seq, false, reason);
                yield Future.succeededFuture();
            }
            case PodAnswer.ListPods _ -> throw new IllegalStateException("the pods are listed");
        };
    }

    /** The uids of what has room on the node by its ledger. */
    private Future<Set<String>> reserved(String node) {
        return bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest(node))
                .map(snapshot -> snapshot.nodes().stream()
                        .flatMap(ledger -> ledger.reservations().stream())
                        .map(reservation -> reservation.pod())
                        .collect(Collectors.toSet()));
    }

    private Future<Void> create(String node, Order order, String definition) {
        var name = PodRules.name(order.instance(), order.generation());
        var object =
                PodObject.of(definition, order.instance(), order.generation(), node, order.amounts(), graceSeconds);
        return bus.request(WorkerAddresses.RUN_POD, new RunPod(target.namespace(), name, object.encode()))
                .onSuccess(reply -> {
                    PodRules.acknowledgement(reply)
                            .ifPresent(known -> acknowledge(node, order.seq(), known.accepted(), known.reason()));
                    listSoon();
                })
                .mapEmpty();
    }

    private Future<Void> stop(String node, long seq, Stop stop) {
        return pods().compose(pods ->
                carryOut(node, seq, PodRules.stop(node, stop.getInstanceId(), stop.getGeneration(), pods), ""));
    }

    private Future<Void> end(String node, long seq, List<Pod> pods) {
        return Future.join(pods.stream().map(this::end).toList())
                .onSuccess(all -> {
                    if (all.<Boolean>list().stream().allMatch(done -> done)) {
                        acknowledge(node, seq, true, "");
                    }
                    listSoon();
                })
                .mapEmpty();
    }
}
