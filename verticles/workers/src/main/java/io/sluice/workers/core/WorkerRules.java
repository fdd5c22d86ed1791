package io.sluice.workers.core;

import io.sluice.units.Resources;
import io.sluice.workers.core.FleetAction.Cause;
import io.sluice.workers.core.FleetAction.Close;
import io.sluice.workers.core.FleetAction.ObserveNode;
import io.sluice.workers.core.FleetAction.Welcome;
import io.sluice.workers.core.FleetAction.WorkerEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** From one state of a worker to the next, and what that is for its instances. */
final class WorkerRules {
    /** Of one worker. More are noticed once these have ended. */
    private static final int FOREIGN_MAX = 100;

    private final WorkerTables state;
    private final FleetTiming timing;
    private final InstanceRules rules;
    private final int workersMax;
    private final Map<String, Map<String, Foreign>> foreign = new HashMap<>();
    private final Map<String, Pace> paces = new HashMap<>();
    private Optional<Instant> lookedAt = Optional.empty();

    /** A running instance of an id that nothing is known of. */
    private record Foreign(String worker, String instance, long generation, Instant since) {}

    /** What a worker was told last, and before: it may not have read the last one. */
    private record Pace(Duration last, Duration before) {
        Duration slowest() {
            return last.compareTo(before) > 0 ? last : before;
        }
    }

    WorkerRules(WorkerTables state, FleetTiming timing, InstanceRules rules, int workersMax) {
        this.state = state;
        this.timing = timing;
        this.rules = rules;
        this.workersMax = workersMax;
    }

    /** A worker registers over a session. */
    void opened(WorkerHello hello, long session, Instant now) {
        var known = state.worker(hello.worker());
        if (known.isEmpty() && state.workerCount() >= workersMax) {
            state.act(new Close(session, Cause.TOO_MANY_WORKERS, "there are " + workersMax + " workers"));
            return;
        }
        if (known.filter(before -> before.connected() && !before.hello().key().equals(hello.key()))
                .isPresent()) {
            state.act(new Close(session, Cause.KEY_TAKEN, "worker " + hello.worker() + " is connected"));
            return;
        }
        if (state.banned(hello.worker())) {
            state.act(new Close(session, Cause.BANNED, "worker " + hello.worker() + " is banned"));
            return;
        }
        if (known.filter(before -> before.credential().refuses(hello.key())).isPresent()) {
            state.act(new Close(session, Cause.KEY_REVOKED, "worker " + hello.worker() + " has another key"));
            return;
        }
        known.filter(Worker::connected)
                .ifPresent(before -> state.act(new Close(before.session(), Cause.SUPERSEDED, "superseded")));
        // Its orders are sent once all of them are known, so that they go in their order.
        var worker = known.orElseGet(() -> Worker.named(hello.worker(), WorkerState.ENROLLED, now))
                .registered(hello.withoutInventory(), now);
        state.keep(worker);
        state.act(new Welcome(worker.id(), session, worker.epoch()));
        if (known.filter(before -> isSame(before, worker)).isEmpty()) {
            state.act(new ObserveNode(worker));
            state.act(new WorkerEvent(worker));
        }
        // What the worker has taken needs no repeat; its inventory shows what became of it.
        state.orders(worker.id()).stream()
                .filter(order -> order.seq() <= hello.lastSeq())
                .forEach(order -> state.done(worker.id(), order.seq()));
        compare(worker.id(), hello.inventory(), restarted(known, hello), now);
        var connected = state.worker(worker.id()).orElseThrow().withSession(session);
        state.remember(connected);
        state.orders(worker.id()).forEach(order -> state.send(connected, order));
    }

    /** Whether nothing but the session is another one. */
    private static boolean isSame(Worker before, Worker now) {
        return before.state() == now.state() && before.hello().isSame(now.hello());
    }

    void compare(String worker, List<InstanceReport> inventory, Optional<Instant> restarted, Instant now) {
        Map<String, InstanceReport> reported = new HashMap<>();
        inventory.forEach(report -> reported.put(report.instance(), report));
        for (var instance : state.instancesOn(worker)) {
            var report = reported.remove(instance.id());
            if (report == null || report.generation() < instance.numbers().start()) {
                absent(instance, restarted, now);
                Optional.ofNullable(report).ifPresent(old -> stranger(worker, old, now));
            } else {
                rules.reported(instance, report, now);
            }
        }
        reported.values().forEach(report -> stranger(worker, report, now));
    }

    private void absent(Instance instance, Optional<Instant> restarted, Instant now) {
        var open = state.orders(instance.worker()).stream()
                .filter(order -> order.instance().equals(instance.id()))
                .toList();
        if (instance.awaitsFence()) {
            return;
        }
        if (instance.spec().exclusive() && restarted.isPresent()) {
            rules.awaitsFence(instance, restarted.get().plus(timing.lost()), "its worker has started anew", now);
            return;
        }
        boolean ordered = open.stream().anyMatch(order -> order.kind() == Order.Kind.ASSIGN);
        if (ordered) {
            if (instance.state() == InstanceState.UNKNOWN) {
                state.keep(instance.in(InstanceState.ASSIGNED, "", now));
            }
        } else if (instance.state() == InstanceState.DESTROYING) {
            rules.acknowledged(stopOf(instance), false, "it has ended", now);
        } else {
            rules.failed(instance, "it has vanished from its worker", now);
        }
    }

    private static Order stopOf(Instance instance) {
        return new Order(
                instance.worker(),
                0,
                Order.Kind.STOP,
                instance.id(),
                instance.numbers().generation(),
                Resources.NONE,
                "");
    }

    /** An instance that is not to be there. */
    void stranger(String worker, InstanceReport report, Instant now) {
        if (!report.state().isLive()) {
            return;
        }
        if (state.instance(report.instance()).isPresent()) {
            if (state.orders(worker).stream()
                    .noneMatch(order -> order.instance().equals(report.instance()))) {
                rules.stop(worker, report.instance(), report.generation(), "orphan");
            }
            return;
        }
        var ofWorker = foreign.computeIfAbsent(worker, id -> new HashMap<>());
        if (ofWorker.size() < FOREIGN_MAX) {
            ofWorker.putIfAbsent(report.instance(), new Foreign(worker, report.instance(), report.generation(), now));
        }
    }

    /** A session has ended; what the worker has may still run. */
    void closed(String worker, long session, Instant now) {
        state.worker(worker)
                .filter(known -> known.session() == session)
                .ifPresent(known -> suspect(known.withSession(0), now));
    }

    private void suspect(Worker worker, Instant now) {
        if (worker.state() != WorkerState.READY) {
            state.remember(worker);
            return;
        }
        var suspect = worker.in(WorkerState.SUSPECT, now);
        state.keep(suspect);
        state.act(new ObserveNode(suspect));
        state.act(new WorkerEvent(suspect));
        state.instancesOn(worker.id()).forEach(instance -> rules.suspected(instance, now));
    }

    /** The worker leaves; what it had has ended. */
    void left(String worker, long session, Instant now) {
        if (frame(worker, session, now)) {
            var gone = state.worker(worker).orElseThrow().withSession(0).in(WorkerState.GONE, now);
            state.keep(gone);
            state.instancesOn(worker).forEach(instance -> rules.failed(instance, "its worker has left", now));
            state.act(new Close(session, Cause.LEFT, "left"));
            state.act(new ObserveNode(gone));
            state.act(new WorkerEvent(gone));
        }
    }

    /** Revokes the worker's name; for a pattern all names that it covers. */
    Worker ban(String id, Instant now) {
        if (!id.endsWith("*")) {
            return banOne(id, now);
        }
        covered(id).forEach(worker -> banOne(worker.id(), now));
        var pattern = Worker.named(id, WorkerState.BANNED, now);
        state.keep(pattern);
        return pattern;
    }

    /** The workers that a pattern covers. */
    private List<Worker> covered(String pattern) {
        return state.workers().stream()
                .filter(worker -> WorkerTables.covers(pattern, worker.id())
                        && !worker.id().equals(pattern))
                .toList();
    }

    private Worker banOne(String id, Instant now) {
        var known = state.worker(id).orElseGet(() -> Worker.named(id, WorkerState.LOST, now));
        if (known.state() == WorkerState.BANNED) {
            return known;
        }
        if (known.connected()) {
            state.act(new Close(known.session(), Cause.BANNED, "worker " + id + " is banned"));
        }
        state.remember(known.withSession(0).in(WorkerState.BANNED, now));
        for (var instance : state.instancesOn(id)) {
            if (instance.spec().exclusive()) {
                rules.awaitsFence(instance, known.frameAt().plus(timing.lost()), "its worker is banned", now);
            } else {
                rules.failed(instance, "its worker is banned", now);
            }
        }
        var banned = state.worker(id).orElseThrow();
        state.orders(id).forEach(order -> state.done(id, order.seq()));
        changed(banned);
        return banned;
    }

    /** The worker may register again, with a certificate that is valid; for a pattern all that it covers. */
    Optional<Worker> liftBan(String id, Instant now) {
        var banned = state.worker(id).filter(worker -> worker.state() == WorkerState.BANNED);
        if (banned.isPresent() && id.endsWith("*")) {
            covered(id).forEach(worker -> liftBan(worker.id(), now));
            state.forget(banned.get());
            return banned.map(worker -> worker.in(WorkerState.LOST, now));
        }
        banned.ifPresent(worker -> changed(worker.in(WorkerState.LOST, now)));
        return state.worker(id);
    }

    /** Empties the worker, or lets it take instances again. */
    Optional<Worker> drain(String id, Worker.Drain drain) {
        state.worker(id).ifPresent(worker -> changed(worker.draining(drain)));
        return state.worker(id);
    }

    /** What runs there moves, one start at a time; what may not run twice stops first. */
    private void drain(Worker worker, Instant now) {
        var left = state.instancesOn(worker.id());
        boolean late = !now.isBefore(worker.drain().until());
        for (var instance : left) {
            boolean settled = instance.state() == InstanceState.RUNNING
                    && state.replaced(instance.id()).isEmpty();
            if (settled && (late || instance.spec().exclusive())) {
                rules.stopFirst(instance, "its worker is drained", now);
            } else if (settled) {
                rules.replace(instance, instance.spec(), "its worker is drained", now);
            } else if (late && instance.state() == InstanceState.REPLACED) {
                rules.stopReplaced(instance, now);
            }
        }
        if (left.isEmpty() != worker.drain().done()) {
            var next = state.worker(worker.id())
                    .orElseThrow()
                    .draining(worker.drain().done(left.isEmpty()));
            state.keep(next);
            state.act(new WorkerEvent(next));
        }
    }

    private void changed(Worker worker) {
        state.keep(worker);
        state.act(new ObserveNode(worker));
        state.act(new WorkerEvent(worker));
    }

    /** Any frame of the current session renews the lease; those of older sessions count for nothing. */
    boolean frame(String worker, long session, Instant now) {
        var current = state.worker(worker).filter(known -> known.session() == session);
        if (current.isEmpty()) {
            return false;
        }
        if (current.get().state() == WorkerState.SUSPECT) {
            var ready = current.get().frame(now).in(WorkerState.READY, now);
            state.keep(ready);
            state.act(new FleetAction.RequestInventory(session));
            state.act(new ObserveNode(ready));
            state.act(new WorkerEvent(ready));
        } else {
            state.remember(current.get().frame(now));
        }
        return true;
    }

    /** Since when an earlier start of the worker has sent no frame; empty if this is still the same start. */
    private static Optional<Instant> restarted(Optional<Worker> before, WorkerHello hello) {
        return before.filter(known -> known.hello().boot() != hello.boot()).map(Worker::frameAt);
    }

    void passed(Instant now) {
        forgive(now);
        for (var worker : state.workers()) {
            passed(worker, now);
        }
        foreign.values().removeIf(ofWorker -> {
            ofWorker.values().removeIf(stranger -> endForeign(stranger, now));
            return ofWorker.isEmpty();
        });
    }

    /** If this process did not look for a while, the frames of that time are still to be read. */
    private void forgive(Instant now) {
        var pause = lookedAt.map(before -> Duration.between(before, now)).orElse(Duration.ZERO);
        lookedAt = Optional.of(now);
        if (pause.compareTo(FleetTiming.OWN_PAUSE) > 0) {
            state.workers().stream()
                    .filter(Worker::connected)
                    .forEach(worker ->
                            state.remember(worker.frame(worker.frameAt().plus(pause))));
        }
    }

    private void passed(Worker worker, Instant now) {
        if (worker.drain().on() && worker.state() == WorkerState.READY) {
            drain(worker, now);
        }
        switch (worker.state()) {
            case READY -> {
                if (!now.isBefore(worker.frameAt().plus(lease(worker.id())))) {
                    suspect(worker, now);
                }
            }
            case SUSPECT -> {
                if (!now.isBefore(worker.since().plus(timing.lost()))) {
                    lose(worker, now);
                }
            }
            case ENROLLED, LOST, GONE -> {
                boolean certified = now.isBefore(worker.credential().endsAt());
                if (!certified && !now.isBefore(worker.since().plus(FleetTiming.LOST_RETAINED))) {
                    state.forget(worker);
                    paces.remove(worker.id());
                }
            }
            case BANNED -> {
                // For good, or until the operator lifts it.
            }
        }
    }

    private void lose(Worker worker, Instant now) {
        var lost = worker.withSession(0).in(WorkerState.LOST, now);
        state.keep(lost);
        if (worker.connected()) {
            state.act(new Close(worker.session(), Cause.SUPERSEDED, "no frame came for too long"));
        }
        state.instancesOn(worker.id())
                .forEach(instance -> rules.failed(instance, "its worker " + worker.id() + " is lost", now));
        state.act(new ObserveNode(lost));
        state.act(new WorkerEvent(lost));
    }

    Duration heartbeat(String worker) {
        var next = timing.heartbeat(state.workerCount());
        paces.merge(worker, new Pace(next, next), (known, fresh) -> new Pace(next, known.last()));
        return next;
    }

    private Duration lease(String worker) {
        return Optional.ofNullable(paces.get(worker))
                .map(pace -> timing.lease(pace.slowest()))
                .orElse(timing.lease());
    }

    private boolean endForeign(Foreign stranger, Instant now) {
        if (now.isBefore(stranger.since().plus(FleetTiming.FOREIGN))) {
            return false;
        }
        if (state.instance(stranger.instance())
                .filter(known -> known.isOn(stranger.worker(), stranger.generation()))
                .isEmpty()) {
            rules.stop(stranger.worker(), stranger.instance(), stranger.generation(), "unknown");
        }
        return true;
    }
}
