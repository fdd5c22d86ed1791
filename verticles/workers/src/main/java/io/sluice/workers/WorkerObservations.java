package io.sluice.workers;

import io.sluice.bus.AgentAddresses;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import io.sluice.units.WorkerNames;
import io.sluice.workers.core.Instance;
import io.sluice.workers.core.InstanceState;
import io.sluice.workers.core.Worker;
import io.sluice.workers.core.WorkerFleet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Publishes workers as nodes and instances as VMs in pods, which is how the ledger and placement count them. The ledger
 * gets a full list of a node when it is new or has another size, whenever it requests one, and every now and then.
 */
final class WorkerObservations {
    private static final double MILLI = 1_000;
    private static final int LOADS_MAX = 5;

    /** Each worker is observed again this often, or less often in a fleet of many. */
    private static final int AGAIN_SECONDS = 30;

    private static final int EACH_SECOND_MAX = 200;

    /** For the choice of migration targets: no VM of Kubernetes can go there. */
    private static final String CLOSED = "outside Kubernetes";

    private final Bus bus;
    private final WorkerFleet fleet;
    private final Supplier<Instant> clock;
    private final Runnable loaded;
    private final Set<String> loading = new HashSet<>();
    private final Map<String, Resources> sizes = new HashMap<>();
    private final Deque<String> due = new ArrayDeque<>();
    private int eachSecond;
    private int seconds = AGAIN_SECONDS;
    private long lastVersion;

    /** @param loaded runs when the ledger has a worker's room and can give it away */
    WorkerObservations(Bus bus, WorkerFleet fleet, Supplier<Instant> clock, Runnable loaded) {
        this.bus = bus;
        this.loaded = loaded;
        this.fleet = fleet;
        this.clock = clock;
    }

    /** Versions grow, across restarts too if the wall clock does. */
    private long version() {
        lastVersion = Math.max(lastVersion + 1, clock.get().toEpochMilli());
        return lastVersion;
    }

    void everything() {
        sizes.clear();
        fleet.workers().forEach(this::node);
        waiting();
    }

    private void waiting() {
        fleet.instances().stream()
                .filter(instance -> instance.state() == InstanceState.PENDING)
                .forEach(this::pending);
    }

    /** Some of everything, called each second: what a message that was lost would have changed. */
    void some() {
        if (due.isEmpty() && seconds >= AGAIN_SECONDS) {
            seconds = 0;
            fleet.workers().forEach(worker -> due.add(worker.id()));
            eachSecond = Math.min(Math.ceilDiv(due.size(), AGAIN_SECONDS), EACH_SECOND_MAX);
            waiting();
        }
        seconds++;
        for (int i = 0; i < eachSecond && !due.isEmpty(); i++) {
            sizes.remove(due.element());
            fleet.worker(due.remove()).ifPresent(this::node);
        }
    }

    /** Nodes of Kubernetes, and the pods there, are observed by others. */
    void node(Worker worker) {
        if (WorkerNames.isKubernetes(worker.id())) {
            return;
        }
        if (!worker.state().holds()) {
            sizes.remove(worker.id());
            bus.publish(ClusterAddresses.NODE_GONE, new NodeGone(WorkerNames.node(worker.id()), version()));
            return;
        }
        bus.publish(ClusterAddresses.NODE_OBSERVED, observed(worker));
        fleet.instancesOn(worker.id()).forEach(this::bound);
        if (!worker.hello().capacity().equals(sizes.get(worker.id()))) {
            load(worker.id(), Optional.empty(), LOADS_MAX);
        } else if (worker.takesInstances()) {
            loaded.run();
        }
    }

    private NodeObserved observed(Worker worker) {
        return new NodeObserved(
                WorkerNames.node(worker.id()),
                version(),
                worker.hello().capacity(),
                CLOSED,
                List.of(),
                worker.takesInstances());
    }

    /** A list that names no number, or an old one, gets the reply with the number that the next list has to name. */
    private void load(String id, Optional<Long> named, int tries) {
        var worker = fleet.worker(id).filter(known -> known.state().holds());
        if (worker.isEmpty() || tries == 0 || !loading.add(id)) {
            return;
        }
        var node = observed(worker.get());
        var held = fleet.instancesOn(id);
        var list = new LoadNode(
                node,
                node.version(),
                held.stream().map(this::pod).toList(),
                held.stream().map(this::vm).toList(),
                named);
        bus.request(LedgerAddresses.LOAD_NODE, list).onComplete(replied -> {
            loading.remove(id);
            if (replied.failed()) {
                return;
            }
            replied.result().relist().ifPresentOrElse(number -> load(id, Optional.of(number), tries - 1), () -> {
                sizes.put(id, node.allocatable());
                loaded.run();
            });
        });
    }

    void pending(Instance instance) {
        bus.publish(ClusterAddresses.POD_PENDING, pod(instance));
    }

    void bound(Instance instance) {
        if (WorkerNames.isKubernetes(instance.worker())) {
            return;
        }
        bus.publish(ClusterAddresses.POD_OBSERVED, pod(instance));
        bus.publish(ClusterAddresses.VM_OBSERVED, vm(instance));
    }

    void gone(String uid, String worker, long version) {
        var id = WorkerNames.instance(uid);
        bus.publish(ClusterAddresses.POD_GONE, new PodGone(uid, WorkerNames.node(worker), version));
        bus.publish(ClusterAddresses.VM_GONE, new VmGone(vmId(id, uid), version));
    }

    private PodObserved pod(Instance instance) {
        boolean pending = instance.state() == InstanceState.PENDING;
        return new PodObserved(
                instance.uid(),
                WorkerNames.NAMESPACE,
                instance.id(),
                pending ? "" : WorkerNames.node(instance.worker()),
                instance.id(),
                instance.numbers().version(),
                fleet.room(instance),
                instance.status().since().getEpochSecond());
    }

    /** Placement and pressure count it as they count a VM's load. */
    void used(Instance instance, long milliCpu, long memoryBytes) {
        double load = milliCpu / MILLI;
        var basis = new GoalBasis(
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(load),
                Optional.of(load),
                Optional.of((double) memoryBytes),
                0,
                0);
        bus.publish(
                AgentAddresses.STATUS,
                new RunnerStatus(
                        vmId(instance.id(), instance.uid()),
                        WorkerNames.node(instance.worker()),
                        instance.uid(),
                        instance.granted(),
                        Optional.empty(),
                        Optional.of(instance.granted()),
                        Waiting.NOTHING,
                        Duration.ZERO,
                        basis,
                        "",
                        Optional.empty()));
    }

    private static VmId vmId(String instance, String uid) {
        return new VmId(WorkerNames.DRIVER, WorkerNames.NAMESPACE, instance, uid);
    }

    /** No agent scales it: its size changes by requests of controllers alone. */
    private VmObserved vm(Instance instance) {
        var size = fleet.room(instance);
        var most = fleet.worker(instance.worker())
                .map(worker -> worker.hello().capacity())
                .orElse(size)
                .max(size);
        var sizes = new VmSizes(Resources.NONE, most, size, Optional.of(size), 1);
        return new VmObserved(
                vmId(instance.id(), instance.uid()),
                instance.numbers().version(),
                instance.uid(),
                instance.id(),
                WorkerNames.node(instance.worker()),
                VmPhase.RUNNING,
                false,
                false,
                false,
                sizes,
                Overcommit.OFF,
                ScalingOverrides.NONE,
                Optional.empty(),
                Optional.empty(),
                "",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                VmTraits.NONE);
    }
}
