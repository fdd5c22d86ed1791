package io.sluice.billing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.exact.ExactCollector;
import io.sluice.billing.core.exact.MeterEntry;
import io.sluice.billing.core.exact.UsageMeterState;
import io.sluice.units.VmId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The checkpoint of usage meters and clock as JSON, which one process writes for the next. */
final class UsageCheckpoint {
    /** The prefix of all entries. */
    static final String PREFIX = "exact/";

    static final String CLOCK = PREFIX + "clock";
    private static final String METER = PREFIX + "meter/";
    private static final int FORMAT = 2;
    private static final byte[] GONE = {};
    private static final ObjectMapper JSON = new ObjectMapper();

    private UsageCheckpoint() {}

    /**
     * The last checkpoint.
     *
     * @param clock the last reading of the clock
     * @param receivedUntil the last instant up to which changes were received; empty before there was one
     * @param windowStart the instant up to which windows were closed; empty where the checkpoint has none
     * @param meters the usage meters at that time
     * @param ended usage meters that had ended a short time before
     */
    record Read(
            Optional<BillingClock.Reading> clock,
            Optional<Instant> receivedUntil,
            Optional<Instant> windowStart,
            List<UsageMeterState> meters,
            Map<VmId, MeterEntry.Ended> ended) {
        static final Read NOTHING = new Read(Optional.empty(), Optional.empty(), Optional.empty(), List.of(), Map.of());

        /** The checkpoint for a collector; empty where no changes were received before. */
        Optional<ExactCollector.Checkpoint> collector() {
            return receivedUntil.map(received -> new ExactCollector.Checkpoint(meters, ended, received, windowStart));
        }

        Set<VmId> vms() {
            var vms = new HashSet<>(ended.keySet());
            meters.forEach(meter -> vms.add(meter.key().vm()));
            return vms;
        }

        /** Whether this is the later one of two checkpoints. */
        boolean isAfter(Read other) {
            return receivedUntil.orElse(Instant.MIN).isAfter(other.receivedUntil.orElse(Instant.MIN));
        }
    }

    static Map<String, byte[]> write(
            BillingClock.Reading clock,
            Optional<Instant> receivedUntil,
            Optional<Instant> windowStart,
            Map<VmId, MeterEntry> changed) {
        var checkpoints = new HashMap<String, byte[]>();
        var current = JSON.createObjectNode()
                .put("format", FORMAT)
                .put("bill", clock.bill().toString())
                .put("machineNanos", clock.machineNanos())
                .put("boot", clock.boot());
        receivedUntil.ifPresent(received -> current.put("receivedUntil", received.toString()));
        windowStart.ifPresent(start -> current.put("windowStart", start.toString()));
        checkpoints.put(CLOCK, bytes(current));
        changed.forEach((vm, entry) -> checkpoints.put(
                METER + vm.uid(),
                switch (entry) {
                    case MeterEntry.Running(var state) -> bytes(meter(state));
                    case MeterEntry.Ended ended -> bytes(ended(vm, ended));
                    case MeterEntry.Forgotten() -> GONE;
                }));
        return checkpoints;
    }

    /** Removes all entries; the clock's reading stays. */
    static Map<String, byte[]> remove(Set<String> entries, BillingClock.Reading clock) {
        var removed = new HashMap<String, byte[]>();
        entries.forEach(entry -> removed.put(entry, GONE));
        removed.putAll(write(clock, Optional.empty(), Optional.empty(), Map.of()));
        return removed;
    }

    /**
     * Reads the entries of a checkpoint.
     *
     * @throws IOException if an entry cannot be read; the message names the entry
     */
    static Read read(Map<String, byte[]> checkpoints) throws IOException {
        var clock = checkpoints.get(CLOCK);
        if (clock == null) {
            return Read.NOTHING;
        }
        var meters = new ArrayList<UsageMeterState>();
        var ended = new HashMap<VmId, MeterEntry.Ended>();
        for (var checkpoint : checkpoints.entrySet()) {
            if (checkpoint.getKey().startsWith(METER)) {
                read(checkpoint.getKey(), checkpoint.getValue(), json -> {
                    if (json.has("endedAt")) {
                        ended.put(
                                vm(json),
                                new MeterEntry.Ended(number(json, "version"), Instant.parse(text(json, "endedAt"))));
                    } else {
                        meters.add(meter(json));
                    }
                    return json;
                });
            }
        }
        return new Read(
                Optional.of(read(CLOCK, clock, UsageCheckpoint::status)),
                read(CLOCK, clock, json -> instant(json, "receivedUntil")),
                read(CLOCK, clock, json -> instant(json, "windowStart")),
                meters,
                ended);
    }

    private static <T> T read(String name, byte[] checkpoint, Function<JsonNode, T> reader) throws IOException {
        try {
            return reader.apply(parsed(checkpoint));
        } catch (DateTimeException | IllegalArgumentException unreadable) {
            throw new IOException(
                    "the checkpoint of the usage meters cannot be read: " + name + ": " + unreadable.getMessage(),
                    unreadable);
        }
    }

    private static JsonNode parsed(byte[] checkpoint) {
        try {
            var json = JSON.readTree(checkpoint);
            var format = json.path("format");
            if (!format.isIntegralNumber() || format.longValue() != FORMAT) {
                throw new IllegalArgumentException("has format " + format + ", and this version reads " + FORMAT);
            }
            return json;
        } catch (JsonProcessingException noJson) {
            throw new IllegalArgumentException("is not JSON: " + noJson.getOriginalMessage(), noJson);
        } catch (IOException notInMemory) {
            throw new UncheckedIOException(notInMemory);
        }
    }

    private static Optional<Instant> instant(JsonNode json, String field) {
        return Optional.ofNullable(json.get(field)).map(at -> Instant.parse(at.asText()));
    }

    private static BillingClock.Reading status(JsonNode json) {
        return new BillingClock.Reading(
                Instant.parse(text(json, "bill")), number(json, "machineNanos"), text(json, "boot"));
    }

    private static ObjectNode vm(ObjectNode json, VmId vm) {
        return json.put("driver", vm.driver())
                .put("namespace", vm.namespace())
                .put("name", vm.name())
                .put("uid", vm.uid());
    }

    private static VmId vm(JsonNode json) {
        return new VmId(text(json, "driver"), text(json, "namespace"), text(json, "name"), text(json, "uid"));
    }

    private static JsonNode ended(VmId vm, MeterEntry.Ended ended) {
        return vm(JSON.createObjectNode().put("format", FORMAT), vm)
                .put("version", ended.version())
                .put("endedAt", ended.at().toString());
    }

    private static JsonNode meter(UsageMeterState state) {
        var steps = JSON.createArrayNode();
        state.steps()
                .forEach(step ->
                        steps.addObject().put("at", step.at().toString()).put("milliCpu", step.milliCpu()));
        return vm(JSON.createObjectNode().put("format", FORMAT), state.key().vm())
                .put("endpoint", state.key().endpoint())
                .put("version", state.version())
                .put("milliCpu", state.milliCpu())
                .put("sizeSince", state.sizeSince().toString())
                .put("start", state.start().toString())
                .put("addedUntil", state.addedUntil().toString())
                .put("milliCpuNs", state.milliCpuNs())
                .put("activeNs", state.activeNs())
                .put("leftMilliCpuNs", state.leftMilliCpuNs())
                .put("leftActiveNs", state.leftActiveNs())
                .set("steps", steps);
    }

    private static UsageMeterState meter(JsonNode json) {
        return new UsageMeterState(
                new MeterKey(vm(json), text(json, "endpoint")),
                number(json, "version"),
                number(json, "milliCpu"),
                Instant.parse(text(json, json.has("sizeSince") ? "sizeSince" : "addedUntil")),
                Instant.parse(text(json, "start")),
                Instant.parse(text(json, "addedUntil")),
                new BigInteger(json.path("milliCpuNs").asText()),
                number(json, "activeNs"),
                number(json, "leftMilliCpuNs"),
                number(json, "leftActiveNs"),
                steps(json.path("steps")));
    }

    private static List<UsageMeterState.Step> steps(JsonNode json) {
        var steps = new ArrayList<UsageMeterState.Step>();
        json.forEach(
                step -> steps.add(new UsageMeterState.Step(Instant.parse(text(step, "at")), number(step, "milliCpu"))));
        return steps;
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
