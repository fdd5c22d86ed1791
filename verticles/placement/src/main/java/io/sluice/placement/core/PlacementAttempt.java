package io.sluice.placement.core;

import io.sluice.devices.GpuGrant;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.AttemptId;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.placement.PlaceReply;
import io.sluice.messages.vm.BindPod;
import io.sluice.messages.vm.PodBinding;
import io.sluice.messages.vm.TouchPod;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.shell.explain.PlacementReasons;
import java.util.Objects;
import java.util.Optional;

/**
 * One attempt to bind a pod to a node. It holds room, binds, and releases the hold if the pod is certainly not bound
 * there. A bind in doubt is settled by a touch of the pod: the Binding names the version that the pod had before the
 * hold, so it cannot take effect afterwards, nor for a pod whose size is not the observed one.
 *
 * @param pod the pod, as observed before room is held
 * @param node where to
 * @param id never used for another attempt; empty where the pod takes over the hold of its migration
 */
public record PlacementAttempt(PodToPlace pod, String node, Optional<String> id) {
    /** How an attempt ends. */
    public enum Outcome {
        PLACED,
        NOT_PENDING,
        HOLD_REFUSED,
        HOLD_LOST,
        NOT_BOUND,
        IN_DOUBT
    }

    /** The next thing to do. */
    public sealed interface Step {}

    /** Room is to be held. */
    public record Hold(HoldRoom request) implements Step {}

    /** The pod is to be bound. */
    public record Bind(BindPod request) implements Step {}

    /** The pod is to be touched, as it may be bound or not. */
    public record Touch(TouchPod request) implements Step {}

    /**
     * The attempt is over.
     *
     * @param reason in words; empty if the pod is bound
     * @param release what frees the room; empty if the hold stays, or if there is none
     */
    public record End(Outcome outcome, String reason, Optional<ReleaseHold> release) implements Step {
        /** An end that frees nothing. */
        public static End without(Outcome outcome, String reason) {
            return new End(outcome, reason, Optional.empty());
        }

        /** The reply to who requested the attempt. */
        public PlaceReply reply() {
            return switch (outcome) {
                case PLACED -> new PlaceReply.Placed();
                case IN_DOUBT -> new PlaceReply.InDoubt(reason);
                case NOT_PENDING, HOLD_REFUSED, HOLD_LOST, NOT_BOUND -> new PlaceReply.NotPlaced(reason);
            };
        }
    }

    public PlacementAttempt {
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(id, "id");
    }

    /** The attempt for which room is held, as far as its hold shows it. */
    static PlacementAttempt of(String node, ReservationView hold) {
        var pod = new PodObserved(hold.pod(), hold.namespace(), hold.name(), "", hold.vmName(), 0, hold.reserved(), 0);
        return new PlacementAttempt(
                new PodToPlace(pod, hold.traits().overcommit()),
                node,
                Optional.of(hold.traits().heldFor()));
    }

    /** The first step. */
    public Step begin() {
        return id.<Step>map(attempt -> new Hold(hold(attempt))).orElseGet(() -> bind(GpuGrant.NONE));
    }

    /** The room that it needs, under its id. */
    public HoldRoom room() {
        return hold(id.orElse(AttemptId.NONE));
    }

    /**
     * The step after a hold was requested.
     *
     * @param reply empty if there is none
     */
    public Step held(Optional<HoldReply> reply) {
        if (reply.isEmpty()) {
            // No bind was sent, so the room is free again, if it was held at all.
            return new End(Outcome.HOLD_LOST, "the ledger did not reply", release());
        }
        return refusal(reply.get())
                .<Step>map(reason -> End.without(Outcome.HOLD_REFUSED, reason))
                .orElseGet(() -> bind(gpus(reply.get())));
    }

    private static GpuGrant gpus(HoldReply reply) {
        return reply instanceof HoldReply.Held held ? held.gpus() : GpuGrant.NONE;
    }

    /** The end where no bind may be sent any more. */
    public End notSent(String reason) {
        return notBound(reason);
    }

    /**
     * The step after a bind was requested.
     *
     * @param reply empty if there is none
     */
    public Step bound(Optional<PodBinding> reply) {
        return reply.map(this::bound).orElseGet(this::touch);
    }

    private Step bound(PodBinding binding) {
        return switch (binding) {
            case PodBinding.Bound(var found) -> foundOn(found);
            case PodBinding.Gone _ -> notBound("the pod has ended");
            case PodBinding.Refused(var reason) -> notBound(reason);
            case PodBinding.Unbound _, PodBinding.InDoubt _ -> touch();
        };
    }

    /**
     * The step after a touch was requested.
     *
     * @param reply empty if there is none
     */
    public End touched(Optional<PodBinding> reply) {
        return reply.map(this::touched).orElseGet(() -> inDoubt("there was no reply about the pod"));
    }

    private End touched(PodBinding found) {
        return switch (found) {
            case PodBinding.Bound(var bound) -> foundOn(bound);
            case PodBinding.Unbound _ ->
                notBound("the Binding had no effect: the pod had changed, or the API server was late");
            case PodBinding.Gone _ -> notBound("the pod has ended");
            case PodBinding.Refused(var reason) -> inDoubt(reason);
            case PodBinding.InDoubt(var reason) -> inDoubt(reason);
        };
    }

    private End foundOn(String bound) {
        return bound.equals(node) ? End.without(Outcome.PLACED, "") : notBound("the pod is bound to node " + bound);
    }

    private End notBound(String reason) {
        return new End(Outcome.NOT_BOUND, reason, release());
    }

    private static End inDoubt(String reason) {
        return End.without(Outcome.IN_DOUBT, "it is unknown whether the pod is bound: " + reason);
    }

    /** What frees its room; empty if it holds none of its own. */
    Optional<ReleaseHold> release() {
        return id.map(attempt -> new ReleaseHold(node, pod.pod().uid(), attempt));
    }

    private Bind bind(GpuGrant gpus) {
        var of = pod.pod();
        return new Bind(new BindPod(of.uid(), of.namespace(), of.name(), node, of.version(), gpus));
    }

    /** The step where it is unknown whether the pod is bound. */
    public Touch touch() {
        return new Touch(pod.touch());
    }

    /** It ends only with the pod, or by a touch of it. */
    private HoldRoom hold(String attempt) {
        var of = pod.pod();
        return new HoldRoom(
                node,
                of.uid(),
                of.namespace(),
                of.name(),
                of.vmName(),
                of.amounts(),
                pod.overcommit(),
                HoldRoom.UNTIL_RELEASED,
                attempt,
                of.fixed(),
                of.gpus().requests(),
                of.priority());
    }

    /** Why the pod cannot be bound after that reply; empty if it can. */
    private Optional<String> refusal(HoldReply reply) {
        return switch (reply) {
            case HoldReply.Held _, HoldReply.Bound _ -> Optional.empty();
            case HoldReply.NoRoom(var shortBy, var _, var _, var shortOf) ->
                Optional.of("node " + node + " is short of " + PlacementReasons.shortText(shortBy, shortOf));
            case HoldReply.NoDevice(var misfit) ->
                Optional.of("node " + node + " is " + PlacementReasons.deviceText(misfit));
            case HoldReply.RoomKept(var other) ->
                Optional.of("node " + node + " is left " + PlacementReasons.keptText(other));
            case HoldReply.NotReady _ -> Optional.of("the ledger of node " + node + " is not complete");
            case HoldReply.StateReplaced _ ->
                Optional.of("the ledger of node " + node + " has lost its state since it was observed");
            case HoldReply.NodeNotReady _ -> Optional.of("node " + node + " is not ready");
            case HoldReply.Gone _ -> Optional.of("the pod has ended");
            case HoldReply.OfAnother _ ->
                Optional.of("an earlier bind of the pod to node " + node + " may still take effect");
            case HoldReply.AttemptOver _ -> Optional.of("the attempt was given up");
            case HoldReply.Overflow _ -> Optional.of("the sums of node " + node + " would overflow");
            case HoldReply.Released _, HoldReply.NoSuchHold _ ->
                Optional.of("the ledger gave a reply that fits no hold: " + reply);
        };
    }
}
