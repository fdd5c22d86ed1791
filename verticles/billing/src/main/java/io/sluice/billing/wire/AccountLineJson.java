package io.sluice.billing.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.billing.core.Gap;
import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.UsageRecord;
import java.io.IOException;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads and writes account lines as JSON. */
public final class AccountLineJson {
    private static final String VM = "vm";
    private static final String DRIVER = "driver";
    private static final String UID = "uid";
    private static final String ENDPOINT = "endpoint_id";
    private static final String START = "start_time";
    private static final String STOP = "stop_time";
    private static final String BILLED = "billed_milli_cpu_ns";
    private static final String HELD = "held_milli_cpu_ns";
    private static final String UNBILLED = "unbilled";
    private static final String MILLI_CPU = "milli_cpu";
    private static final String LATE = "late_milli_cpu";

    /** Enough digits for years of use of all existing CPUs. */
    private static final Pattern WHOLE = Pattern.compile("\\d{1,60}");

    private AccountLineJson() {}

    /**
     * Returns the line of a usage record.
     *
     * @param held what the ledger held for the VM in that time, in milli-CPU times nanoseconds; empty where it is
     *     unknown
     */
    public static byte[] billed(UsageRecord charge, Optional<BigInteger> held) {
        return EventJson.line(json -> {
            subject(json, charge.key(), charge.start(), charge.stop());
            json.writeStringField(BILLED, charge.milliCpuNs().toString());
            if (held.isPresent()) {
                json.writeStringField(HELD, held.get().toString());
            }
        });
    }

    /** Returns the line of a gap. */
    public static byte[] unbilled(Gap gap) {
        return EventJson.line(json -> {
            subject(json, gap.key(), gap.from(), gap.to());
            if (gap.cause() == Gap.Cause.LATE) {
                json.writeNumberField(LATE, gap.milliCpu());
            } else {
                json.writeStringField(UNBILLED, gap.cause().name().toLowerCase(Locale.ROOT));
                json.writeNumberField(MILLI_CPU, gap.milliCpu());
            }
        });
    }

    private static void subject(JsonGenerator json, MeterKey key, Instant start, Instant stop) throws IOException {
        json.writeStringField(VM, key.vm().label());
        json.writeStringField(DRIVER, key.vm().driver());
        json.writeStringField(UID, key.vm().uid());
        json.writeStringField(ENDPOINT, key.endpoint());
        json.writeStringField(START, WireTime.text(start));
        json.writeStringField(STOP, WireTime.text(stop));
    }

    /**
     * Reads a line.
     *
     * @throws UnreadableEventException if it is not an account line; the message names the field
     */
    public static AccountLine read(String line) throws UnreadableEventException {
        var json = EventJson.object(line);
        var part = new AccountLine.Part(
                EventJson.text(json, VM),
                json.has(DRIVER) ? EventJson.text(json, DRIVER) : "",
                EventJson.text(json, UID),
                EventJson.text(json, ENDPOINT),
                EventJson.time(json, START),
                EventJson.time(json, STOP));
        if (part.stop().isBefore(part.start())) {
            throw new UnreadableEventException(STOP, "no earlier than " + START, json.get(STOP));
        }
        if (json.has(UNBILLED)) {
            return new AccountLine.Unbilled(part, EventJson.text(json, UNBILLED), EventJson.count(json, MILLI_CPU));
        }
        if (json.has(LATE)) {
            return new AccountLine.Late(part, EventJson.whole(json, LATE));
        }
        var held = json.has(HELD) ? Optional.of(amount(json, HELD)) : Optional.<BigInteger>empty();
        return new AccountLine.Billed(part, amount(json, BILLED), held);
    }

    private static BigInteger amount(JsonNode json, String field) throws UnreadableEventException {
        var text = EventJson.text(json, field);
        if (!WHOLE.matcher(text).matches()) {
            throw new UnreadableEventException(field, "a text with a whole number of at least 0", json.get(field));
        }
        return new BigInteger(text);
    }
}
