package io.sluice.simulation.workers;

import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Seconds;
import io.sluice.simulation.engine.Timeline;
import io.sluice.units.Resources;
import io.sluice.workers.core.InstanceReport;
import io.sluice.workers.core.InstanceReport.Observed;
import io.sluice.workers.core.Order;
import io.sluice.workers.core.WorkerFleet;
import io.sluice.workers.core.WorkerHello;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** A machine that registers itself, as its program and its guards behave. */
final class WorkerMachine {
    static final Resources CAPACITY = new Resources(4_000, 8L << 30);
    static final Duration FENCE = Duration.ofSeconds(45);
    private static final int KILL_SECONDS_MAX = 12;
    private static final long MESSAGE_LATE = Seconds.ofMillis(500);
    private static final long MESSAGE_VERY_LATE = Seconds.of(40);
    private static final int HEARTBEAT_SECONDS = 5;

    private final String id;
    private final Timeline time;
    private final Chance chance;
    private final Scheduler scheduler;
    private final List<Running> running = new ArrayList<>();
    private final Map<Long, Boolean> answered = new HashMap<>();
    private long boot = 1;
    private long lastSeq;
    private long session;
    private long lastDelivery;
    private long cutUntil;
    private long seconds;
    private Instant fence = Instant.EPOCH;

    /** What the machine is connected to. */
    interface Scheduler {
        /** A number for a new session; 0 while there is none to be had. */
        long open(WorkerMachine machine, WorkerHello hello);

        /** Does something to the fleet, and what follows. */
        void act(Consumer<WorkerFleet> event);

        Instant now();

        boolean calm();
    }

    /** A process below its guard, which knows its own fence once the program is gone. */
    private static final class Running {
        private final String instance;
        private final long generation;
        private final boolean exclusive;
        private Instant endsAt = Instant.MAX;
        private boolean orphan;
        private Instant orphanFence = Instant.MAX;

        Running(String instance, long generation, boolean exclusive) {
            this.instance = instance;
            this.generation = generation;
            this.exclusive = exclusive;
        }
    }

    WorkerMachine(String id, Timeline time, Chance chance, Scheduler scheduler) {
        this.id = id;
        this.time = time;
        this.chance = chance;
        this.scheduler = scheduler;
    }

    String id() {
        return id;
    }

    /** The generations of an instance that run here. */
    List<Long> generations(String instance) {
        return running.stream()
                .filter(process -> process.instance.equals(instance))
                .map(process -> process.generation)
                .toList();
    }

    boolean isOf(long number) {
        return session == number;
    }

    private List<InstanceReport> inventory() {
        return running.stream()
                .filter(process -> !process.orphan)
                .map(process -> report(process, Observed.RUNNING))
                .toList();
    }

    private static InstanceReport report(Running process, Observed state) {
        return new InstanceReport(process.instance, process.generation, state, "", 0);
    }

    /** In its order, and lost with its session or while the network is cut. */
    private void deliver(long over, Runnable delivery) {
        boolean slow = !scheduler.calm() && chance.oneIn(40);
        long at = time.now() + chance.below(slow ? MESSAGE_VERY_LATE : MESSAGE_LATE);
        lastDelivery = Math.max(lastDelivery, at);
        time.in(lastDelivery - time.now(), () -> {
            if (session == over && time.now() >= cutUntil) {
                delivery.run();
            }
        });
    }

    void second() {
        seconds++;
        if (session == 0 && time.now() >= cutUntil && chance.oneIn(3)) {
            connect();
        }
        if (session != 0 && seconds % HEARTBEAT_SECONDS == 0) {
            beat(session, scheduler.now());
        }
        for (var process : List.copyOf(running)) {
            pass(process);
        }
    }

    private void connect() {
        var hello = new WorkerHello(id, "", boot, CAPACITY, Map.of(), Set.of("Process"), true, inventory(), lastSeq);
        lastDelivery = time.now();
        scheduler.open(this, hello);
    }

    void opened(long number) {
        session = number;
    }

    private void beat(long over, Instant sentAt) {
        deliver(
                over,
                () -> scheduler.act(fleet -> {
                    if (fleet.frame(id, over, scheduler.now())) {
                        deliver(over, () -> fence = later(fence, sentAt.plus(FENCE)));
                    }
                }));
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private void pass(Running process) {
        var until = process.orphan ? process.orphanFence : fence;
        if (process.exclusive && !scheduler.now().isBefore(until)) {
            end(process);
        }
        if (!scheduler.now().isBefore(process.endsAt)) {
            running.remove(process);
            if (!process.orphan) {
                report(session, process, Observed.FAILED);
            }
        }
    }

    private void end(Running process) {
        var at = scheduler.now().plusSeconds(chance.below(KILL_SECONDS_MAX));
        process.endsAt = at.isBefore(process.endsAt) ? at : process.endsAt;
    }

    private void report(long over, Running process, Observed state) {
        if (over != 0) {
            deliver(
                    over,
                    () -> scheduler.act(fleet -> fleet.reported(id, over, report(process, state), scheduler.now())));
        }
    }

    /** An order is on its way here. */
    void order(long over, Order order, boolean exclusive) {
        deliver(over, () -> {
            boolean accepted = answered.computeIfAbsent(order.seq(), seq -> obey(order, exclusive));
            lastSeq = Math.max(lastSeq, order.seq());
            deliver(
                    over,
                    () -> scheduler.act(
                            fleet -> fleet.acknowledged(id, over, order.seq(), accepted, "", scheduler.now())));
        });
    }

    private boolean obey(Order order, boolean exclusive) {
        var known = running.stream()
                .filter(process -> !process.orphan && process.instance.equals(order.instance()))
                .findFirst();
        return switch (order.kind()) {
            case ASSIGN ->
                known.map(process -> process.generation >= order.generation()).orElseGet(() -> start(order, exclusive));
            case STOP -> {
                known.filter(process -> process.generation <= order.generation())
                        .ifPresent(this::end);
                yield known.isPresent();
            }
            case RESIZE -> known.isPresent();
        };
    }

    private boolean start(Order order, boolean exclusive) {
        if (exclusive && !scheduler.now().isBefore(fence)) {
            return false;
        }
        var process = new Running(order.instance(), order.generation(), exclusive);
        running.add(process);
        report(session, process, Observed.RUNNING);
        return true;
    }

    void inventoryRequested(long over) {
        var reports = inventory();
        deliver(over, () -> scheduler.act(fleet -> fleet.inventory(id, over, reports, scheduler.now())));
    }

    /** The network is cut; whether the scheduler notices the end of the connection is open. */
    void cut(long nanos) {
        cutUntil = time.now() + nanos;
        disconnected();
    }

    void disconnected() {
        long ended = session;
        session = 0;
        if (ended != 0 && chance.oneIn(2)) {
            scheduler.act(fleet -> fleet.closed(id, ended, scheduler.now()));
        }
    }

    /** The program is killed and starts anew; its guards live on, and end what is not theirs to keep. */
    void killed() {
        for (var process : running) {
            if (!process.orphan) {
                process.orphan = true;
                process.orphanFence = fence;
            }
        }
        running.stream().filter(process -> !process.exclusive).forEach(this::end);
        fence = Instant.EPOCH;
        answered.clear();
        lastSeq = 0;
        boot++;
        disconnected();
    }
}
