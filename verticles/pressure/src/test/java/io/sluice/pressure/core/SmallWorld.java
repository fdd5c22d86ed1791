package io.sluice.pressure.core;

import io.sluice.messages.cluster.MigrationGone;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.cluster.ObservedMigrations;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.vm.EndMigration;
import io.sluice.messages.vm.EndReply;
import io.sluice.messages.vm.MigrateReply;
import io.sluice.messages.vm.MigrateVm;
import io.sluice.pressure.Given;
import io.sluice.pressure.core.actions.MigrationKey;
import io.sluice.pressure.core.actions.MigrationReply;
import io.sluice.pressure.core.actions.MigrationRequest;
import io.sluice.pressure.core.actions.PressureAction;
import io.sluice.pressure.core.choice.Policy;
import io.sluice.pressure.core.choice.PressureRules;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A ledger, a driver and a Kubernetes cluster around a {@link Pressure}, with a bus that loses, repeats and reorders.
 */
final class SmallWorld {
    static final PressureRules RULES = new PressureRules(
            false, Policy.LOWEST_LOAD, 2, 3, Duration.ofSeconds(120), Duration.ofSeconds(60), Duration.ofMinutes(5));
    private static final Duration RELIST_EVERY = Duration.ofMinutes(2);

    private record Delivery(Instant at, long order, PressureEvent event) {}

    final WorldLedger ledger = new WorldLedger();
    final Map<String, WorldObject> objects = new TreeMap<>();
    final List<String> breaches = new ArrayList<>();
    final Map<MigrationPhase, Integer> ends = new HashMap<>();
    private final Map<String, Instant> endedAt = new HashMap<>();
    private final PriorityQueue<Delivery> queue =
            new PriorityQueue<>(Comparator.comparing(Delivery::at).thenComparing(Delivery::order));
    private final Random random;
    Instant now = Instant.EPOCH.plus(Duration.ofDays(20_000));
    private int processes;
    Pressure pressure = process();
    private boolean faulty = true;
    private Instant relistAt = now;
    private long counter;

    SmallWorld(long seed) {
        random = new Random(seed);
        for (int i = 0; i < 9; i++) {
            var vm = new WorldVm("vm" + i, WorldLedger.NODES.get(i % 3), 500 + random.nextInt(1_500));
            ledger.vms.put(vm.name, vm);
        }
    }

    private Pressure process() {
        processes++;
        return new Pressure("p" + processes, RULES, now);
    }

    /** Advances the time and lets one thing happen. */
    void step() {
        now = now.plusMillis(random.nextInt(1_500));
        ledger.expire(now);
        if (faulty) {
            happen();
        }
        objects.values().stream().toList().forEach(this::progress);
        if (!now.isBefore(relistAt)) {
            relist();
        }
        report(new PressureEvent.Ticked());
        deliver();
    }

    /** From now on nothing fails, and nothing new begins. */
    void calmDown() {
        faulty = false;
        report(new PressureEvent.RulesChanged(new PressureRules(
                true,
                RULES.policy(),
                RULES.maxConcurrentPerNode(),
                RULES.maxConcurrent(),
                RULES.cooldown(),
                RULES.startTimeout(),
                RULES.completionTimeout())));
    }

    private boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    private void happen() {
        var vm = new ArrayList<>(ledger.vms.values()).get(random.nextInt(ledger.vms.size()));
        if (!vm.marked() && chance(0.3)) {
            vm.milli = 250 + random.nextInt(3_500);
            vm.load = random.nextDouble() * 4;
        }
        publish(new PressureEvent.NodeChanged(Given.withoutMembers(ledger.ledger(vm.node))));
        if (chance(0.005)) {
            makeForeign(vm);
        }
        if (chance(0.003)) {
            restartVm(vm);
        }
        if (chance(0.002)) {
            restartProcess();
        }
        if (chance(0.01)) {
            loseHolds(WorldLedger.NODES.get(random.nextInt(WorldLedger.NODES.size())));
        }
    }

    /** The ledger of a node starts anew, while no migration to it is about to begin. */
    private void loseHolds(String node) {
        objects.values()
                .forEach(object -> ledger.holds.computeIfPresent(
                        HoldRoom.forMigration(Given.NAMESPACE, object.name),
                        (holder, held) -> held.node().equals(node) ? null : held));
    }

    private void makeForeign(WorldVm vm) {
        if (objects.values().stream().noneMatch(object -> object.vm.equals(vm.name) && object.live())) {
            counter++;
            put(new WorldObject("by-hand-" + counter, "o" + counter, vm, "", "", now.getEpochSecond()));
        }
    }

    /** Its old pod ends, and with it its reservation. */
    private void restartVm(WorldVm vm) {
        publish(new PressureEvent.PodMissed(new PodGone(vm.pod, vm.node, ++counter)));
        vm.pod = vm.name + "-" + ++counter;
        vm.marks.clear();
        publishVm(vm);
    }

    /** Requests without a reply get none any more. */
    private void restartProcess() {
        queue.clear();
        endedAt.clear();
        pressure = process();
        relist();
    }

    private void put(WorldObject object) {
        objects.put(object.name, object);
        changed(object);
    }

    private void changed(WorldObject object) {
        object.version = ++counter;
        publish(new PressureEvent.MigrationReceived(object.observation()));
    }

    private void progress(WorldObject object) {
        if (object.deleting && chance(0.3)) {
            delete(object);
        } else if (object.live() && chance(0.08)) {
            advance(object);
        }
    }

    private void advance(WorldObject object) {
        switch (object.phase) {
            case NEW -> makeTarget(object);
            case PENDING -> become(object, chance(0.25) ? MigrationPhase.FAILED : MigrationPhase.RUNNING);
            case RUNNING -> become(object, chance(0.25) ? MigrationPhase.FAILED : MigrationPhase.SUCCEEDED);
            case SUCCEEDED, FAILED -> {}
        }
    }

    /** The role that observes the target's pod marks its source, and the pod takes over the room. */
    private void makeTarget(WorldObject object) {
        ledger.reservation(object.sourcePod).ifPresent(vm -> {
            if (!ledger.over.contains(object.attempt)) {
                vm.marks.put(object.attempt, true);
            }
            object.targetPod = "t" + ++counter;
            object.targetNode = object.roomOn.isEmpty() || chance(0.2) ? otherNode(vm.node) : object.roomOn;
            var holder = HoldRoom.forMigration(Given.NAMESPACE, object.name);
            var held = ledger.holds.get(holder);
            var heldFor = "";
            if (held != null && held.node().equals(object.targetNode)) {
                ledger.holds.remove(holder);
                ledger.over.add(held.attempt());
                heldFor = held.attempt();
            }
            ledger.targets.put(
                    object.name,
                    new WorldLedger.Target(vm.name, object.targetPod, object.targetNode, vm.milli, heldFor));
            publishTarget(object);
        });
        become(object, MigrationPhase.PENDING);
    }

    private String otherNode(String node) {
        var others =
                WorldLedger.NODES.stream().filter(each -> !each.equals(node)).toList();
        return others.get(random.nextInt(others.size()));
    }

    /** The role that observes its end, or misses it in a full list, removes its mark. */
    private void unmark(WorldObject object) {
        ledger.over.add(object.attempt);
        ledger.reservation(object.sourcePod).ifPresent(vm -> vm.marks.remove(object.attempt));
    }

    private void become(WorldObject object, MigrationPhase phase) {
        var vm = ledger.vms.get(object.vm);
        boolean stays = !vm.pod.equals(object.sourcePod) || object.targetPod.isEmpty();
        object.phase = phase == MigrationPhase.SUCCEEDED && stays ? MigrationPhase.FAILED : phase;
        if (object.phase.ended()) {
            ends.merge(object.phase, 1, Integer::sum);
            if (object.ours) {
                endedAt.put(object.vm, now);
            }
            land(object, vm);
            unmark(object);
        }
        changed(object);
    }

    private void land(WorldObject object, WorldVm vm) {
        ledger.targets.remove(object.name);
        if (object.phase == MigrationPhase.SUCCEEDED) {
            publish(new PressureEvent.PodMissed(new PodGone(vm.pod, vm.node, ++counter)));
            vm.pod = object.targetPod;
            vm.node = object.targetNode;
            vm.marks.clear();
            publishVm(vm);
        } else if (!object.targetPod.isEmpty()) {
            publish(new PressureEvent.PodMissed(new PodGone(object.targetPod, object.targetNode, ++counter)));
        }
    }

    private void delete(WorldObject object) {
        if (object.live()) {
            object.phase = MigrationPhase.FAILED;
            endedAt.put(object.vm, now);
            land(object, ledger.vms.get(object.vm));
            unmark(object);
        }
        objects.remove(object.name);
        publish(new PressureEvent.MigrationMissed(
                new MigrationGone(Given.NAMESPACE, object.name, object.uid, object.vm, ++counter)));
    }

    private void publishVm(WorldVm vm) {
        publish(new PressureEvent.PodReceived(Given.pod(vm.name, vm.pod, vm.node, "")));
        publish(new PressureEvent.VmReceived(Given.vm(vm.name, vm.pod, vm.node, ++counter, false)));
    }

    private void publishTarget(WorldObject object) {
        publish(new PressureEvent.PodReceived(Given.pod(object.vm, object.targetPod, object.targetNode, object.name)));
    }

    /** Publishes everything once, in order; this restores lost observations. */
    private void relist() {
        relistAt = now.plus(RELIST_EVERY);
        var there = objects.values().stream().map(object -> object.attempt).collect(Collectors.toSet());
        ledger.vms.values().forEach(vm -> {
            vm.marks.entrySet().removeIf(mark -> mark.getValue() && !there.contains(mark.getKey()));
            report(new PressureEvent.PodReceived(Given.pod(vm.name, vm.pod, vm.node, "")));
            report(new PressureEvent.VmReceived(Given.vm(vm.name, vm.pod, vm.node, ++counter, false)));
        });
        objects.values().forEach(object -> {
            if (ledger.targets.containsKey(object.name)) {
                report(new PressureEvent.PodReceived(
                        Given.pod(object.vm, object.targetPod, object.targetNode, object.name)));
            }
            report(new PressureEvent.MigrationReceived(object.observation()));
        });
        var uids = objects.values().stream().map(object -> object.uid).collect(Collectors.toSet());
        report(new PressureEvent.FullListReceived(Optional.of(new ObservedMigrations(counter, uids))));
    }

    /** While things fail, the event may be lost, repeated or late. */
    private void publish(PressureEvent event) {
        if (!faulty) {
            enqueue(event, 0);
            return;
        }
        for (int copies = chance(0.1) ? 2 : 1; copies > 0; copies--) {
            if (!chance(0.2)) {
                enqueue(event, random.nextInt(5_000));
            }
        }
    }

    private void enqueue(PressureEvent event, long delayMs) {
        queue.add(new Delivery(now.plusMillis(delayMs), ++counter, event));
    }

    private void deliver() {
        while (!queue.isEmpty() && !queue.peek().at().isAfter(now)) {
            report(queue.poll().event());
        }
    }

    private void report(PressureEvent event) {
        for (var action : pressure.on(event, now)) {
            switch (action) {
                case PressureAction.Send request -> answer(request);
                case PressureAction.Look look -> look(look);
                case PressureAction.RequestRelist _ -> relistAt = now;
                case PressureAction.Publish _, PressureAction.Record _ -> {}
            }
        }
    }

    private void look(PressureAction.Look look) {
        if (faulty && chance(0.1)) {
            enqueue(new PressureEvent.SnapshotFailed(look.number()), 2_000);
            return;
        }
        List<NodeLedgerView> found = look.node().isEmpty()
                ? WorldLedger.NODES.stream().map(ledger::ledger).toList()
                : List.of(ledger.ledger(look.node()));
        enqueue(new PressureEvent.Looked(look.number(), new Snapshot(found)), faulty ? random.nextInt(2_000) : 0);
    }

    /** The request may or may not be carried out, and its reply may be lost: the sender cannot distinguish these. */
    private void answer(PressureAction.Send request) {
        boolean answered = !faulty || !chance(0.25);
        boolean done = answered || chance(0.5);
        if (done) {
            var answer = done(request);
            if (answered) {
                enqueue(
                        new PressureEvent.Answered(request.number(), request.migration(), answer),
                        faulty ? random.nextInt(900) : 0);
                if (faulty && chance(0.1)) {
                    enqueue(
                            new PressureEvent.Answered(request.number(), request.migration(), answer),
                            random.nextInt(900));
                }
                return;
            }
        }
        enqueue(
                new PressureEvent.Answered(request.number(), request.migration(), new MigrationReply.Failed("timeout")),
                1_000);
    }

    private MigrationReply done(PressureAction.Send sent) {
        return switch (sent.request()) {
            case MigrationRequest.Hold(var request) -> new MigrationReply.OfHold(ledger.hold(request, now));
            case MigrationRequest.Release(var request) -> new MigrationReply.OfHold(ledger.release(request));
            case MigrationRequest.Mark(var request) -> new MigrationReply.OfMark(ledger.mark(request));
            case MigrationRequest.Unmark(var request) -> {
                WorldRules.unmarked(this, request);
                yield new MigrationReply.OfMark(ledger.unmark(request));
            }
            case MigrationRequest.Migrate(var request) ->
                new MigrationReply.OfMigrate(migrate(sent.migration(), request));
            case MigrationRequest.End(var request) -> new MigrationReply.OfEnd(end(request));
        };
    }

    private MigrateReply migrate(MigrationKey key, MigrateVm request) {
        var known = objects.get(key.name());
        if (known != null) {
            return known.attempt.equals(request.attempt())
                    ? new MigrateReply.Begun(known.uid, known.version)
                    : new MigrateReply.Refused("an earlier attempt's is there");
        }
        var vm = ledger.vms.get(request.vm().name());
        if (!request.podName().equals(vm.pod + "-pod") || faulty && chance(0.05)) {
            return new MigrateReply.Refused("not now");
        }
        boolean inDoubt = faulty && chance(0.1);
        if (inDoubt && chance(0.5)) {
            return new MigrateReply.InDoubt("sent, and not done");
        }
        WorldRules.begun(this, key, vm, request.roomOn(), endedAt.get(vm.name));
        counter++;
        var made = new WorldObject(
                key.name(), "o" + counter, vm, request.roomOn(), request.attempt(), now.getEpochSecond());
        put(made);
        return inDoubt
                ? new MigrateReply.InDoubt("done, and not reported")
                : new MigrateReply.Begun(made.uid, made.version);
    }

    private EndReply end(EndMigration request) {
        var known = objects.get(request.name());
        if (known != null && known.uid.equals(request.uid())) {
            if (!known.ours) {
                breaches.add(now + " another party's migration " + known.name + " was ended");
            }
            known.deleting = true;
            changed(known);
        }
        return new EndReply.Ended();
    }
}
