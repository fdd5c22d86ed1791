package io.sluice.billing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.exact.MeterState;
import io.sluice.units.VmId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** What a process that bills writes down beside its events, for the one after it: meters and the clock, as JSON. */
final class MeterNotes {
    /** All names of notes begin so. */
    static final String PREFIX = "exact/";

    private static final String CLOCK = PREFIX + "clock";
    private static final String METER = PREFIX + "meter/";
    private static final int FORMAT = 1;
    private static final byte[] GONE = {};
    private static final ObjectMapper JSON = new ObjectMapper();

    private MeterNotes() {}

    /**
     * What was written down last.
     *
     * @param clock where the clock stood
     * @param heardUntil the last instant at which changes were heard of; empty before there was one
     * @param meters as they stood then
     */
    record Read(Optional<BillingClock.Standing> clock, Optional<Instant> heardUntil, List<MeterState> meters) {}

    static Map<String, byte[]> write(
            BillingClock.Standing clock, Optional<Instant> heardUntil, Map<VmId, Optional<MeterState>> changed) {
        var notes = new HashMap<String, byte[]>();
        var standing = JSON.createObjectNode()
                .put("format", FORMAT)
                .put("bill", clock.bill().toString())
                .put("machineNanos", clock.machineNanos())
                .put("boot", clock.boot());
        heardUntil.ifPresent(heard -> standing.put("heardUntil", heard.toString()));
        notes.put(CLOCK, bytes(standing));
        changed.forEach((vm, state) -> notes.put(
                METER + vm.uid(), state.map(known -> bytes(meter(known))).orElse(GONE)));
        return notes;
    }

    /**
     * Reads them back.
     *
     * @throws IOException when one of them is not what was written; names it
     */
    static Read read(Map<String, byte[]> notes) throws IOException {
        var clock = Optional.ofNullable(notes.get(CLOCK));
        if (clock.isEmpty()) {
            return new Read(Optional.empty(), Optional.empty(), List.of());
        }
        var standing = read(CLOCK, clock.get(), MeterNotes::standing);
        var heard = read(
                CLOCK,
                clock.get(),
                json -> Optional.ofNullable(json.get("heardUntil")).map(until -> Instant.parse(until.asText())));
        var meters = new ArrayList<MeterState>();
        for (var note : notes.entrySet()) {
            if (note.getKey().startsWith(METER)) {
                meters.add(read(note.getKey(), note.getValue(), MeterNotes::meter));
            }
        }
        return new Read(Optional.of(standing), heard, meters);
    }

    private static <T> T read(String name, byte[] note, Function<JsonNode, T> reader) throws IOException {
        try {
            return reader.apply(parsed(note));
        } catch (DateTimeException | IllegalArgumentException unreadable) {
            throw new IOException(
                    "what was written down of meters cannot be read: " + name + ": " + unreadable.getMessage(),
                    unreadable);
        }
    }

    private static JsonNode parsed(byte[] note) {
        try {
            var json = JSON.readTree(note);
            var format = json.path("format");
            if (!format.isIntegralNumber() || format.longValue() != FORMAT) {
                throw new IllegalArgumentException("has format " + format + ", and this version reads " + FORMAT);
            }
            return json;
        } catch (JsonProcessingException noJson) {
            throw new IllegalArgumentException("is no JSON: " + noJson.getOriginalMessage(), noJson);
        } catch (IOException notInMemory) {
            throw new UncheckedIOException(notInMemory);
        }
    }

    private static BillingClock.Standing standing(JsonNode json) {
        return new BillingClock.Standing(
                Instant.parse(text(json, "bill")), number(json, "machineNanos"), text(json, "boot"));
    }

    private static JsonNode meter(MeterState state) {
        var vm = state.key().vm();
        return JSON.createObjectNode()
                .put("format", FORMAT)
                .put("driver", vm.driver())
                .put("namespace", vm.namespace())
                .put("name", vm.name())
                .put("uid", vm.uid())
                .put("endpoint", state.key().endpoint())
                .put("version", state.version())
                .put("milliCpu", state.milliCpu())
                .put("start", state.start().toString())
                .put("addedUntil", state.addedUntil().toString())
                .put("milliCpuNs", state.milliCpuNs())
                .put("activeNs", state.activeNs())
                .put("leftMilliCpuNs", state.leftMilliCpuNs())
                .put("leftActiveNs", state.leftActiveNs());
    }

    private static MeterState meter(JsonNode json) {
        var vm = new VmId(text(json, "driver"), text(json, "namespace"), text(json, "name"), text(json, "uid"));
        return new MeterState(
                new MeterKey(vm, text(json, "endpoint")),
                number(json, "version"),
                number(json, "milliCpu"),
                Instant.parse(text(json, "start")),
                Instant.parse(text(json, "addedUntil")),
                new BigInteger(json.path("milliCpuNs").asText()),
                number(json, "activeNs"),
                number(json, "leftMilliCpuNs"),
                number(json, "leftActiveNs"));
    }

    private static String text(JsonNode json, String field) {
        if (!json.path(field).isTextual()) {
            throw new IllegalArgumentException(field + " should be text, not " + json.path(field));
        }
        return json.path(field).textValue();
    }

    private static long number(JsonNode json, String field) {
        if (!json.path(field).canConvertToLong() || !json.path(field).isIntegralNumber()) {
            throw new IllegalArgumentException(field + " should be a whole number, not " + json.path(field));
        }
        return json.path(field).longValue();
    }

    private static byte[] bytes(JsonNode json) {
        try {
            return JSON.writeValueAsBytes(json);
        } catch (JsonProcessingException notInMemory) {
            throw new UncheckedIOException(notInMemory);
        }
    }
}
