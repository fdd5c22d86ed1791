package io.sluice.cluster.fleet;

import io.sluice.cluster.process.Place;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.units.Resources;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * An agent for each VM of the fleet, all on one thread, so that their combined state is consistent at every instant.
 */
public final class Agents implements AutoCloseable {
    private static final Duration PERIOD_MIN = Duration.ofMillis(200);
    private static final int PERIOD_SPREAD_MS = 100;
    private static final long LOOK_SECONDS_MAX = 20;
    private static final int DIFFERENCES_MAX = 10;

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final Random random;
    private final Fleet fleet;
    private final Inventory inventory;
    private final Gateways gateways;
    private final Truth truth;
    private final Window window;
    private final List<PermitClient> askers = new ArrayList<>();
    private volatile boolean closing;

    /** @param seed seed of the sizes that they request, and of the times */
    public Agents(Fleet fleet, Inventory inventory, List<Place> gatewaysAt, long seed) {
        this.fleet = fleet;
        this.inventory = inventory;
        random = new Random(seed);
        gateways = new Gateways(vertx, gatewaysAt);
        truth = new Truth(fleet, inventory::resized);
        window = new Window(fleet.vms());
        for (int vm = 0; vm < fleet.vms(); vm++) {
            askers.add(new PermitClient(vm, this));
        }
    }

    /** Starts the requests. */
    public void start() {
        look(agents -> {
            agents.askers.forEach(client -> agents.next(client, agents.period()));
            return true;
        });
    }

    public Fleet fleet() {
        return fleet;
    }

    Gateways gateways() {
        return gateways;
    }

    public Truth truth() {
        return truth;
    }

    public Window window() {
        return window;
    }

    Random random() {
        return random;
    }

    /**
     * The next size that a VM requests: a random number of whole units of CPU and of memory; few while its node is
     * calm.
     */
    Resources desired(int vm) {
        int most = fleet.isCalm(truth.nodeOf(vm), System.nanoTime()) ? Fleet.CALM_UNITS_MAX : Fleet.UNITS_MAX;
        int cpu = 1 + random.nextInt(most);
        int memory = random.nextBoolean() ? cpu : 1 + random.nextInt(most);
        return new Resources(Fleet.UNIT.milliCpu() * cpu, Fleet.UNIT.memoryBytes() * memory);
    }

    /** The time from one request to the next. */
    Duration period() {
        return PERIOD_MIN.plusMillis(random.nextInt(PERIOD_SPREAD_MS));
    }

    void next(PermitClient client, Duration pause) {
        if (!closing) {
            vertx.setTimer(pause.toMillis(), timer -> client.turn());
        }
    }

    /** From now on each agent reports what its VM uses, once. */
    public void settle() {
        look(agents -> {
            agents.askers.forEach(client -> client.settle(true));
            return true;
        });
    }

    /** The agents request sizes again. */
    public void resume() {
        look(agents -> {
            agents.window.resume();
            agents.askers.forEach(client -> client.settle(false));
            return true;
        });
    }

    /** Moves a VM to another node, into the hold of that name. */
    void move(int vm, int node, String room, String pod) {
        look(agents -> {
            truth.moved(vm, node, room);
            agents.askers.get(vm).moved(pod);
            return true;
        });
    }

    /** Permits for the VM's new pod can be requested from now on. */
    void arrived(int vm) {
        look(agents -> {
            agents.askers.get(vm).arrived();
            return true;
        });
    }

    public boolean allReported() {
        return look(agents -> agents.askers.stream().allMatch(PermitClient::reported));
    }

    /** The differences between the ledger state and what the agents have; at most some of them. */
    public List<String> differences(List<NodeLedgerView> ledger) {
        return look(agents -> {
            var found = new ArrayList<String>();
            if (ledger.size() != fleet.nodes()) {
                found.add(ledger.size() + " nodes have ledger state, and there are " + fleet.nodes());
            }
            for (var node : ledger) {
                compare(node, found::add);
            }
            return found.stream().limit(DIFFERENCES_MAX).toList();
        });
    }

    private void compare(NodeLedgerView ledger, Consumer<String> found) {
        if (!ledger.complete()
                || ledger.invariantsBroken() > 0
                || !ledger.total().equals(fleet.total())) {
            found.accept("%s: complete %s, %d invariants broken, total %s"
                    .formatted(
                            ledger.node(), ledger.complete(), ledger.invariantsBroken(), Truth.text(ledger.total())));
        }
        var pods = new HashMap<String, PodObserved>();
        inventory.podsOn(fleet.numberOf(ledger.node())).forEach(pod -> pods.put(pod.uid(), pod));
        for (var reservation : ledger.reservations()) {
            var pod = pods.remove(reservation.pod());
            if (pod == null) {
                found.accept(reservation.name() + " has " + Truth.text(reservation.reserved()) + " of " + ledger.node()
                        + " and does not exist");
            } else if (pod.runsVm()) {
                inventory.vmIn(pod.uid()).ifPresent(vm -> compare(vm, reservation, found));
            } else if (!reservation.reserved().equals(pod.amounts())) {
                found.accept(reservation.name() + " is reserved at " + Truth.text(reservation.reserved())
                        + ", and is a pod of " + Truth.text(pod.amounts()));
            }
        }
        pods.keySet().forEach(missing -> found.accept(missing + " has no reservation on " + ledger.node()));
    }

    private void compare(int vm, ReservationView reservation, Consumer<String> found) {
        var client = askers.get(vm);
        boolean spoken = client.kind() == AgentKind.REFERENCE
                || reservation.session() == client.session() && reservation.seq() == client.seq();
        // An agent that reports no exposure leaves a buffer, until its VM is observed to use less.
        var permitted = client.kind() == AgentKind.REFERENCE
                ? reservation.reserved().minus(reservation.buffer())
                : reservation.reserved();
        if (!spoken || !permitted.equals(truth.used(vm))) {
            found.accept("%s is reserved at %s by %d/%d, and its agent has %s by %d/%d"
                    .formatted(
                            reservation.name(),
                            Truth.text(reservation.reserved()),
                            reservation.session(),
                            reservation.seq(),
                            Truth.text(truth.used(vm)),
                            client.session(),
                            client.seq()));
        }
    }

    /** Runs a function on the agents' own thread and returns its result. */
    public <T> T look(Function<Agents, T> view) {
        var observed = new CompletableFuture<T>();
        context.runOnContext(turn -> {
            try {
                observed.complete(view.apply(this));
            } catch (RuntimeException thrown) {
                observed.completeExceptionally(thrown);
            }
        });
        try {
            return observed.get(LOOK_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException failed) {
            throw new IllegalStateException("the agents could not be inspected", failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }

    @Override
    public void close() {
        closing = true;
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
