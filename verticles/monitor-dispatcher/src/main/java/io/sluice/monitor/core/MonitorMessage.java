package io.sluice.monitor.core;

/** What a monitor said in the message phase, or what was wrong with it. Its fields lie flat beside type and id. */
public sealed interface MonitorMessage {
    /** It needs more memory, now. No amount is ever named; the id is the monitor's own. */
    record UpscaleRequest(long id) implements MonitorMessage {}

    /** It took a grant to its notice. */
    record UpscaleConfirmation(long id) implements MonitorMessage {}

    /** Whether it gives something back. */
    record DownscaleResult(long id, boolean ok, String status) implements MonitorMessage {}

    /** It lives. */
    record HealthCheck(long id) implements MonitorMessage {}

    /** It could not read something of ours. */
    record InvalidMessage(long id, String error) implements MonitorMessage {}

    /** It failed over something of ours. */
    record InternalError(long id, String error) implements MonitorMessage {}

    /** A type that this protocol does not have in this direction. */
    record UnknownType(long id, String type) implements MonitorMessage {}

    /** A known type with a body that is none of its own. */
    record Malformed(long id, String problem) implements MonitorMessage {}

    /** No message at all: no JSON object, no type or no id. */
    record Unreadable(String problem) implements MonitorMessage {}
}
