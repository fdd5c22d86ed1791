package io.sluice.ledger.core;

import io.sluice.messages.ledger.permit.KindDecision.Rule;

/** The rule by which one kind of a permit request is decided. All amounts are in the VM's own scale. */
final class PermitKindRule {
    private PermitKindRule() {}

    /**
     * One kind of a permit request.
     *
     * @param before what counts as granted already
     * @param target the desired size
     * @param max the VM's maximum; no more is granted
     * @param unit the compute unit; a grant that is cut to the room is a whole multiple of it
     * @param lastPermit the permit that lost state may have granted; 0 where the agent's last permit does not count
     * @param remaining the room of the node, converted to the VM's scale
     * @param moving whether the VM migrates, or begins to with this reply
     * @param stopped whether the node has not been ready for so long that nothing more is granted there
     */
    record Input(
            long before,
            long target,
            long max,
            long unit,
            long lastPermit,
            long remaining,
            boolean moving,
            boolean stopped) {}

    /**
     * The decision.
     *
     * @param outcome the rule that decided
     * @param permit the amount that is permitted from now on
     * @param pressure what was refused for lack of room. What lies above the maximum, or was requested on a node that
     *     is not ready, does not count: no room would change it
     */
    record Decision(Rule outcome, long permit, long pressure) {}

    static Decision decide(Input request) {
        if (request.target <= request.before) {
            return new Decision(Rule.NOTED, request.target, 0);
        }
        long wanted = Math.min(request.target, Math.max(request.max, request.before));
        if (request.moving) {
            return new Decision(Rule.MIGRATING, request.before, wanted - request.before);
        }
        long room = request.stopped ? 0 : request.remaining / request.unit * request.unit;
        long grant = Math.min(wanted - request.before, Math.max(room, request.lastPermit - request.before));
        long permit = request.before + grant;
        if (request.stopped && permit < wanted) {
            return new Decision(Rule.NODE_NOT_READY, permit, 0);
        }
        return new Decision(outcome(request.target, wanted, permit), permit, wanted - permit);
    }

    private static Rule outcome(long target, long wanted, long permit) {
        if (permit == target) {
            return Rule.GRANTED;
        }
        return permit == wanted ? Rule.CUT_TO_MAX : Rule.CUT_TO_ROOM;
    }
}
