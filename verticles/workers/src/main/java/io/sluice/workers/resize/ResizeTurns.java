package io.sluice.workers.resize;

import io.sluice.bus.Bus;
import io.sluice.units.Resources;
import io.sluice.workers.core.Instance;
import io.sluice.workers.core.WorkerFleet;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Has one conversation with the ledger at a time about each instance. Whatever the ledger may reserve beyond what the
 * instance was granted is given back, as often as that takes while the instance holds room. For one context.
 */
public final class ResizeTurns {
    private static final int WAITING_MAX = 16;
    private static final long PAUSE_MS = 1_000;
    private static final long PAUSE_MAX_MS = 30_000;
    private static final long NO_TIMER = -1;

    private final Vertx vertx;
    private final WorkerFleet fleet;
    private final Resizer resizer;
    private final BooleanSupplier leads;
    private final Map<String, Turns> turns = new HashMap<>();

    /** What is under way and waits for one instance. */
    private static final class Turns {
        final Instance first;
        final Deque<Supplier<Future<?>>> waiting = new ArrayDeque<>();
        boolean busy;

        /** Whether the ledger may reserve more than is granted. */
        boolean owes;

        /** Whether that is to be given back now, not after a pause. */
        boolean due;

        long pauseMs = PAUSE_MS;
        long timer = NO_TIMER;

        Turns(Instance first) {
            this.first = first;
        }
    }

    /** @param leads whether no other process has the fleet */
    public ResizeTurns(Vertx vertx, Bus bus, WorkerFleet fleet, BooleanSupplier leads) {
        this.vertx = vertx;
        this.fleet = fleet;
        this.leads = leads;
        resizer = new Resizer(bus, "workers-" + UUID.randomUUID());
    }

    /**
     * Requests more for an instance at its turn. What is granted and not taken is given back.
     *
     * @param take is applied to what the instance may have, and changes what it is granted before it returns
     */
    public <T> Future<T> more(Instance instance, Resources target, Function<Resources, T> take) {
        var own = turns.computeIfAbsent(instance.uid(), uid -> new Turns(instance));
        if (own.waiting.size() >= WAITING_MAX) {
            return Future.failedFuture("too many resizes of instance " + instance.id() + " wait");
        }
        Promise<T> done = Promise.promise();
        own.waiting.add(() -> more(own, instance, target, take).onComplete(done));
        next(own);
        return done.future();
    }

    /** The instance has less than before, or its worker has applied its size. */
    public void giveBack(Instance instance) {
        var own = turns.computeIfAbsent(instance.uid(), uid -> new Turns(instance));
        own.owes = true;
        own.due = true;
        own.pauseMs = PAUSE_MS;
        next(own);
    }

    private void next(Turns own) {
        if (own.busy) {
            return;
        }
        if (!own.waiting.isEmpty()) {
            begin(own, own.waiting.remove());
        } else if (own.due) {
            begin(own, () -> giveBack(own));
        } else if (own.owes) {
            pause(own);
        } else {
            vertx.cancelTimer(own.timer);
            turns.remove(own.first.uid());
        }
    }

    private void begin(Turns own, Supplier<Future<?>> turn) {
        own.busy = true;
        turn.get().onComplete(over -> {
            own.busy = false;
            next(own);
        });
    }

    private void pause(Turns own) {
        if (own.timer != NO_TIMER) {
            return;
        }
        own.timer = vertx.setTimer(own.pauseMs, timer -> {
            own.timer = NO_TIMER;
            own.due = own.owes;
            next(own);
        });
        own.pauseMs = Math.min(2 * own.pauseMs, PAUSE_MAX_MS);
    }

    private <T> Future<T> more(Turns own, Instance instance, Resources target, Function<Resources, T> take) {
        var present = present(own)
                .filter(now -> now.numbers().generation() == instance.numbers().generation());
        if (present.isEmpty()) {
            return Future.failedFuture("instance " + instance.id() + " has changed meanwhile");
        }
        own.owes = true;
        own.pauseMs = PAUSE_MS;
        var room = fleet.room(present.get());
        return resizer.permit(present.get(), target.max(room), room)
                .map(permit -> {
                    var taken = take.apply(permit);
                    settle(own, permit);
                    return taken;
                })
                .compose(taken -> giveBack(own).map(given -> taken));
    }

    /** What the worker has not applied yet stays reserved. Never fails. */
    private Future<Void> giveBack(Turns own) {
        own.due = false;
        var present = present(own);
        own.owes &= present.isPresent();
        if (!own.owes || !leads.getAsBoolean() || !isApplied(present.get())) {
            return Future.succeededFuture();
        }
        var granted = present.get().granted();
        return resizer.permit(present.get(), granted, granted)
                .onSuccess(permit -> settle(own, permit))
                .<Void>mapEmpty()
                .otherwiseEmpty();
    }

    private void settle(Turns own, Resources reserved) {
        own.owes = present(own).filter(now -> !now.granted().equals(reserved)).isPresent();
        own.due &= own.owes;
    }

    private Optional<Instance> present(Turns own) {
        return fleet.instanceOn(own.first.worker(), own.first.id())
                .filter(now -> now.uid().equals(own.first.uid()));
    }

    private boolean isApplied(Instance instance) {
        return fleet.room(instance).equals(instance.granted());
    }
}
