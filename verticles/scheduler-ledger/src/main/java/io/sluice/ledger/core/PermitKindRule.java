package io.sluice.ledger.core;

import io.sluice.messages.ledger.KindDecision.Rule;

/** The rule by which one kind of a question is decided; everything in the member's own scale. */
final class PermitKindRule {
    private PermitKindRule() {}

    /**
     * One kind of a question.
     *
     * @param before what the member holds
     * @param target what it should hold
     * @param max it is never granted more
     * @param unit grants that are cut short are whole multiples of this
     * @param lastPermit granted by books that were lost; 0 where the asker's word does not count
     * @param remaining what the node has left for this member
     * @param moving whether it is moving, or begins to with this answer
     * @param stopped whether the node has not been ready for long, so that nothing more is granted there
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
     * How it was decided.
     *
     * @param verdict which rule decided
     * @param permit what the member holds now
     * @param pressure refused for want of room: what lies above its maximum, or is asked of a node that is not ready,
     *     no room would cure
     */
    record Decision(Rule verdict, long permit, long pressure) {}

    static Decision decide(Input asked) {
        if (asked.target <= asked.before) {
            return new Decision(Rule.NOTED, asked.target, 0);
        }
        long wanted = Math.min(asked.target, Math.max(asked.max, asked.before));
        if (asked.moving) {
            return new Decision(Rule.MIGRATING, asked.before, wanted - asked.before);
        }
        long room = asked.stopped ? 0 : asked.remaining / asked.unit * asked.unit;
        long grant = Math.min(wanted - asked.before, Math.max(room, asked.lastPermit - asked.before));
        long permit = asked.before + grant;
        if (asked.stopped && permit < wanted) {
            return new Decision(Rule.NODE_NOT_READY, permit, 0);
        }
        return new Decision(verdict(asked.target, wanted, permit), permit, wanted - permit);
    }

    private static Rule verdict(long target, long wanted, long permit) {
        if (permit == target) {
            return Rule.GRANTED;
        }
        return permit == wanted ? Rule.CUT_TO_MAX : Rule.CUT_TO_ROOM;
    }
}
