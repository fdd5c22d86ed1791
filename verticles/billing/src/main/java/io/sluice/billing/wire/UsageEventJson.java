package io.sluice.billing.wire;

/** Reads and writes a billing event as one line of JSON. */
public final class UsageEventJson {
    private static final String KEY = "idempotency_key";
    private static final String METRIC = "metric";
    private static final String TYPE = "type";
    private static final String ENDPOINT = "endpoint_id";
    private static final String START = "start_time";
    private static final String STOP = "stop_time";
    private static final String VALUE = "value";
    private static final String INCREMENTAL = "incremental";

    private UsageEventJson() {}

    /** Returns the line without a line break. */
    public static byte[] write(UsageEvent event) {
        return EventJson.line(json -> {
            json.writeStringField(KEY, event.idempotencyKey());
            json.writeStringField(METRIC, event.metric());
            json.writeStringField(TYPE, INCREMENTAL);
            json.writeStringField(ENDPOINT, event.endpointId());
            json.writeStringField(START, WireTime.text(event.startTime()));
            json.writeStringField(STOP, WireTime.text(event.stopTime()));
            json.writeNumberField(VALUE, event.value());
        });
    }

    /**
     * Reads a line. Unknown fields are ignored, and times may have any zone.
     *
     * @throws UnreadableEventException if it is not a billing event; the message names the field
     */
    public static UsageEvent read(String line) throws UnreadableEventException {
        var json = EventJson.object(line);
        if (!EventJson.text(json, TYPE).equals(INCREMENTAL)) {
            throw new UnreadableEventException(TYPE, "\"" + INCREMENTAL + "\"", json.get(TYPE));
        }
        return new UsageEvent(
                EventJson.text(json, KEY),
                EventJson.text(json, METRIC),
                EventJson.text(json, ENDPOINT),
                EventJson.time(json, START),
                EventJson.time(json, STOP),
                EventJson.count(json, VALUE));
    }
}
