package io.sluice.cluster;

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

/** An agent for each VM of the fleet, all on one thread: what they know together is true at every instant. */
final class Agents implements AutoCloseable {
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

    /** @param seed of what they wish, and when */
    Agents(Fleet fleet, Inventory inventory, List<Place> gatewaysAt, long seed) {
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

    /** They begin to ask. */
    void start() {
        look(agents -> {
            agents.askers.forEach(asker -> agents.next(asker, agents.period()));
            return true;
        });
    }

    Fleet fleet() {
        return fleet;
    }

    Gateways gateways() {
        return gateways;
    }

    Truth truth() {
        return truth;
    }

    Window window() {
        return window;
    }

    Random random() {
        return random;
    }

    /** The next size that a VM wants: whole units, of each kind as many as it happens; few while its node is calm. */
    Resources wish(int vm) {
        int most = fleet.isCalm(truth.nodeOf(vm), System.nanoTime()) ? Fleet.CALM_UNITS_MAX : Fleet.UNITS_MAX;
        int cpu = 1 + random.nextInt(most);
        int memory = random.nextBoolean() ? cpu : 1 + random.nextInt(most);
        return new Resources(Fleet.UNIT.milliCpu() * cpu, Fleet.UNIT.memoryBytes() * memory);
    }

    /** From one question to the next. */
    Duration period() {
        return PERIOD_MIN.plusMillis(random.nextInt(PERIOD_SPREAD_MS));
    }

    void next(PermitClient asker, Duration pause) {
        if (!closing) {
            vertx.setTimer(pause.toMillis(), timer -> asker.turn());
        }
    }

    /** From now on each tells what its VM uses, once. */
    void settle() {
        look(agents -> {
            agents.askers.forEach(asker -> asker.settle(true));
            return true;
        });
    }

    /** They go on wishing. */
    void resume() {
        look(agents -> {
            agents.window.resume();
            agents.askers.forEach(asker -> asker.settle(false));
            return true;
        });
    }

    /** A VM runs on another node from now on, in the room that was held there under that name. */
    void move(int vm, int node, String room, String pod) {
        look(agents -> {
            truth.moved(vm, node, room);
            agents.askers.get(vm).moved(pod);
            return true;
        });
    }

    /** Its new pod can be asked for. */
    void arrived(int vm) {
        look(agents -> {
            agents.askers.get(vm).arrived();
            return true;
        });
    }

    boolean allTold() {
        return look(agents -> agents.askers.stream().allMatch(PermitClient::told));
    }

    /** What of the books is not what the agents know; at most some of it. */
    List<String> differences(List<NodeLedgerView> books) {
        return look(agents -> {
            var found = new ArrayList<String>();
            if (books.size() != fleet.nodes()) {
                found.add(books.size() + " nodes have books, and there are " + fleet.nodes());
            }
            for (var node : books) {
                compare(node, found::add);
            }
            return found.stream().limit(DIFFERENCES_MAX).toList();
        });
    }

    private void compare(NodeLedgerView books, Consumer<String> found) {
        if (!books.complete() || books.invariantsBroken() > 0 || !books.total().equals(fleet.total())) {
            found.accept("%s: complete %s, %d invariants broken, total %s"
                    .formatted(books.node(), books.complete(), books.invariantsBroken(), Truth.text(books.total())));
        }
        var pods = new HashMap<String, PodObserved>();
        inventory.podsOn(fleet.numberOf(books.node())).forEach(pod -> pods.put(pod.uid(), pod));
        for (var member : books.members()) {
            var pod = pods.remove(member.member());
            if (pod == null) {
                found.accept(member.name() + " has " + Truth.text(member.reserved()) + " of " + books.node()
                        + " and is not there");
            } else if (pod.runsVm()) {
                inventory.vmIn(pod.uid()).ifPresent(vm -> compare(vm, member, found));
            } else if (!member.reserved().equals(pod.amounts())) {
                found.accept(member.name() + " is booked at " + Truth.text(member.reserved()) + ", and is a pod of "
                        + Truth.text(pod.amounts()));
            }
        }
        pods.keySet().forEach(missing -> found.accept(missing + " is not in the books of " + books.node()));
    }

    private void compare(int vm, ReservationView member, Consumer<String> found) {
        var asker = askers.get(vm);
        boolean spoken = asker.kind() == AgentKind.REFERENCE
                || member.session() == asker.session() && member.seq() == asker.seq();
        // An agent that reports no exposure leaves a buffer, until its VM is observed to use less.
        var permitted =
                asker.kind() == AgentKind.REFERENCE ? member.reserved().minus(member.buffer()) : member.reserved();
        if (!spoken || !permitted.equals(truth.used(vm))) {
            found.accept("%s is booked at %s by %d/%d, and its agent knows %s by %d/%d"
                    .formatted(
                            member.name(),
                            Truth.text(member.reserved()),
                            member.session(),
                            member.seq(),
                            Truth.text(truth.used(vm)),
                            asker.session(),
                            asker.seq()));
        }
    }

    /** Looks at them, or tells them something, on their own thread. */
    <T> T look(Function<Agents, T> sight) {
        var seen = new CompletableFuture<T>();
        context.runOnContext(turn -> {
            try {
                seen.complete(sight.apply(this));
            } catch (RuntimeException thrown) {
                seen.completeExceptionally(thrown);
            }
        });
        try {
            return seen.get(LOOK_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException failed) {
            throw new IllegalStateException("the agents could not be looked at", failed);
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
