package io.sluice.billing.outbox;

/** The form of a batch's body; each event is one JSON object without a line break. */
public enum BatchForm {
    /** {@code {"events":[...]}}, as HTTP receivers expect it. */
    JSON_OBJECT,
    /** One event on each line. */
    NDJSON,
    /** One event on each line, compressed by gzip. */
    NDJSON_GZIP
}
