package io.sluice.simulation.workers;

import io.sluice.ledger.core.InvariantChecks;
import io.sluice.ledger.core.LastPermitTrust;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerNotice;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.state.LedgerView;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.messages.placement.NodeRanks.NodeRank;
import io.sluice.messages.vm.BindPod;
import io.sluice.messages.vm.PodBinding;
import io.sluice.placement.core.LeftOverHolds;
import io.sluice.placement.core.NodeRanking;
import io.sluice.placement.core.NodeTable;
import io.sluice.placement.core.PlacementAttempt;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.placement.core.plugins.ReadyLedger;
import io.sluice.placement.core.plugins.ReservedRoom;
import io.sluice.placement.core.plugins.ReservedShare;
import io.sluice.shell.Portions;
import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Seconds;
import io.sluice.simulation.engine.Timeline;
import io.sluice.units.Resources;
import io.sluice.units.WorkerNames;
import io.sluice.workers.core.FleetAction;
import io.sluice.workers.core.FleetTiming;
import io.sluice.workers.core.Instance;
import io.sluice.workers.core.InstanceSpec;
import io.sluice.workers.core.InstanceState;
import io.sluice.workers.core.Order;
import io.sluice.workers.core.Row;
import io.sluice.workers.core.Worker;
import io.sluice.workers.core.WorkerFleet;
import io.sluice.workers.core.WorkerHello;
import io.sluice.workers.core.WorkerState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Workers whose networks and programs fail under a scheduler that fails too. Each instance is placed by the real
 * attempts in the real ledger, whose replies are late or lost at times, and whose requests are repeated at times. Three
 * instances are a gang. After each step it checks that no exclusive instance runs twice, that no node has reserved more
 * than it has, and that no member of the gang gets a worker before all of them do; at the end all of them run once, and
 * each node has reserved what its instances were granted.
 */
public final class WorkerHistory {
    private static final int WORKERS = 4;
    private static final int INSTANCES = 8;
    private static final int ALL = INSTANCES + StartedGang.GANG.least();
    private static final Resources SIZE = new Resources(1_000, 1L << 30);
    private static final long CALM_FROM = 3_000;
    private static final long SECONDS = 4_500;
    private static final long MESSAGE_LATE = Seconds.ofMillis(50);
    private static final long TIMEOUT = Seconds.of(2);

    /** Longer than a gang is tried. */
    private static final long BIND_TIMEOUT = Seconds.of(12);

    private static final long OBSERVE_EVERY = 30;
    private static final int LOST_ONE_IN = 20;
    private static final FleetTiming TIMING = new FleetTiming(
            Duration.ofSeconds(15),
            Duration.ofSeconds(60),
            Duration.ofSeconds(10),
            Duration.ofSeconds(300),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30));

    private final Timeline time = new Timeline();
    private final Chance chance;
    private final NodeRanking ranking =
            new NodeRanking(List.of(new ReadyLedger(), new ReservedRoom(), new ReservedShare(0.5, 0.8, 0)));
    private final NodeLedger ledger = new NodeLedger(new LedgerRules(
            Duration.ofSeconds(10), 0.8, Portions.NOTHING, LastPermitTrust.RECOVERY, InvariantChecks.WHOLE));
    private final Map<String, NodeState> nodes = new HashMap<>();
    private final NodeTable known = new NodeTable();
    private final LeftOverHolds leftOver = new LeftOverHolds();
    private final Map<String, WorkerMachine> machines = new LinkedHashMap<>();
    private final Map<String, Row> rows = new LinkedHashMap<>();
    private final World world = new World();
    private final Map<String, Undecided> undecided = new HashMap<>();
    private WorkerFleet fleet = new WorkerFleet(TIMING, WORKERS, ALL);
    private Optional<String> broken = Optional.empty();
    private long seconds;
    private long sessions;
    private long attempts;
    private long incarnations;
    private long lastVersion;

    /** A bind of a gang's member, whose reply follows. */
    private record Undecided(String node, Consumer<Optional<PodBinding>> replied) {}

    private WorkerHistory(long seed) {
        chance = new Chance(seed, "workers");
        for (int i = 0; i < WORKERS; i++) {
            var id = "w" + i;
            machines.put(id, new WorkerMachine(id, time, new Chance(seed, id), world));
        }
        for (int i = 0; i < INSTANCES; i++) {
            submit("i" + i, InstanceSpec.Gang.NONE);
        }
        for (int i = INSTANCES; i < ALL; i++) {
            submit("gang" + i, StartedGang.GANG);
        }
        step();
        time.in(Seconds.of(1), this::second);
    }

    private void submit(String id, InstanceSpec.Gang gang) {
        fleet.submit(
                new InstanceSpec(
                        "work",
                        id,
                        "{}",
                        "Process",
                        SIZE,
                        isExclusive(id),
                        InstanceSpec.Restart.ALWAYS,
                        Map.of(),
                        gang),
                now());
    }

    /** Plays a history; returns what broke in it, or nothing. */
    public static String play(long seed) {
        var history = new WorkerHistory(seed);
        while (history.broken.isEmpty() && history.time.step(Seconds.of(SECONDS))) {
            // Each step checks what it does.
        }
        if (history.broken.isEmpty()) {
            history.checkEnd();
        }
        return history.broken.map(what -> "seed " + seed + ": " + what).orElse("");
    }

    /** What the machines are connected to. */
    private final class World implements WorkerMachine.Scheduler {
        @Override
        public long open(WorkerMachine machine, WorkerHello hello) {
            long session = ++sessions;
            machine.opened(session);
            act(current -> current.opened(hello, session, now()));
            return session;
        }

        @Override
        public void act(Consumer<WorkerFleet> event) {
            event.accept(fleet);
            step();
        }

        @Override
        public Instant now() {
            return WorkerHistory.this.now();
        }

        @Override
        public boolean calm() {
            return seconds >= CALM_FROM;
        }
    }

    private Instant now() {
        return Seconds.instant(time.now());
    }

    private void breaks(String what) {
        broken = broken.or(() -> Optional.of(time.clock() + " " + what));
    }

    private void second() {
        time.in(Seconds.of(1), this::second);
        seconds++;
        if (!world.calm()) {
            machines.values().forEach(this::fault);
            if (chance.oneIn(600)) {
                restart();
            }
        }
        machines.values().forEach(WorkerMachine::second);
        fleet.passed(now());
        fleet.place(ALL, now());
        step();
        if (seconds % OBSERVE_EVERY == 0) {
            fleet.workers().forEach(this::observe);
            endLeftOverHolds();
        }
        check();
    }

    private void fault(WorkerMachine machine) {
        if (chance.oneIn(200)) {
            machine.cut(chance.below(Seconds.of(200)));
        }
        if (chance.oneIn(500)) {
            machine.killed();
        }
    }

    /** Those of the gang are not, and every other one is. */
    private static boolean isExclusive(String instance) {
        return instance.startsWith("i") && Integer.parseInt(instance.substring(1)) % 2 == 0;
    }

    private void check() {
        for (var instance : fleet.instances()) {
            var where = machines.values().stream()
                    .flatMap(machine -> machine.generations(instance.id()).stream()
                            .map(generation -> machine.id() + "/" + generation))
                    .toList();
            if (isExclusive(instance.id()) && where.size() > 1) {
                breaks("exclusive " + instance.id() + " runs on " + where);
            }
        }
    }

    private void checkEnd() {
        for (var instance : fleet.instances()) {
            long runs = machines.values().stream()
                    .mapToLong(machine -> machine.generations(instance.id()).size())
                    .sum();
            if (runs != 1 || instance.state() != InstanceState.RUNNING) {
                breaks(instance.id() + " is " + instance.state() + " and runs " + runs + " times");
            }
        }
        for (var worker : fleet.workers()) {
            var granted = fleet.instancesOn(worker.id()).stream()
                    .map(Instance::granted)
                    .reduce(Resources.NONE, Resources::plus);
            var sums = node(WorkerNames.node(worker.id())).sums();
            if (!sums.reserved().equals(granted) || !sums.held().equals(Resources.NONE)) {
                breaks(worker.id() + " has reserved " + sums.reserved() + ", held " + sums.held() + ", granted "
                        + granted);
            }
        }
    }

    private void restart() {
        var workers = new ArrayList<Worker>();
        var instances = new ArrayList<Instance>();
        var orders = new ArrayList<Order>();
        for (var row : rows.values()) {
            switch (row) {
                case Row.OfWorker(var worker) ->
                    workers.add(new Worker(
                            worker.hello(),
                            worker.state(),
                            worker.epoch(),
                            worker.lastSeq(),
                            0,
                            now(),
                            now(),
                            worker.credential(),
                            worker.drain()));
                case Row.OfInstance(var instance) -> instances.add(instance);
                case Row.OfReplaced(var instance) -> instances.add(instance);
                case Row.OfOrder(var order) -> orders.add(order);
                case Row.OfToken _, Row.Removed _ -> throw new IllegalStateException();
            }
        }
        fleet = new WorkerFleet(TIMING, WORKERS, ALL);
        fleet.restore(workers, instances, orders, now());
        machines.values().forEach(WorkerMachine::disconnected);
    }

    /** Ends the step: its rows are kept, then its actions are done. */
    private void step() {
        var step = fleet.step();
        boolean started = step.rows().stream().anyMatch(row -> StartedGang.startsMember(row, rows.get(row.key())));
        step.rows().forEach(row -> {
            if (row instanceof Row.Removed) {
                rows.remove(row.key());
            } else {
                rows.put(row.key(), row);
            }
        });
        if (started) {
            StartedGang.incomplete(fleet).ifPresent(this::breaks);
        }
        step.actions().forEach(this::perform);
    }

    private void perform(FleetAction action) {
        switch (action) {
            case FleetAction.Send(var session, var epoch, var order) -> {
                var machine = machines.get(order.worker());
                if (machine.isOf(session)) {
                    machine.order(session, order, isExclusive(order.instance()));
                }
            }
            case FleetAction.RequestInventory(var session) ->
                machines.values().stream()
                        .filter(machine -> machine.isOf(session))
                        .forEach(machine -> machine.inventoryRequested(session));
            case FleetAction.Close(var session, var _, var _) ->
                machines.values().stream()
                        .filter(machine -> machine.isOf(session))
                        .forEach(machine -> machine.opened(0));
            case FleetAction.Place(var instance) -> place(instance);
            case FleetAction.ObserveNode(var worker) -> observe(worker);
            case FleetAction.ObserveBound(var instance) -> bound(instance);
            case FleetAction.ObserveGone(var uid, var worker, var version) -> {
                var node = WorkerNames.node(worker);
                maybe(() -> run(node, new LedgerCommand.LosePod(new PodGone(uid, node, version))));
            }
            case FleetAction.Decided(var uid, var refusal) ->
                Optional.ofNullable(undecided.remove(uid))
                        .ifPresent(waiting -> exchange(() -> binding(refusal, waiting.node()), waiting.replied()));
            case FleetAction.Welcome _,
                    FleetAction.GiveBack _,
                    FleetAction.InstanceEvent _,
                    FleetAction.WorkerEvent _ -> {
                // For the wire and for controllers.
            }
        }
    }

    /** An observation is lost at times; the next full list has it. */
    private void maybe(Runnable observation) {
        if (world.calm() || !chance.oneIn(LOST_ONE_IN)) {
            observation.run();
        }
    }

    private NodeState node(String name) {
        return nodes.computeIfAbsent(name, NodeState::blank);
    }

    private <A> A run(String name, LedgerCommand<A> command) {
        var outcome = ledger.apply(node(name), command, now(), ++incarnations);
        outcome.notices().stream()
                .filter(LedgerNotice.InvariantsBroken.class::isInstance)
                .forEach(notice -> breaks(notice.toString()));
        if (outcome.state().sums().reserved().exceeds(WorkerMachine.CAPACITY)) {
            breaks(name + " has reserved " + outcome.state().sums().reserved() + " after " + command);
        }
        nodes.put(name, outcome.state());
        known.observed(LedgerView.summary(outcome.state(), 0));
        return outcome.reply();
    }

    private void observe(Worker worker) {
        var name = WorkerNames.node(worker.id());
        if (worker.state() == WorkerState.GONE || worker.state() == WorkerState.LOST) {
            maybe(() -> run(name, new LedgerCommand.LoseNode(new NodeGone(name, version()))));
            return;
        }
        var node = new NodeObserved(name, version(), worker.hello().capacity());
        run(name, new LedgerCommand.ObserveNode(node));
        var pods = fleet.instancesOn(worker.id()).stream().map(this::pod).toList();
        var list = new LoadNode(node, node.version(), pods, List.of());
        run(name, new LedgerCommand.Load(list))
                .relist()
                .ifPresent(number -> run(name, new LedgerCommand.Load(list.relist(number))));
    }

    /** Comparable with those of instances. */
    private long version() {
        lastVersion = Math.max(lastVersion + 1, now().toEpochMilli());
        return lastVersion;
    }

    private void bound(Instance instance) {
        maybe(() -> run(WorkerNames.node(instance.worker()), new LedgerCommand.ObservePod(pod(instance))));
    }

    private PodObserved pod(Instance instance) {
        boolean pending = instance.state() == InstanceState.PENDING;
        return new PodObserved(
                instance.uid(),
                WorkerNames.NAMESPACE,
                instance.id(),
                pending ? "" : WorkerNames.node(instance.worker()),
                "",
                instance.numbers().version(),
                instance.granted(),
                0);
    }

    private void place(Instance instance) {
        var toPlace = new PodToPlace(pod(instance), Overcommit.OFF);
        var candidates = fleet.candidates(instance, now()).stream()
                .map(WorkerNames::node)
                .toList();
        var best = ranking.rank(toPlace, candidates, known, Optional.empty()).stream()
                .filter(NodeRank::fits)
                .max(Comparator.comparingInt(NodeRank::score).thenComparing(NodeRank::node));
        if (best.isEmpty()) {
            world.act(current -> current.notPlaced(instance.uid(), "no room", now()));
            return;
        }
        var attempt = new PlacementAttempt(toPlace, best.get().node(), Optional.of("attempt-" + ++attempts));
        take(instance, attempt, attempt.begin());
    }

    private void take(Instance instance, PlacementAttempt attempt, PlacementAttempt.Step step) {
        switch (step) {
            case PlacementAttempt.Hold(var hold) ->
                exchange(
                        () -> run(hold.node(), new LedgerCommand.Hold(hold)),
                        reply -> take(instance, attempt, attempt.held(reply)));
            case PlacementAttempt.Bind(var bind) -> bind(bind, reply -> take(instance, attempt, attempt.bound(reply)));
            case PlacementAttempt.Touch _ ->
                exchange(() -> touch(instance.uid()), reply -> take(instance, attempt, attempt.touched(reply)));
            case PlacementAttempt.End end -> {
                end.release().ifPresent(this::release);
                world.act(current -> current.notPlaced(instance.uid(), "not placed", now()));
            }
        }
    }

    /** The reply for a gang's member comes once it is decided for all, or is given up. */
    private void bind(BindPod bind, Consumer<Optional<PodBinding>> replied) {
        time.in(chance.below(MESSAGE_LATE), () -> {
            boolean together = fleet.startsTogether(bind.uid());
            var refused = fleet.bind(bind.uid(), bind.version(), bind.node(), now());
            if (chance.oneIn(LOST_ONE_IN)) {
                fleet.bind(bind.uid(), bind.version(), bind.node(), now());
            }
            if (together && refused.isEmpty()) {
                var waiting = new Undecided(bind.node(), replied);
                undecided.put(bind.uid(), waiting);
                time.in(BIND_TIMEOUT, () -> {
                    if (undecided.remove(bind.uid(), waiting)) {
                        replied.accept(Optional.empty());
                    }
                });
            } else {
                exchange(() -> binding(refused, bind.node()), replied);
            }
            step();
        });
    }

    private static PodBinding binding(Optional<String> refused, String node) {
        return refused.<PodBinding>map(PodBinding.Refused::new).orElseGet(() -> new PodBinding.Bound(node));
    }

    private PodBinding touch(String uid) {
        var found = fleet.touch(uid, now());
        step();
        return found.<PodBinding>map(instance -> instance.state() == InstanceState.PENDING
                        ? new PodBinding.Unbound()
                        : new PodBinding.Bound(WorkerNames.node(instance.worker())))
                .orElseGet(PodBinding.Gone::new);
    }

    /** A request whose reply is late, or lost at times. */
    private <A> void exchange(Supplier<A> effect, Consumer<Optional<A>> replied) {
        boolean lost = chance.oneIn(LOST_ONE_IN);
        time.in(chance.below(MESSAGE_LATE), () -> {
            var reply = effect.get();
            if (!lost) {
                replied.accept(Optional.of(reply));
            }
        });
        if (lost) {
            time.in(TIMEOUT, () -> replied.accept(Optional.empty()));
        }
    }

    private void release(ReleaseHold hold) {
        maybe(() -> run(hold.node(), new LedgerCommand.Release(hold)));
    }

    private void endLeftOverHolds() {
        var ledgers =
                nodes.values().stream().map(state -> LedgerView.full(state, 0)).toList();
        for (var attempt : leftOver.observed(ledgers, now())) {
            exchange(
                    () -> touch(attempt.pod().pod().uid()),
                    reply -> attempt.touched(reply).release().ifPresent(this::release));
        }
    }
}
