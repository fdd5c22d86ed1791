package io.sluice.monitor.core;

import io.sluice.units.Resources;

/**
 * What we say to a monitor in the message phase. On the wire its fields lie in an object of their own, {@code content}.
 */
public sealed interface AgentMessage {
    /** Pairs an answer with its question. */
    long id();

    /** The VM has this much from now on. */
    record UpscaleNotification(long id, Resources granted) implements AgentMessage {}

    /** May the VM have only this much? */
    record DownscaleRequest(long id, Resources target) implements AgentMessage {}

    /** Are you there? */
    record HealthCheck(long id) implements AgentMessage {}

    /** What came under this id made no sense. Never answered. */
    record InvalidMessage(long id, String error) implements AgentMessage {}
}
