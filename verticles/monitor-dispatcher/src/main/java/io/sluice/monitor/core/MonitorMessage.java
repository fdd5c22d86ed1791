package io.sluice.monitor.core;

/** A message of a monitor after the handshake, or its error. On the wire its fields are beside type and id. */
public sealed interface MonitorMessage {
    /** Upscale request: it needs more memory now. It names no amount; the id is the monitor's own. */
    record UpscaleRequest(long id) implements MonitorMessage {}

    /** It confirms an {@link AgentMessage.UpscaleNotification}. */
    record UpscaleConfirmation(long id) implements MonitorMessage {}

    /** Whether it agrees to shrink. */
    record DownscaleResult(long id, boolean ok, String status) implements MonitorMessage {}

    /** It answers a health check. */
    record HealthCheck(long id) implements MonitorMessage {}

    /** It could not read a message of the dispatcher. */
    record InvalidMessage(long id, String error) implements MonitorMessage {}

    /** It failed to process a message of the dispatcher. */
    record InternalError(long id, String error) implements MonitorMessage {}

    /** A type that the protocol does not have in this direction. */
    record UnknownType(long id, String type) implements MonitorMessage {}

    /** A known type with an invalid body. */
    record Malformed(long id, String problem) implements MonitorMessage {}

    /** Not a message: no JSON object, no type or no id. */
    record Unreadable(String problem) implements MonitorMessage {}
}
