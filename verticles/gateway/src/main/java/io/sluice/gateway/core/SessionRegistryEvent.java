package io.sluice.gateway.core;

import io.sluice.messages.ledger.OpenReply;
import io.sluice.messages.ledger.PermitReply;

/** What {@link SessionRegistry} hears. */
public sealed interface SessionRegistryEvent {
    /** A request without a session came in. */
    record Asked(long ticket, AdmittedRequest question) implements SessionRegistryEvent {}

    /** The connection of a request closed before it was answered. */
    record Left(String member, long ticket) implements SessionRegistryEvent {}

    /** The ledger answered to an opening in this runner's name. */
    record Opened(String member, String runner, OpenReply reply) implements SessionRegistryEvent {}

    /** It did not. */
    record OpenFailed(String member, String runner) implements SessionRegistryEvent {}

    /** The ledger answered the question of this ticket. */
    record Ruled(String member, long ticket, PermitReply reply) implements SessionRegistryEvent {}

    /** It did not. */
    record PermitFailed(String member, long ticket) implements SessionRegistryEvent {}

    /** The member is no longer there. */
    record PodRemoved(String member) implements SessionRegistryEvent {}

    /** Some time has passed. */
    record Ticked() implements SessionRegistryEvent {}
}
