package io.sluice.billing.outbox;

/** How the events of a batch are put together; each event is one JSON object without a line break. */
public enum BatchForm {
    /** {@code {"events":[...]}}, as HTTP receivers want it. */
    JSON_OBJECT,
    /** One event a line. */
    NDJSON,
    /** One event a line, compressed by gzip. */
    NDJSON_GZIP
}
