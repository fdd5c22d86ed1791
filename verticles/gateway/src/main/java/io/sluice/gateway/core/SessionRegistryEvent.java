package io.sluice.gateway.core;

import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.PermitReply;

/** An event for {@link SessionRegistry}. */
public sealed interface SessionRegistryEvent {
    /** A request without a session has arrived. */
    record Requested(long ticket, AdmittedRequest request) implements SessionRegistryEvent {}

    /** The connection of a request closed before the reply. */
    record Left(String pod, long ticket) implements SessionRegistryEvent {}

    /** The ledger replied to an opening with this runner's name. */
    record Opened(String pod, String runner, OpenReply reply) implements SessionRegistryEvent {}

    /** The ledger did not reply to it. */
    record OpenFailed(String pod, String runner) implements SessionRegistryEvent {}

    /** The ledger replied to the request of this ticket. */
    record Replied(String pod, long ticket, PermitReply reply) implements SessionRegistryEvent {}

    /** The ledger did not reply to it. */
    record PermitFailed(String pod, long ticket) implements SessionRegistryEvent {}

    /** The pod is gone. */
    record PodRemoved(String pod) implements SessionRegistryEvent {}

    /** Some time has passed. */
    record Ticked() implements SessionRegistryEvent {}
}
