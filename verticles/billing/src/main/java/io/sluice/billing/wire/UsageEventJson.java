package io.sluice.billing.wire;

/** A billing event as one line of JSON, there and back. */
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

    /** The line, without its end. */
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
     * Reads a line. Fields that are not known are passed over, and times may be of any zone.
     *
     * @throws UnreadableEventException when it is no billing event; it names the field
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
