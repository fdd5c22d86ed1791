package io.sluice.monitor.core;

import io.sluice.units.Resources;

/**
 * A message of the dispatcher to a monitor, after the handshake. On the wire its fields are in the object
 * {@code content}.
 */
public sealed interface AgentMessage {
    /** The id that pairs an answer with its request. */
    long id();

    /** The VM has this size from now on. */
    record UpscaleNotification(long id, Resources granted) implements AgentMessage {}

    /** Requests that the VM shrinks to this size. */
    record DownscaleRequest(long id, Resources target) implements AgentMessage {}

    /** Checks that the monitor answers. */
    record HealthCheck(long id) implements AgentMessage {}

    /** The message with this id was invalid. It is not answered. */
    record InvalidMessage(long id, String error) implements AgentMessage {}
}
