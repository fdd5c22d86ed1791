package io.sluice.cluster.fleet;

import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.RequestAddress;
import io.sluice.devices.GpuRequest;
import io.sluice.devices.GpuShare;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * What the Kubernetes scheduler and migrations do while agents send requests: room is held and released; pods start in
 * held room, and end; VMs migrate into room that was held for them, or their migration is cancelled. Observations have
 * no confirmation, so they are published more than once. Where ledger state is lost, holds without a pod are given up
 * with it.
 */
public final class Workload implements AutoCloseable {
    private static final int MIGRATIONS_AT_ONCE = 2;
    private static final int PODS_AT_ONCE = 2;
    private static final int PAUSE_MIN_MS = 200;
    private static final int PAUSE_SPREAD_MS = 600;
    private static final int LIFE_MIN_MS = 700;
    private static final int LIFE_SPREAD_MS = 1_500;
    private static final int POD_UNITS_MAX = 4;
    private static final int LEAVES_ONE_IN = 4;
    private static final Duration HOLD_TTL = Duration.ofMinutes(2);
    private static final Duration AGAIN = Duration.ofMillis(200);
    private static final Duration KNOWN = Duration.ofMillis(100);
    private static final long INSIST_NANOS_MAX = Duration.ofSeconds(25).toNanos();

    private final Fleet fleet;
    private final Inventory inventory;
    private final Observer observer;
    private final Agents agents;
    private final long seed;
    private final boolean migrating;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong names = new AtomicLong();
    private final Map<Integer, Boolean> moving = new ConcurrentHashMap<>();
    private final Map<String, Integer> done = new TreeMap<>();
    private boolean working;
    private boolean closing;
    private long losses;
    private int busy;

    /** @param migrating whether VMs migrate, too */
    public Workload(Fleet fleet, Inventory inventory, Observer observer, Agents agents, boolean migrating, long seed) {
        this.fleet = fleet;
        this.inventory = inventory;
        this.observer = observer;
        this.agents = agents;
        this.migrating = migrating;
        this.seed = seed;
    }

    /** One piece of work, with the number of losses of state at its start. */
    @FunctionalInterface
    private interface Job {
        void run(Random random, long loss) throws InterruptedException;
    }

    public void start() {
        for (int i = 0; migrating && i < MIGRATIONS_AT_ONCE; i++) {
            start(this::migrate);
        }
        for (int i = 0; i < PODS_AT_ONCE; i++) {
            start(this::placePod);
        }
    }

    private void start(Job job) {
        var random = new Random(seed + threads.size());
        threads.add(Thread.ofVirtual().start(() -> repeat(job, random)));
    }

    private void repeat(Job job, Random random) {
        try {
            while (true) {
                Thread.sleep(PAUSE_MIN_MS + random.nextInt(PAUSE_SPREAD_MS));
                long loss = begin();
                try {
                    job.run(random, loss);
                } finally {
                    ended();
                }
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized long begin() throws InterruptedException {
        while (!working) {
            wait();
        }
        busy++;
        return losses;
    }

    private synchronized void ended() {
        busy--;
    }

    /** From now on it begins new work. */
    public synchronized void work() {
        working = true;
        notifyAll();
    }

    /** It begins nothing more; what is under way ends some time later. */
    public synchronized void rest() {
        working = false;
    }

    /** Whether nothing is under way. */
    public synchronized boolean isAtRest() {
        return !working && busy == 0;
    }

    /**
     * Completes the observations: all patches are observed, and the ends of all pods are published once more. The
     * ledger drops a pod that was bound and never observed only by its end, and a fault may have lost that.
     */
    public void complete() {
        inventory.patched();
        inventory.ended().forEach(gone -> observer.publish(ClusterAddresses.POD_GONE, gone));
    }

    /** Ledger state may be lost from now on, until {@link #work}: holds without a pod do not count any more. */
    public synchronized void stateLost() {
        rest();
        losses++;
        agents.look(all -> {
            all.truth().stateLost();
            return true;
        });
        inventory.targets().forEach(target -> inventory.gone(target.uid(), fleet.numberOf(target.node())));
    }

    /** Number of each kind of work since the last call. */
    public synchronized Map<String, Integer> takeDone() {
        var taken = Map.copyOf(done);
        done.clear();
        return taken;
    }

    /** A step that counts only if no state was lost since that work began; returns whether it was done. */
    private synchronized boolean step(long loss, String what, Runnable change) {
        boolean stands = loss == losses && !closing;
        if (stands) {
            change.run();
            done.merge(what, 1, Integer::sum);
        }
        return stands;
    }

    private boolean truth(long loss, String what, Consumer<Truth> change) {
        return step(
                loss,
                what,
                () -> agents.look(all -> {
                    change.accept(all.truth());
                    return true;
                }));
    }

    private void placePod(Random random, long loss) throws InterruptedException {
        int node = calmNode(random);
        var amounts = Fleet.UNIT.times(1 + random.nextInt(POD_UNITS_MAX));
        var name = "work-" + names.incrementAndGet();
        var gpus = holds(loss, node, name, "", amounts, gpus(random));
        if (gpus.isEmpty()) {
            return;
        }
        pause(random);
        boolean binds = random.nextInt(LEAVES_ONE_IN) > 0;
        boolean bound = binds
                && truth(loss, "pod", truth -> {
                    inventory.bound(name, node, amounts, gpus.get());
                    truth.bound(node, name);
                });
        if (bound) {
            inventory.pod(name).ifPresent(pod -> observer.publish(ClusterAddresses.POD_OBSERVED, pod));
            pause(random);
            pause(random);
        }
        free(node, name);
        if (binds) {
            // The ledger drops an observed pod only at its end.
            bury(node, name);
        }
        insist(LedgerAddresses.RELEASE, new ReleaseHold(fleet.nodeName(node), name, name));
    }

    private void free(int node, String name) {
        agents.look(all -> {
            all.truth().free(node, name);
            return true;
        });
    }

    /** Publishes the end of a pod, twice, as there is no confirmation. */
    private void bury(int node, String uid) throws InterruptedException {
        var gone = inventory.gone(uid, node);
        observer.publish(ClusterAddresses.POD_GONE, gone);
        Thread.sleep(AGAIN);
        observer.publish(ClusterAddresses.POD_GONE, gone);
    }

    /** Nothing, a share of a GPU or a whole one. */
    private static List<GpuRequest> gpus(Random random) {
        var each = random.nextInt(4) == 0
                ? GpuRequest.Amounts.WHOLE
                : GpuRequest.Amounts.share(1 + random.nextInt((int) Fleet.GPU_MIB), 1);
        return random.nextBoolean() ? List.of() : List.of(new GpuRequest(0, "work", 1, each, GpuRequest.Selector.ANY));
    }

    /**
     * Requests a hold; in doubt it counts as not held. What is not held is released in any case: the ledger may run a
     * command twice, so room may be held after a refusal.
     *
     * @return the GPUs that the ledger has chosen; empty where nothing is held
     */
    private Optional<List<GpuShare>> holds(
            long loss, int node, String name, String vmName, Resources amounts, List<GpuRequest> gpus)
            throws InterruptedException {
        var state = knownState(node);
        if (state.isEmpty()) {
            return Optional.empty();
        }
        var request = new HoldRoom(
                fleet.nodeName(node),
                name,
                Fleet.NAMESPACE,
                name,
                vmName,
                amounts,
                Overcommit.OFF,
                HOLD_TTL,
                name,
                FixedAmounts.NONE,
                gpus,
                0,
                state);
        var reply = request(LedgerAddresses.HOLD, request);
        if (reply.isPresent()
                && reply.get() instanceof HoldReply.Held held
                && truth(
                        loss,
                        "hold",
                        truth -> truth.held(node, name, amounts, held.gpus().shares()))) {
            return Optional.of(held.gpus().shares());
        }
        insist(LedgerAddresses.RELEASE, new ReleaseHold(fleet.nodeName(node), name, name));
        return Optional.empty();
    }

    /** As Sluice's own senders do, it requests room only of a ledger whose state it knows. */
    private Optional<Instant> knownState(int node) {
        return request(LedgerAddresses.SNAPSHOT, new SnapshotRequest(fleet.nodeName(node)))
                .flatMap(snapshot -> snapshot.nodes().stream().findFirst())
                .flatMap(NodeLedgerView::completedAt);
    }

    private void migrate(Random random, long loss) throws InterruptedException {
        int to = calmNode(random);
        int vm = random.nextInt(fleet.vms());
        int from = agents.look(all -> all.truth().nodeOf(vm));
        if (from == to || inventory.vmsOn(to).size() > fleet.vmsPerNodeMax() || moving.putIfAbsent(vm, true) != null) {
            return;
        }
        try {
            var migration = "migration-" + names.incrementAndGet();
            var holder = HoldRoom.forMigration(Fleet.NAMESPACE, migration);
            var room = agents.look(all -> all.truth().used(vm)).plus(Fleet.UNIT);
            if (holds(loss, to, holder, fleet.vmName(vm), room, List.of()).isPresent()) {
                migrate(random, loss, new Move(vm, inventory.podUid(vm), from, to, migration, holder, room));
            }
        } finally {
            moving.remove(vm);
        }
    }

    /**
     * A migration of a VM.
     *
     * @param holder the name of the hold, and the id of the attempt: both are used once
     */
    private record Move(int vm, String source, int from, int to, String migration, String holder, Resources room) {}

    private void migrate(Random random, long loss, Move move) throws InterruptedException {
        var mark = new MarkMigrating(
                fleet.nodeName(move.from()), move.source(), MarkMigrating.Cause.PRESSURE, move.room(), move.holder());
        var marked = request(LedgerAddresses.MARK, mark)
                .filter(MarkReply.Marked.class::isInstance)
                .map(MarkReply.Marked.class::cast);
        Optional<PodObserved> target = Optional.empty();
        if (marked.isPresent() && truth(loss, "mark", truth -> truth.marked(move.vm()))) {
            target = target(random, loss, move, marked.get().reserved());
        }
        boolean leaves = target.isPresent() && random.nextInt(LEAVES_ONE_IN) > 0;
        if (!leaves || !land(loss, move, target.get())) {
            cancel(move, target);
        }
    }

    /** The target exists for a while, and is published more than once. */
    private Optional<PodObserved> target(Random random, long loss, Move move, Resources reserved)
            throws InterruptedException {
        var name = fleet.podName(move.vm()) + "-" + names.incrementAndGet();
        boolean made =
                step(loss, "target", () -> inventory.target(move.vm(), name, move.to(), move.migration(), reserved));
        var target = made ? inventory.pod(name) : Optional.<PodObserved>empty();
        if (target.isPresent()) {
            observer.publish(ClusterAddresses.POD_OBSERVED, target.get());
            pause(random);
            observer.publish(ClusterAddresses.POD_OBSERVED, target.get());
        }
        return target;
    }

    /** Publishes the source's end, the target's own observation and the VM's in any order. */
    private boolean land(long loss, Move move, PodObserved target) throws InterruptedException {
        boolean moved = step(loss, "migration", () -> {
            agents.move(move.vm(), move.to(), move.holder(), target.name());
            inventory.landed(move.vm(), target);
        });
        if (moved) {
            report(move);
            Thread.sleep(KNOWN);
            agents.arrived(move.vm());
            Thread.sleep(AGAIN);
            report(move);
        }
        return moved;
    }

    private void report(Move move) {
        observer.publish(ClusterAddresses.POD_GONE, inventory.gone(move.source(), move.from()));
        observer.publish(ClusterAddresses.VM_OBSERVED, inventory.observed(move.vm()));
        observer.publish(ClusterAddresses.POD_OBSERVED, inventory.podOf(move.vm()));
    }

    private void cancel(Move move, Optional<PodObserved> target) throws InterruptedException {
        agents.look(all -> {
            all.truth().free(move.to(), move.holder());
            all.truth().unmarked(move.vm());
            return true;
        });
        if (target.isPresent()) {
            bury(move.to(), target.get().uid());
        }
        insist(LedgerAddresses.UNMARK, new UnmarkMigrating(fleet.nodeName(move.from()), move.source(), move.holder()));
        insist(LedgerAddresses.RELEASE, new ReleaseHold(fleet.nodeName(move.to()), move.holder(), move.holder()));
    }

    private int calmNode(Random random) {
        int node = random.nextInt(fleet.nodes());
        for (int tried = 0; tried < fleet.nodes() && !fleet.isCalm(node, System.nanoTime()); tried++) {
            node = (node + 1) % fleet.nodes();
        }
        return node;
    }

    private void pause(Random random) throws InterruptedException {
        Thread.sleep(LIFE_MIN_MS + random.nextInt(LIFE_SPREAD_MS));
    }

    private <Q, A> Optional<A> request(RequestAddress<Q, A> address, Q request) {
        return observer.request(address, request);
    }

    /** Repeats a request until it has a reply, or none can be expected. */
    private <Q, A> void insist(RequestAddress<Q, A> address, Q request) throws InterruptedException {
        long begun = System.nanoTime();
        while (request(address, request).isEmpty() && System.nanoTime() - begun < INSIST_NANOS_MAX) {
            Thread.sleep(AGAIN);
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closing = true;
        }
        threads.forEach(Thread::interrupt);
    }
}
