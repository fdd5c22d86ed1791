package io.sluice.gateway.core;

import io.sluice.messages.ledger.OpenReply;
import io.sluice.messages.ledger.PermitReply;

/** What {@link SessionDesk} hears. */
public sealed interface DeskEvent {
    /** A request without a session came in. */
    record Asked(long ticket, Question question) implements DeskEvent {}

    /** The connection of a request closed before it was answered. */
    record Left(String member, long ticket) implements DeskEvent {}

    /** The ledger answered to an opening in this runner's name. */
    record Opened(String member, String runner, OpenReply reply) implements DeskEvent {}

    /** It did not. */
    record OpenLost(String member, String runner) implements DeskEvent {}

    /** The ledger answered the question of this ticket. */
    record Ruled(String member, long ticket, PermitReply reply) implements DeskEvent {}

    /** It did not. */
    record RulingLost(String member, long ticket) implements DeskEvent {}

    /** The member is no longer there. */
    record MemberGone(String member) implements DeskEvent {}

    /** Some time has passed. */
    record Ticked() implements DeskEvent {}
}
