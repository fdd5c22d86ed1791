package io.sluice.workers.kubernetes;

import static org.awaitility.Awaitility.await;

import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.WorkerAddresses;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.ledger.AgentContact;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReservationTraits;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.worker.InstancePods;
import io.sluice.units.Resources;
import io.sluice.workers.core.FleetTiming;
import io.sluice.workers.core.InstanceSpec;
import io.sluice.workers.core.WorkerFleet;
import io.sluice.workers.kubernetes.core.PodRules;
import io.sluice.workers.v1.SchedulerFrame;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: nodes do not wait for one another. Method: two nodes with a pod each, and a ledger that replies for one. */
@ExtendWith(VertxExtension.class)
class KubernetesNodesTest {
    private static final Instant NOW = Instant.parse("2026-11-27T00:00:00Z");
    private static final Duration WITHIN = Duration.ofSeconds(20);
    private static final Duration TIME = Duration.ofSeconds(30);
    private static final Resources SIZE = new Resources(1_000, 1L << 30);
    private static final List<String> NODES = List.of("node-a", "node-b");

    private final WorkerFleet fleet = new WorkerFleet(new FleetTiming(TIME, TIME, TIME, TIME, TIME, TIME), 10, 10);
    private final AtomicLong sessions = new AtomicLong();

    private final KubernetesNodes.Sessions opened = new KubernetesNodes.Sessions() {
        @Override
        public long open(String worker, Consumer<SchedulerFrame> orders) {
            return sessions.incrementAndGet();
        }

        @Override
        public void apply() {
            fleet.step();
        }

        @Override
        public void roomCame() {
            // All is placed.
        }
    };

    private static NodeObserved observed(String node) {
        return new NodeObserved(node, 1, new Resources(4_000, 8L << 30), "", List.of(), true);
    }

    /** Binds an instance of the node's name to it; returns its pod. */
    private InstancePods.Pod bind(String node) {
        fleet.opened(PodRules.hello(observed(node)), sessions.incrementAndGet(), NOW);
        fleet.submit(
                new InstanceSpec(
                        "work",
                        node,
                        "{\"kind\":\"Pod\"}",
                        PodRules.KIND,
                        SIZE,
                        false,
                        InstanceSpec.Restart.ON_FAILURE,
                        Map.of(),
                        InstanceSpec.Gang.NONE,
                        InstanceSpec.Target.KUBERNETES),
                NOW);
        fleet.place(1, NOW);
        var instance = fleet.instance(node).orElseThrow();
        fleet.bind(instance.uid(), instance.numbers().version(), node, NOW);
        fleet.step();
        long start = fleet.instance(node).orElseThrow().numbers().start();
        return new InstancePods.Pod(
                PodRules.name(node, start), "uid-" + node, node, node, start, InstancePods.Phase.RUNNING, "", 0);
    }

    /** The node's ledger has the pod's own reservation. */
    private static Snapshot ledger(String node) {
        var none = Resources.NONE;
        var reservation = new ReservationView(
                "uid-" + node,
                "default",
                node,
                "",
                SIZE,
                SIZE,
                none,
                none,
                SIZE,
                false,
                AgentContact.REQUESTED,
                0,
                0,
                ReservationTraits.NONE);
        return new Snapshot(List.of(new NodeLedgerView(
                node,
                true,
                new Resources(4_000, 8L << 30),
                none,
                SIZE,
                SIZE,
                none,
                none,
                none,
                none,
                none,
                false,
                0,
                List.of(reservation))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"node-a", "node-b"})
    void aNodeWithoutAReplyOfTheLedgerKeepsItsHoldAndNoOthers(String unread, Vertx vertx) {
        var pods = NODES.stream().map(this::bind).toList();
        var uids = new HashMap<String, String>();
        NODES.forEach(node -> uids.put(node, fleet.instance(node).orElseThrow().uid()));
        var bus = new Bus(vertx);
        Set<String> failing = ConcurrentHashMap.newKeySet();
        failing.add(unread);
        Set<String> released = ConcurrentHashMap.newKeySet();
        bus.serve(WorkerAddresses.PODS, list -> Future.succeededFuture(new InstancePods(pods, "")))
                .await();
        bus.serve(
                        LedgerAddresses.SNAPSHOT,
                        request -> failing.contains(request.node())
                                ? Future.failedFuture("it is away")
                                : Future.succeededFuture(ledger(request.node())))
                .await();
        bus.subscribe(ClusterAddresses.POD_GONE, (PodGone gone) -> released.add(gone.uid()))
                .await();
        var nodes = new KubernetesNodes(vertx, bus, fleet, () -> NOW, opened, new PodTarget(true, "default"), 10);
        var context = vertx.getOrCreateContext();
        Future.future(started ->
                        context.runOnContext(run -> nodes.start().mapEmpty().onComplete(started)))
                .await();

        NODES.forEach(node -> bus.publish(ClusterAddresses.NODE_OBSERVED, observed(node)));
        await().atMost(WITHIN).until(() -> sessions.get() == 2L * NODES.size());
        // No instance: the pods are listed soon.
        bus.publish(ClusterAddresses.POD_GONE, new PodGone("other", NODES.getFirst(), 1));
        var other =
                NODES.stream().filter(node -> !node.equals(unread)).findFirst().orElseThrow();
        await().atMost(WITHIN).until(() -> released.equals(Set.of("other", uids.get(other))));

        failing.clear();
        context.runOnContext(run -> nodes.tick());
        await().atMost(WITHIN).until(() -> released.equals(Set.of("other", uids.get(unread), uids.get(other))));
    }
}
