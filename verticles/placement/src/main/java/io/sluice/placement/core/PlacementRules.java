package io.sluice.placement.core;

import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.placement.PlacePod;
import io.sluice.messages.placement.PlaceReply;
import io.sluice.messages.vm.PodBinding;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.shell.explain.PlacementReasons;
import java.util.List;
import java.util.Optional;

/** What follows from the ledger's reply to a hold, and from the result of a bind. */
public final class PlacementRules {
    private PlacementRules() {}

    /** What happens to the hold after a bind. */
    public enum HoldEnd {
        /** The bind has no effect, and can have none any more. */
        RELEASE,
        /** The pod is bound there, and its observation ends the hold; or the bind may still take effect. */
        KEEP
    }

    /**
     * The result of a placement.
     *
     * @param reply for its requester
     * @param hold what happens to the hold
     */
    public record Placement(PlaceReply reply, HoldEnd hold) {}

    /** The hold under which a pod is bound. It ends only with the pod or when the pod was read. */
    public static HoldRoom hold(PodToPlace waiting, String node, String attempt) {
        var pod = waiting.pod();
        return new HoldRoom(
                node,
                pod.uid(),
                pod.namespace(),
                pod.name(),
                pod.vmName(),
                pod.amounts(),
                waiting.overcommit(),
                HoldRoom.UNTIL_RELEASED,
                attempt);
    }

    /**
     * The node on which room is held for the migration that brings the pod; empty where there is none.
     *
     * @param ledgers those of all nodes on which room is held
     */
    public static Optional<String> roomOfMigration(PodToPlace waiting, List<NodeLedgerView> ledgers) {
        var pod = waiting.pod();
        var holder = HoldRoom.forMigration(pod.namespace(), pod.migration());
        return ledgers.stream()
                .filter(ledger -> pod.migrationTarget()
                        && ledger.reservations().stream()
                                .anyMatch(reservation -> reservation.pod().equals(holder)))
                .map(NodeLedgerView::node)
                .findFirst();
    }

    /** Why a pod cannot be bound after that reply; empty if it can. */
    public static Optional<String> refusal(HoldReply reply, String node) {
        return switch (reply) {
            case HoldReply.Held _, HoldReply.Bound _ -> Optional.empty();
            case HoldReply.NoRoom(var shortBy, var _, var _) ->
                Optional.of("node " + node + " is short of " + PlacementReasons.shortText(shortBy));
            case HoldReply.NotReady _ -> Optional.of("the ledger of node " + node + " is not complete");
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

    /** What follows from a bind. */
    public static Placement bound(PlacePod request, PodBinding binding) {
        return switch (binding) {
            case PodBinding.Bound(var node) ->
                node.equals(request.node())
                        ? new Placement(new PlaceReply.Placed(), HoldEnd.KEEP)
                        : released("the pod is bound to node " + node);
            case PodBinding.Gone _ -> released("the pod has ended");
            case PodBinding.Refused(var reason) -> released(reason);
            case PodBinding.Unbound _ -> inDoubt("the pod is not bound yet");
            case PodBinding.InDoubt(var reason) -> inDoubt(reason);
        };
    }

    /**
     * What a read shows about a hold that was left over.
     *
     * @param node of the hold
     */
    public static HoldEnd leftOver(String node, PodBinding binding) {
        return switch (binding) {
            case PodBinding.Bound(var found) -> found.equals(node) ? HoldEnd.KEEP : HoldEnd.RELEASE;
            case PodBinding.Gone _, PodBinding.Unbound _ -> HoldEnd.RELEASE;
            case PodBinding.Refused _, PodBinding.InDoubt _ -> HoldEnd.KEEP;
        };
    }

    private static Placement released(String reason) {
        return new Placement(new PlaceReply.NotPlaced(reason), HoldEnd.RELEASE);
    }

    private static Placement inDoubt(String reason) {
        return new Placement(new PlaceReply.InDoubt(reason), HoldEnd.KEEP);
    }
}
