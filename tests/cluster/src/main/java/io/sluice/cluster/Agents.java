package io.sluice.cluster;

import io.sluice.messages.ledger.MemberBooks;
import io.sluice.messages.ledger.NodeBooks;
import io.sluice.units.Resources;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;

/** A strict agent for each VM of the fleet, all on one thread: what they know together is true at every instant. */
final class Agents implements AutoCloseable {
    private static final Duration PERIOD_MIN = Duration.ofMillis(200);
    private static final int PERIOD_SPREAD_MS = 100;
    private static final long LOOK_SECONDS_MAX = 20;
    private static final int DIFFERENCES_MAX = 10;

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final Random random;
    private final Fleet fleet;
    private final Gateways gateways;
    private final Truth truth;
    private final Window window;
    private final List<Asker> askers = new ArrayList<>();
    private volatile boolean closing;

    /** @param seed of what they wish, and when */
    Agents(Fleet fleet, List<Place> gatewaysAt, long seed) {
        this.fleet = fleet;
        random = new Random(seed);
        gateways = new Gateways(vertx, gatewaysAt);
        truth = new Truth(fleet);
        window = new Window(fleet.vms());
        for (int vm = 0; vm < fleet.vms(); vm++) {
            askers.add(new Asker(vm, this));
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

    /** The next size that a VM wants: whole units, of each kind as many as it happens. */
    Resources wish() {
        int cpu = 1 + random.nextInt(Fleet.UNITS_MAX);
        int memory = random.nextBoolean() ? cpu : 1 + random.nextInt(Fleet.UNITS_MAX);
        return new Resources(Fleet.UNIT.milliCpu() * cpu, Fleet.UNIT.memoryBytes() * memory);
    }

    /** From one question to the next. */
    Duration period() {
        return PERIOD_MIN.plusMillis(random.nextInt(PERIOD_SPREAD_MS));
    }

    void next(Asker asker, Duration pause) {
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

    boolean allTold() {
        return look(agents -> agents.askers.stream().allMatch(Asker::told));
    }

    /** What of the books is not what the agents know; at most some of it. */
    List<String> differences(List<NodeBooks> books) {
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

    private void compare(NodeBooks books, Consumer<String> found) {
        if (!books.complete() || books.invariantsBroken() > 0 || !books.total().equals(fleet.total())) {
            found.accept("%s: complete %s, %d invariants broken, total %s"
                    .formatted(books.node(), books.complete(), books.invariantsBroken(), Truth.text(books.total())));
        }
        if (books.members().size() != fleet.vmsPerNode()) {
            found.accept("%s has %d members, not %d"
                    .formatted(books.node(), books.members().size(), fleet.vmsPerNode()));
        }
        books.members().forEach(member -> compare(member, found));
    }

    private void compare(MemberBooks member, Consumer<String> found) {
        int vm = Integer.parseInt(member.name().substring("pod-".length()));
        var asker = askers.get(vm);
        boolean same = member.reserved().equals(truth.used(vm))
                && member.session() == asker.session()
                && member.seq() == asker.seq();
        if (!same) {
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
