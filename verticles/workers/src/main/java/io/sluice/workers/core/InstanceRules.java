package io.sluice.workers.core;

import io.sluice.units.Resources;
import io.sluice.units.WorkerNames;
import io.sluice.workers.core.FleetAction.GiveBack;
import io.sluice.workers.core.FleetAction.InstanceEvent;
import io.sluice.workers.core.FleetAction.ObserveBound;
import io.sluice.workers.core.FleetAction.ObserveGone;
import io.sluice.workers.core.InstanceReport.Observed;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** From one state of an instance to the next. */
final class InstanceRules {
    private final WorkerTables state;
    private final FleetTiming timing;

    /** What those have that may not have applied a decrease yet, by their names in the ledger. */
    private final Map<String, Resources> before = new HashMap<>();

    InstanceRules(WorkerTables state, FleetTiming timing) {
        this.state = state;
        this.timing = timing;
    }

    private void enter(Instance instance) {
        state.keep(instance);
        if (!state.isReplaced(instance)) {
            state.act(new InstanceEvent(instance));
        }
    }

    /** Writes the worker down for the instance, and orders it to start it. */
    void assign(Instance instance, String worker, Instant now) {
        var assigned = instance.on(worker, now).versioned(state.version(now));
        enter(assigned);
        state.act(new ObserveBound(assigned));
        state.order(worker, Order.Kind.ASSIGN, assigned.id(), assigned.numbers().generation(), assigned.granted(), "");
    }

    /** Applies a report of the instance's own worker. */
    void reported(Instance instance, InstanceReport report, Instant now) {
        switch (report.state()) {
            case CREATING -> progress(instance, InstanceState.CREATING, now);
            case RUNNING -> progress(instance, InstanceState.RUNNING, now);
            case DESTROYING -> {
                // Its end is reported too.
            }
            case TERMINATED, FAILED -> ended(instance, report, now);
        }
    }

    /** Late reports take nothing back: a start after the run, or a run after the stop. */
    private void progress(Instance instance, InstanceState observed, Instant now) {
        boolean forward = switch (instance.state()) {
            case ASSIGNED -> true;
            case UNKNOWN -> !instance.awaitsFence();
            case CREATING -> observed == InstanceState.RUNNING;
            case PENDING, RUNNING, REPLACED, RECREATING, DESTROYING, TERMINATED, FAILED -> false;
        };
        if (forward) {
            enter(instance.in(observed, "", now));
        }
        if (forward && observed == InstanceState.RUNNING) {
            state.replaced(instance.id())
                    .filter(old -> old.state() == InstanceState.REPLACED && !state.isReplaced(instance))
                    .ifPresent(old -> stopReplaced(old, now));
        }
    }

    void stopReplaced(Instance old, Instant now) {
        var ending = old.toRemove().in(InstanceState.DESTROYING, "its successor runs", now);
        enter(ending);
        stop(ending.worker(), ending.id(), ending.numbers().generation(), "replaced");
    }

    /** Another one of its id is to run on another worker before this one stops. */
    Instance replace(Instance instance, InstanceSpec next, String reason, Instant now) {
        var successor = instance.successor(next, reason, state.version(now), now);
        state.replace(instance.in(InstanceState.REPLACED, reason, now), successor);
        state.act(new InstanceEvent(successor));
        return successor;
    }

    /** It stops, and starts again where it is, in the room that it has; the ledger has granted what it has to have. */
    Instance recreate(Instance instance, InstanceSpec next, Instant now) {
        var room = instance.granted().max(next.requests());
        var ending = instance.amended(next, room, state.version(now))
                .in(InstanceState.RECREATING, "it is started anew", now);
        enter(ending);
        if (!room.equals(instance.granted())) {
            state.act(new ObserveBound(ending));
        }
        stop(ending.worker(), ending.id(), ending.numbers().generation(), "recreated");
        return ending;
    }

    private void startAgain(Instance instance, Instant now) {
        state.withdraw(instance.worker(), instance.id());
        before.remove(instance.uid());
        var assigned = instance.startedAgain(state.version(now), now);
        enter(assigned);
        if (!assigned.granted().equals(instance.granted())) {
            state.act(new GiveBack(assigned));
            state.act(new ObserveBound(assigned));
        }
        state.order(
                assigned.worker(),
                Order.Kind.ASSIGN,
                assigned.id(),
                assigned.numbers().generation(),
                assigned.granted(),
                "");
    }

    /**
     * An attempt to run a successor is over, while what it replaces runs on. An update is given up; a move is tried
     * again.
     *
     * @return whether that was so
     */
    private boolean successorEnded(Instance instance, String reason, Instant now) {
        var old = state.replaced(instance.id())
                .filter(before -> before.state() == InstanceState.REPLACED && !state.isReplaced(instance));
        if (old.isEmpty() || instance.removed()) {
            return false;
        }
        if (!isUpdate(instance)) {
            int failures = instance.retry().failures() + 1;
            var from = now.plus(FleetTiming.backoff(failures, FleetTiming.PLACE_BACKOFF_MAX));
            enter(instance.again(reason, new Instance.Retry(failures, from), state.version(now), now));
        } else {
            giveUp(instance, "the update was given up: " + reason, now);
        }
        return true;
    }

    /** Whether the instance is to replace one of another content. */
    boolean isUpdate(Instance instance) {
        return state.replaced(instance.id())
                .filter(old ->
                        old.state() == InstanceState.REPLACED && !old.spec().equals(instance.spec()))
                .isPresent();
    }

    /** It waits for a worker with another content. */
    Instance amendedPending(Instance instance, InstanceSpec next, Instant now) {
        var waits = instance.amended(next, next.requests(), state.version(now))
                .again("", instance.retry(), state.version(now), now);
        enter(waits);
        return waits;
    }

    /** The successor has no room or does not start: what it was to replace goes on. */
    void giveUp(Instance successor, String reason, Instant now) {
        state.replaced(successor.id()).ifPresent(old -> {
            var back = old.reverted(successor, reason, state.version(now), now);
            state.revert(back);
            state.act(new InstanceEvent(back));
        });
    }

    private void ended(Instance instance, InstanceReport report, Instant now) {
        if (state.isReplaced(instance)) {
            release(instance, now);
            state.forget(instance);
            return;
        }
        if (instance.state() == InstanceState.RECREATING) {
            boolean there = state.worker(instance.worker())
                    .filter(worker -> worker.state() == WorkerState.READY)
                    .isPresent();
            if (there) {
                startAgain(instance, now);
            } else {
                refused(instance, report.reason(), now);
            }
            return;
        }
        boolean fails = instance.fails();
        if (instance.state() == InstanceState.DESTROYING && !instance.removed() && !fails) {
            refused(instance, instance.status().reason(), now);
            return;
        }
        boolean failed = fails || report.state() == Observed.FAILED;
        var reason = fails ? instance.status().reason() : report.reason();
        release(instance, now);
        if (successorEnded(instance, reason, now)) {
            return;
        }
        if (instance.removed()) {
            enter(instance.ended(InstanceState.TERMINATED, reason, report.exitCode(), now));
            return;
        }
        var end = failed ? InstanceState.FAILED : InstanceState.TERMINATED;
        var over = instance.ended(end, reason, report.exitCode(), now);
        enter(over);
        restart(over, failed, settled(instance, now) ? 0 : instance.retry().failures(), now);
    }

    private static boolean settled(Instance instance, Instant now) {
        return instance.state() == InstanceState.RUNNING
                && !now.isBefore(instance.status().since().plus(FleetTiming.SETTLED));
    }

    /** Fails an instance of which no end was or will be reported. */
    void failed(Instance instance, String reason, Instant now) {
        ended(instance, new InstanceReport(instance.id(), 0, Observed.FAILED, reason, 0), now);
    }

    private void restart(Instance over, boolean failed, int failuresBefore, Instant now) {
        boolean again = switch (over.spec().restart()) {
            case ALWAYS -> true;
            case ON_FAILURE -> failed;
            case NEVER -> false;
        };
        if (!again) {
            return;
        }
        int failures = failuresBefore + 1;
        var from = now.plus(FleetTiming.backoff(failures, FleetTiming.RESTART_BACKOFF_MAX));
        enter(over.again(over.status().reason(), new Instance.Retry(failures, from), state.version(now), now));
    }

    private void release(Instance instance, Instant now) {
        state.withdraw(instance.worker(), instance.id());
        before.remove(instance.uid());
        if (instance.state().holdsRoom()) {
            state.act(new ObserveGone(instance.uid(), instance.worker(), state.version(now)));
        }
    }

    /** The worker does not take the instance: it goes elsewhere after a while. */
    void refused(Instance instance, String reason, Instant now) {
        release(instance, now);
        if (state.isReplaced(instance)) {
            state.forget(instance);
            return;
        }
        if (successorEnded(instance, reason, now)) {
            return;
        }
        if (instance.removed()) {
            enter(instance.ended(InstanceState.TERMINATED, reason, 0, now));
            return;
        }
        int failures = instance.retry().failures() + 1;
        var from = now.plus(FleetTiming.backoff(failures, FleetTiming.PLACE_BACKOFF_MAX));
        enter(instance.again(reason, new Instance.Retry(failures, from), state.version(now), now));
    }

    /** Orders whatever runs of that generation there to stop. */
    void stop(String worker, String instance, long generation, String reason) {
        state.withdraw(worker, instance);
        state.order(worker, Order.Kind.STOP, instance, generation, Resources.NONE, reason);
    }

    /** Ends the instance for good. */
    Instance remove(Instance instance, Instant now) {
        if (instance.removed()) {
            return instance;
        }
        state.replaced(instance.id())
                .filter(old -> !state.isReplaced(instance) && !old.removed())
                .ifPresent(old -> remove(old, now));
        var removed = instance.toRemove();
        if (instance.awaitsFence()) {
            enter(removed);
            return removed;
        }
        if (!instance.state().holdsRoom()) {
            var over = removed.ended(InstanceState.TERMINATED, "removed", 0, now);
            enter(over);
            return over;
        }
        var ending = removed.in(InstanceState.DESTROYING, "removed", now);
        enter(ending);
        stop(ending.worker(), ending.id(), ending.numbers().generation(), "removed");
        return ending;
    }

    /** The ledger has granted a new size, or the instance holds no room yet. */
    Instance resized(Instance instance, Resources amounts, Instant now) {
        var next = instance.resized(amounts, state.version(now));
        enter(next);
        if (next.state().holdsRoom()) {
            // An increase counts before it is used; a decrease once the worker has applied it.
            if (!instance.granted().exceeds(amounts)) {
                state.act(new ObserveBound(next));
            }
            state.order(
                    next.worker(), Order.Kind.RESIZE, next.id(), next.numbers().generation(), amounts, "");
            if (instance.granted().exceeds(amounts)) {
                before.merge(next.uid(), instance.granted(), Resources::max);
                state.act(new GiveBack(next));
            }
        }
        return next;
    }

    /** What the instance may use: what it is granted, and what it had until its worker has applied that. */
    Resources room(Instance instance) {
        boolean applied = instance.state() == InstanceState.RUNNING
                && state.orders(instance.worker()).stream()
                        .noneMatch(order -> order.instance().equals(instance.id()));
        if (applied) {
            before.remove(instance.uid());
        }
        return before.getOrDefault(instance.uid(), Resources.NONE).max(instance.granted());
    }

    /** The worker has taken an order. */
    void acknowledged(Order order, boolean accepted, String reason, Instant now) {
        var found = state.instanceOn(order.worker(), order.instance(), order.generation());
        if (found.isEmpty()) {
            return;
        }
        var instance = found.get();
        switch (order.kind()) {
            case ASSIGN -> assignAcknowledged(instance, accepted, reason, now);
            case RESIZE -> resizeAcknowledged(instance, order, accepted, now);
            case STOP -> {
                if (!accepted) {
                    ended(instance, new InstanceReport(instance.id(), 0, Observed.TERMINATED, reason, 0), now);
                }
            }
        }
    }

    private void assignAcknowledged(Instance instance, boolean accepted, String reason, Instant now) {
        if (!accepted) {
            refused(instance, reason, now);
        } else if (instance.state() == InstanceState.ASSIGNED) {
            enter(instance.in(InstanceState.CREATING, "", now));
        }
    }

    private void resizeAcknowledged(Instance instance, Order order, boolean accepted, Instant now) {
        if (order.generation() != instance.numbers().generation()) {
            return;
        }
        if (accepted) {
            before.remove(instance.uid());
            state.act(new GiveBack(instance));
            state.act(new ObserveBound(instance));
        } else {
            abandon(instance, "it could not be resized", now);
        }
    }

    /** It has no worker, and is tried again in a second. */
    void waits(Instance instance, String reason, Instant now) {
        boolean known = instance.status().reason().equals(reason);
        var next = instance.in(InstanceState.PENDING, reason, instance.status().since())
                .with(new Instance.Retry(instance.retry().failures(), now.plus(FleetTiming.PLACE_EVERY)));
        if (known) {
            state.remember(next);
        } else {
            enter(next);
        }
    }

    /** Its worker is suspect. */
    void suspected(Instance instance, Instant now) {
        boolean ends = switch (instance.state()) {
            case DESTROYING, RECREATING, REPLACED -> true;
            case PENDING, ASSIGNED, CREATING, RUNNING, UNKNOWN, TERMINATED, FAILED -> false;
        };
        if (!ends && !instance.awaitsFence()) {
            enter(instance.unknown("its worker is suspect", now));
        }
    }

    /** What time alone changes. */
    void passed(Instance instance, boolean workerReady, Instant now) {
        var waited = Duration.between(instance.status().since(), now);
        switch (instance.state()) {
            case ASSIGNED -> {
                if (workerReady && waited.compareTo(timing.ack()) >= 0) {
                    unacknowledged(instance, now);
                }
            }
            case CREATING -> {
                if (workerReady && waited.compareTo(timing.start()) >= 0) {
                    abandon(
                            instance,
                            "it did not start within " + timing.start().toSeconds() + " s",
                            now);
                }
            }
            case DESTROYING, RECREATING -> {
                if (workerReady && waited.compareTo(timing.grace().plus(FleetTiming.STOP_AGAIN)) >= 0) {
                    enter(instance.in(instance.state(), "it does not stop", now));
                    stop(instance.worker(), instance.id(), instance.numbers().generation(), "once more");
                }
            }
            case TERMINATED, FAILED -> {
                if (waited.compareTo(FleetTiming.RETAINED) >= 0) {
                    state.forget(instance);
                }
            }
            case UNKNOWN -> {
                if (!now.isBefore(instance.retry().notBefore())) {
                    failed(instance, "it ended with an earlier start of its worker", now);
                }
            }
            case PENDING, RUNNING, REPLACED -> {
                // Decided by others.
            }
        }
    }

    /** It may have started all the same, so it is stopped there before it starts elsewhere. */
    private void unacknowledged(Instance instance, Instant now) {
        var reason = "worker " + instance.worker() + " did not acknowledge its order";
        if (instance.spec().exclusive()) {
            stopFirst(instance, reason, now);
            return;
        }
        var worker = instance.worker();
        refused(instance, reason, now);
        stop(worker, instance.id(), instance.numbers().generation(), reason);
    }

    /** It is stopped, and fails at its end. */
    private void abandon(Instance instance, String reason, Instant now) {
        int failures = settled(instance, now) ? 0 : instance.retry().failures();
        destroy(instance.with(new Instance.Retry(failures, Instance.Retry.NEVER)), reason, now);
    }

    /** It is stopped, and goes elsewhere after its end. */
    void stopFirst(Instance instance, String reason, Instant now) {
        destroy(instance.with(new Instance.Retry(instance.retry().failures(), now)), reason, now);
    }

    /** It holds its place until its worker reports its end, or is lost. */
    private void destroy(Instance instance, String reason, Instant now) {
        enter(instance.in(InstanceState.DESTROYING, reason, now));
        stop(instance.worker(), instance.id(), instance.numbers().generation(), reason);
    }

    /**
     * The program on the worker has started anew and has no such instance. What the one before started runs on until
     * its fence.
     */
    void awaitsFence(Instance instance, Instant until, String reason, Instant now) {
        state.withdraw(instance.worker(), instance.id());
        if (!instance.awaitsFence()) {
            enter(instance.unknown(reason, now)
                    .with(new Instance.Retry(instance.retry().failures(), until)));
        }
    }

    /** After a start of the scheduler nothing is certain until the worker is back. */
    Instance restored(Instance instance, Instant now) {
        boolean uncertain = switch (instance.state()) {
            case ASSIGNED, CREATING, RUNNING, UNKNOWN -> true;
            case PENDING, REPLACED, RECREATING, DESTROYING, TERMINATED, FAILED -> false;
        };
        return !uncertain || instance.awaitsFence() ? instance : instance.unknown("its worker is not back yet", now);
    }

    /** Whether the uid and version are those of the attempt under way. */
    static boolean isAttempt(Instance instance, String uid, long version) {
        return instance.state() == InstanceState.PENDING
                && instance.uid().equals(uid)
                && instance.numbers().version() == version
                && WorkerNames.isInstance(uid);
    }
}
