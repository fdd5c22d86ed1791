package io.sluice.workers.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.units.WorkerNames;
import io.sluice.workers.core.InstanceReport.Observed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: whatever fails, an exclusive instance never runs twice at a time, and runs again in the end. Method: seeded
 * histories of three workers as their program and its guards behave, with messages that are late, networks that are
 * cut, and workers and schedulers that start anew.
 */
class ExclusiveHistoriesTest {
    private static final Duration FENCE = Duration.ofSeconds(45);
    private static final int KILL_SECONDS_MAX = 12;
    private static final int SECONDS = 4_000;
    /** Longer than the longest back-off, and all that may come before it. */
    private static final int CALM_SECONDS = 1_000;

    private static final List<String> IDS = List.of("a", "b", "c");

    private final FleetRig rig = new FleetRig();
    private final PriorityQueue<Message> network = new PriorityQueue<>();
    private final Map<String, Machine> machines = new HashMap<>();
    private Random random = new Random(0);
    private long sent;
    private boolean calm;

    private record Message(Instant at, long number, Runnable delivery) implements Comparable<Message> {
        @Override
        public int compareTo(Message other) {
            int byTime = at.compareTo(other.at);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    /** A process, below its guard. */
    private static final class Process {
        private final String id;
        private final long generation;
        private Instant endsAt = Instant.MAX;

        Process(String id, long generation) {
            this.id = id;
            this.generation = generation;
        }
    }

    private final class Machine {
        private final String id;
        private final List<Process> processes = new ArrayList<>();
        /** Of an earlier start of the program: only their guards know them. */
        private final List<Process> orphans = new ArrayList<>();

        private final Map<Long, Boolean> answered = new HashMap<>();
        private long boot = 1;
        private long lastSeq;
        private long session;
        private Instant fence = Instant.EPOCH;
        private Instant orphansFence = Instant.EPOCH;
        private Instant cutUntil = Instant.EPOCH;
        private boolean broken;
        private Instant lastDelivery = Instant.EPOCH;

        Machine(String id) {
            this.id = id;
        }

        /** In its order, and lost with its session. */
        void send(long over, Runnable delivery) {
            boolean slow = !calm && random.nextInt(20) == 0;
            var at = rig.now.plusSeconds(random.nextInt(2) + (slow ? random.nextInt(40) : 0));
            lastDelivery = at.isAfter(lastDelivery) ? at : lastDelivery;
            network.add(new Message(lastDelivery, ++sent, () -> {
                if (session == over && !rig.now.isBefore(cutUntil)) {
                    delivery.run();
                }
            }));
        }

        void connect() {
            if (session == 0 && !rig.now.isBefore(cutUntil) && random.nextInt(3) == 0) {
                lastDelivery = rig.now;
                var inventory = processes.stream()
                        .map(process -> new InstanceReport(process.id, process.generation, Observed.RUNNING, "", 0))
                        .toList();
                session = rig.open(id, boot, lastSeq, inventory);
                act();
            }
        }

        void beat() {
            long over = session;
            var at = rig.now;
            if (over != 0 && rig.now.getEpochSecond() % 5 == 0) {
                send(over, () -> {
                    if (rig.fleet.frame(id, over, rig.now)) {
                        act(rig.step());
                        send(over, () -> fence = at.plus(FENCE).isAfter(fence) ? at.plus(FENCE) : fence);
                    }
                });
            }
        }

        void order(long over, Order order) {
            send(over, () -> {
                boolean accepted = answered.computeIfAbsent(order.seq(), seq -> obey(order));
                lastSeq = Math.max(lastSeq, order.seq());
                send(over, () -> {
                    rig.fleet.acknowledged(id, over, order.seq(), accepted, "", rig.now);
                    act(rig.step());
                });
            });
        }

        private boolean obey(Order order) {
            var known = processes.stream()
                    .filter(process -> process.id.equals(order.instance()))
                    .findFirst();
            switch (order.kind()) {
                case ASSIGN -> {
                    if (known.isPresent()) {
                        return known.get().generation >= order.generation();
                    }
                    if (!rig.now.isBefore(fence)) {
                        return false;
                    }
                    processes.add(new Process(order.instance(), order.generation()));
                    report(order.instance(), order.generation(), Observed.RUNNING);
                    return true;
                }
                case STOP -> {
                    known.filter(process -> process.generation <= order.generation())
                            .ifPresent(this::end);
                    return known.isPresent();
                }
                case RESIZE -> {
                    return known.isPresent();
                }
            }
            throw new IllegalStateException();
        }

        private void end(Process process) {
            var at = rig.now.plusSeconds(random.nextInt(KILL_SECONDS_MAX));
            process.endsAt = at.isBefore(process.endsAt) ? at : process.endsAt;
        }

        private void report(String instance, long generation, Observed state) {
            long over = session;
            if (over != 0) {
                send(over, () -> {
                    rig.fleet.reported(id, over, new InstanceReport(instance, generation, state, "", 0), rig.now);
                    act(rig.step());
                });
            }
        }

        void pass() {
            if (broken && !rig.now.isBefore(cutUntil)) {
                broken = false;
                disconnect();
            }
            if (!rig.now.isBefore(fence)) {
                processes.forEach(this::end);
            }
            if (!rig.now.isBefore(orphansFence)) {
                orphans.forEach(this::end);
            }
            orphans.removeIf(process -> !rig.now.isBefore(process.endsAt));
            for (var process : List.copyOf(processes)) {
                if (!rig.now.isBefore(process.endsAt)) {
                    processes.remove(process);
                    report(process.id, process.generation, Observed.FAILED);
                }
            }
        }

        void cut() {
            cutUntil = rig.now.plusSeconds(random.nextInt(150));
            broken = true;
            if (random.nextBoolean()) {
                disconnect();
            }
        }

        private void disconnect() {
            long ended = session;
            session = 0;
            if (random.nextBoolean()) {
                rig.fleet.closed(id, ended, rig.now);
                act(rig.step());
            }
        }

        /** The program is killed and starts anew; its guards live on. */
        void killed() {
            orphans.addAll(processes);
            processes.clear();
            orphansFence = fence.isAfter(orphansFence) ? fence : orphansFence;
            fence = Instant.EPOCH;
            answered.clear();
            lastSeq = 0;
            boot++;
            disconnect();
        }
    }

    private void act() {
        act(List.copyOf(rig.actions));
    }

    private void act(List<FleetAction> actions) {
        rig.actions.clear();
        for (var action : actions) {
            switch (action) {
                case FleetAction.Send(var session, var epoch, var order) -> {
                    var machine = machines.get(order.worker());
                    if (machine.session == session || machine.session == 0) {
                        machine.order(session, order);
                    }
                }
                case FleetAction.RequestInventory(var session) ->
                    machines.values().stream()
                            .filter(machine -> machine.session == session)
                            .forEach(machine -> machine.send(session, () -> inventory(machine, session)));
                case FleetAction.Close(var session, var cause, var reason) ->
                    machines.values().stream()
                            .filter(machine -> machine.session == session)
                            .forEach(machine -> machine.session = 0);
                case FleetAction.Place(var instance) -> place(instance);
                default -> {
                    // For the ledger and for controllers.
                }
            }
        }
    }

    private void inventory(Machine machine, long session) {
        var reports = machine.processes.stream()
                .map(process -> new InstanceReport(process.id, process.generation, Observed.RUNNING, "", 0))
                .toList();
        machine.send(session, () -> {
            rig.fleet.inventory(machine.id, session, reports, rig.now);
            act(rig.step());
        });
    }

    private void place(Instance instance) {
        var candidates = rig.fleet.candidates(instance, rig.now);
        if (candidates.isEmpty()) {
            rig.fleet.notPlaced(instance.uid(), "none", rig.now);
        } else {
            var chosen = candidates.get(random.nextInt(candidates.size()));
            rig.fleet.bind(instance.uid(), instance.numbers().version(), WorkerNames.node(chosen), rig.now);
        }
        act(rig.step());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 20261126})
    void neverRunsTwice(long seed) {
        random = new Random(seed);
        List.of("w1", "w2", "w3").forEach(id -> machines.put(id, new Machine(id)));
        IDS.forEach(id -> rig.fleet.submit(FleetRig.spec(id, true, InstanceSpec.Restart.ALWAYS), rig.now));
        act(rig.step());
        var started = new HashSet<String>();
        for (int second = 0; second < SECONDS; second++) {
            calm = second > SECONDS - CALM_SECONDS;
            step();
            for (var id : IDS) {
                var running = running(id);
                assertThat(running.size())
                        .as("seed %d, second %d, %s on %s", seed, second, id, running)
                        .isLessThan(2);
                running.forEach(where -> started.add(id + where));
            }
        }
        assertThat(IDS)
                .as("seed %d: each runs in the end", seed)
                .allSatisfy(id -> assertThat(running(id)).hasSize(1));
        assertThat(started.size()).as("the history moved them").isGreaterThan(IDS.size());
    }

    private void step() {
        rig.now = rig.now.plusSeconds(1);
        while (!network.isEmpty() && !network.peek().at().isAfter(rig.now)) {
            network.poll().delivery().run();
        }
        for (var machine : machines.values()) {
            machine.connect();
            machine.beat();
            machine.pass();
            if (!calm && random.nextInt(150) == 0) {
                machine.cut();
            }
            if (!calm && random.nextInt(400) == 0) {
                machine.killed();
            }
        }
        if (!calm && random.nextInt(500) == 0) {
            rig.restart();
            machines.values().forEach(machine -> machine.session = 0);
        }
        rig.fleet.passed(rig.now);
        rig.fleet.place(10, rig.now);
        act(rig.step());
    }

    /** Where the instance runs now: each of its processes, with or without a program that knows it. */
    private List<String> running(String id) {
        return machines.values().stream()
                .flatMap(machine -> Stream.concat(machine.processes.stream(), machine.orphans.stream())
                        .filter(process -> process.id.equals(id))
                        .map(process -> machine.id + "/" + process.generation))
                .toList();
    }
}
