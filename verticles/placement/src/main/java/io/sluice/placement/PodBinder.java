package io.sluice.placement;

import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PlacementAddresses;
import io.sluice.bus.VmAddresses;
import io.sluice.bus.WorkerAddresses;
import io.sluice.devices.GpuShare;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.messages.placement.PlacementDecision;
import io.sluice.messages.vm.BindPod;
import io.sluice.messages.vm.PodBinding;
import io.sluice.messages.vm.TouchPod;
import io.sluice.placement.core.PlacementAttempt;
import io.sluice.placement.core.PlacementAttempt.Outcome;
import io.sluice.shell.LogKeys;
import io.sluice.units.WorkerNames;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Performs the steps of attempts: it holds room, binds the pod, and releases the hold of a pod that is not bound. */
public final class PodBinder {
    private static final Logger LOG = LoggerFactory.getLogger(PodBinder.class);

    private final Bus bus;
    private final Function<String, Optional<Instant>> stateOf;

    /** @param stateOf which ledger state of a node is known here, by when it was completed; empty if none */
    public PodBinder(Bus bus, Function<String, Optional<Instant>> stateOf) {
        this.bus = bus;
        this.stateOf = stateOf;
    }

    /**
     * Performs an attempt to its end.
     *
     * @param missing why no bind may be sent now; empty while it may. It is asked just before the bind is sent
     * @param held runs once room is held, with the GPUs that the ledger has chosen
     */
    public Future<PlacementAttempt.End> perform(
            PlacementAttempt attempt, Supplier<Optional<String>> missing, Consumer<List<GpuShare>> held) {
        return switch (attempt.begin()) {
            case PlacementAttempt.Hold(var hold) ->
                send(hold).compose(reply -> {
                    var next = attempt.held(reply);
                    if (next instanceof PlacementAttempt.Bind(var bind)) {
                        held.accept(bind.gpus().shares());
                    }
                    return bind(attempt, next, missing);
                });
            case PlacementAttempt.Step next -> bind(attempt, next, missing);
        };
    }

    private Future<PlacementAttempt.End> bind(
            PlacementAttempt attempt, PlacementAttempt.Step step, Supplier<Optional<String>> missing) {
        return switch (step) {
            case PlacementAttempt.Bind(var bind) ->
                missing.get()
                        .map(reason -> ended(attempt, attempt.notSent(reason)))
                        .orElseGet(() -> answered(send(bind))
                                .compose(binding -> bind(attempt, attempt.bound(binding), missing)));
            case PlacementAttempt.Touch(var touch) ->
                touch(touch).compose(found -> ended(attempt, attempt.touched(found)));
            case PlacementAttempt.End end -> ended(attempt, end);
            case PlacementAttempt.Hold _ -> throw new IllegalStateException("room is held once");
        };
    }

    /** Holds room and does nothing else; the reply is empty if there was none. */
    public Future<Optional<HoldReply>> hold(PlacementAttempt attempt) {
        return attempt.begin() instanceof PlacementAttempt.Hold(var hold)
                ? send(hold)
                : Future.failedFuture(new IllegalStateException("the attempt needs no hold"));
    }

    /** Where a state is known here that was lost since, the request is sent once more, with the present one. */
    private Future<Optional<HoldReply>> send(HoldRoom hold) {
        return sendOnce(hold.knowing(stateOf.apply(hold.node())))
                .compose(reply -> reply.orElse(null) instanceof HoldReply.StateReplaced(var present)
                        ? sendOnce(hold.knowing(Optional.of(present)))
                        : Future.succeededFuture(reply));
    }

    private Future<Optional<HoldReply>> sendOnce(HoldRoom hold) {
        return answered(bus.request(LedgerAddresses.HOLD, hold));
    }

    /**
     * Holds room once more and binds the pod: since the room was held the ledger may have lost its state, and given the
     * room away. The hold stays, however that ends.
     */
    public Future<PlacementAttempt.End> bindHeld(PlacementAttempt attempt, Supplier<Optional<String>> missing) {
        return hold(attempt)
                .map(attempt::held)
                .compose(step -> switch (step) {
                    case PlacementAttempt.Bind(var bind) ->
                        missing.get()
                                .map(reason -> Future.succeededFuture(attempt.notSent(reason)))
                                .orElseGet(() -> sendHeld(attempt, bind));
                    case PlacementAttempt.End end ->
                        Future.succeededFuture(PlacementAttempt.End.without(end.outcome(), end.reason()));
                    case PlacementAttempt.Step other -> throw new IllegalStateException("no bind follows: " + other);
                })
                .onSuccess(end -> decided(attempt, end));
    }

    private Future<PlacementAttempt.End> sendHeld(PlacementAttempt attempt, BindPod bind) {
        return answered(send(bind)).compose(binding -> switch (attempt.bound(binding)) {
            case PlacementAttempt.End end -> Future.succeededFuture(end);
            case PlacementAttempt.Step _ -> touchHeld(attempt);
        });
    }

    /** Touches a pod whose room is held. The hold stays, however that ends. */
    public Future<PlacementAttempt.End> touchHeld(PlacementAttempt attempt) {
        return touch(attempt.touch().request()).map(attempt::touched);
    }

    /** Instances of workers have another driver than pods. */
    private Future<PodBinding> send(BindPod bind) {
        return WorkerNames.isInstance(bind.uid())
                ? bus.request(WorkerAddresses.BIND, bind)
                : bus.request(VmAddresses.BIND_POD, bind);
    }

    /** The reply to a touch; empty if there is none. */
    Future<Optional<PodBinding>> touch(TouchPod touch) {
        return answered(
                WorkerNames.isInstance(touch.uid())
                        ? bus.request(WorkerAddresses.TOUCH, touch)
                        : bus.request(VmAddresses.TOUCH_POD, touch));
    }

    /** The reply to a request; empty if there is none. */
    private static <A> Future<Optional<A>> answered(Future<A> request) {
        return request.map(Optional::of).otherwise(lost -> {
            LOG.atDebug().addKeyValue(LogKeys.ERROR, lost.toString()).log("A request had no reply.");
            return Optional.empty();
        });
    }

    private Future<PlacementAttempt.End> ended(PlacementAttempt attempt, PlacementAttempt.End end) {
        end.release().ifPresent(this::release);
        decided(attempt, end);
        return Future.succeededFuture(end);
    }

    private void decided(PlacementAttempt attempt, PlacementAttempt.End end) {
        var pod = attempt.pod().pod();
        var kind = end.outcome() == Outcome.PLACED ? PlacementDecision.Kind.PLACED : PlacementDecision.Kind.NOT_PLACED;
        decided(new PlacementDecision(kind, pod.uid(), pod.namespace(), pod.name(), attempt.node(), end.reason()));
    }

    /** A hold whose release does not reach the ledger is found as left over. */
    public void release(ReleaseHold hold) {
        bus.request(LedgerAddresses.RELEASE, hold);
    }

    /** Publishes and logs a decision. */
    public void decided(PlacementDecision decision) {
        bus.publish(PlacementAddresses.DECISION, decision);
        LOG.atInfo()
                .addKeyValue(LogKeys.KIND, decision.kind())
                .addKeyValue(LogKeys.POD, decision.namespace() + "/" + decision.name())
                .addKeyValue(LogKeys.NODE, decision.node())
                .addKeyValue(LogKeys.REASON, decision.reason())
                .log("A decision about a pod that is to be placed.");
    }
}
