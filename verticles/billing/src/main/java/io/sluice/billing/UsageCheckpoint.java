package io.sluice.billing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.billing.core.Gap;
import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.exact.Predecessor;
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

    private static final String CLOCK = PREFIX + "clock";
    private static final String METER = PREFIX + "meter/";
    private static final String INHERITED_GAPS = PREFIX + "inheritedGaps";
    private static final String ALIVE = PREFIX + "alive";
    private static final int FORMAT = 2;
    private static final byte[] GONE = {};
    private static final Predecessor NONE = Predecessor.of("", Set.of(), Instant.EPOCH);
    private static final ObjectMapper JSON = new ObjectMapper();

    private UsageCheckpoint() {}

    /**
     * The last checkpoint.
     *
     * @param clock the last reading of the clock
     * @param receivedUntil the last instant up to which changes were received; empty before there was one
     * @param windowStart the instant up to which windows were closed; empty where the checkpoint has none
     * @param writer the process that wrote it, where it shared VMs
     * @param meters the usage meters at that time
     * @param inheritedGaps gaps that were not yet reported or dropped
     */
    record Read(
            Optional<BillingClock.Reading> clock,
            Optional<Instant> receivedUntil,
            Optional<Instant> windowStart,
            Predecessor writer,
            List<UsageMeterState> meters,
            List<Gap> inheritedGaps) {}

    /**
     * The process that writes a checkpoint, among those that share VMs.
     *
     * @param name its name; empty where it shares none
     * @param settled the processes that are established
     */
    record Author(String name, Set<String> settled) {
        static final Author ALONE = new Author("", Set.of());
    }

    static Map<String, byte[]> write(
            BillingClock.Reading clock,
            Optional<Instant> receivedUntil,
            Optional<Instant> windowStart,
            Author author,
            Map<VmId, Optional<UsageMeterState>> changed,
            Optional<List<Gap>> inheritedGaps) {
        var checkpoints = new HashMap<String, byte[]>();
        var current = JSON.createObjectNode()
                .put("format", FORMAT)
                .put("bill", clock.bill().toString())
                .put("machineNanos", clock.machineNanos())
                .put("boot", clock.boot());
        peers(current.put("self", author.name()), author.settled());
        receivedUntil.ifPresent(received -> current.put("receivedUntil", received.toString()));
        windowStart.ifPresent(start -> current.put("windowStart", start.toString()));
        checkpoints.put(CLOCK, bytes(current));
        changed.forEach((vm, state) -> checkpoints.put(
                METER + vm.uid(), state.map(known -> bytes(meter(known))).orElse(GONE)));
        inheritedGaps.ifPresent(gaps -> checkpoints.put(INHERITED_GAPS, bytes(inheritedGaps(gaps))));
        return checkpoints;
    }

    /** Returns a sign of life. It is a separate entry, because all other entries must stay unchanged. */
    static Map<String, byte[]> alive(Predecessor author) {
        var sign = JSON.createObjectNode()
                .put("format", FORMAT)
                .put("at", author.aliveUntil().toString())
                .put("self", author.name());
        var views = sign.putArray("views");
        author.views()
                .forEach(view -> peers(views.addObject().put("from", view.from().toString()), view.settled()));
        return Map.of(ALIVE, bytes(sign));
    }

    private static Predecessor alive(JsonNode json) {
        var views = new ArrayList<Predecessor.View>();
        json.path("views")
                .forEach(view -> views.add(new Predecessor.View(Instant.parse(text(view, "from")), peers(view))));
        return new Predecessor(text(json, "self"), views, Instant.parse(text(json, "at")));
    }

    private static Predecessor writer(JsonNode json, BillingClock.Reading status) {
        return Predecessor.of(json.path("self").asText(), peers(json), status.bill());
    }

    private static void peers(ObjectNode json, Set<String> peers) {
        var names = json.putArray("peers");
        peers.stream().sorted().forEach(names::add);
    }

    /**
     * Reads the entries of a checkpoint.
     *
     * @throws IOException if an entry cannot be read; the message names the entry
     */
    static Read read(Map<String, byte[]> checkpoints) throws IOException {
        var clock = Optional.ofNullable(checkpoints.get(CLOCK));
        if (clock.isEmpty()) {
            return new Read(Optional.empty(), Optional.empty(), Optional.empty(), NONE, List.of(), List.of());
        }
        var status = read(CLOCK, clock.get(), UsageCheckpoint::status);
        var received = read(CLOCK, clock.get(), json -> instant(json, "receivedUntil"));
        var windowStart = read(CLOCK, clock.get(), json -> instant(json, "windowStart"));
        var writer = read(CLOCK, clock.get(), json -> writer(json, status));
        if (checkpoints.containsKey(ALIVE)) {
            var sign = read(ALIVE, checkpoints.get(ALIVE), UsageCheckpoint::alive);
            writer = sign.aliveUntil().isAfter(writer.aliveUntil()) ? sign : writer;
        }
        var inheritedGaps = checkpoints.containsKey(INHERITED_GAPS)
                ? read(INHERITED_GAPS, checkpoints.get(INHERITED_GAPS), UsageCheckpoint::inheritedGaps)
                : List.<Gap>of();
        var meters = new ArrayList<UsageMeterState>();
        for (var checkpoint : checkpoints.entrySet()) {
            if (checkpoint.getKey().startsWith(METER)) {
                meters.add(read(checkpoint.getKey(), checkpoint.getValue(), UsageCheckpoint::meter));
            }
        }
        return new Read(Optional.of(status), received, windowStart, writer, meters, inheritedGaps);
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

    private static Set<String> peers(JsonNode json) {
        var names = new HashSet<String>();
        json.path("peers").forEach(name -> names.add(name.asText()));
        return names;
    }

    private static BillingClock.Reading status(JsonNode json) {
        return new BillingClock.Reading(
                Instant.parse(text(json, "bill")), number(json, "machineNanos"), text(json, "boot"));
    }

    private static JsonNode inheritedGaps(List<Gap> gaps) {
        var inheritedGaps = JSON.createObjectNode().put("format", FORMAT);
        var list = inheritedGaps.putArray("gaps");
        gaps.forEach(gap -> key(list.addObject(), gap.key())
                .put("from", gap.from().toString())
                .put("to", gap.to().toString())
                .put("milliCpu", gap.milliCpu())
                .put("cause", gap.cause().name()));
        return inheritedGaps;
    }

    private static List<Gap> inheritedGaps(JsonNode json) {
        var gaps = new ArrayList<Gap>();
        json.path("gaps")
                .forEach(gap -> gaps.add(new Gap(
                        key(gap),
                        Instant.parse(text(gap, "from")),
                        Instant.parse(text(gap, "to")),
                        number(gap, "milliCpu"),
                        Gap.Cause.valueOf(text(gap, "cause")))));
        return gaps;
    }

    private static ObjectNode key(ObjectNode json, MeterKey key) {
        var vm = key.vm();
        return json.put("driver", vm.driver())
                .put("namespace", vm.namespace())
                .put("name", vm.name())
                .put("uid", vm.uid())
                .put("endpoint", key.endpoint());
    }

    private static MeterKey key(JsonNode json) {
        var vm = new VmId(text(json, "driver"), text(json, "namespace"), text(json, "name"), text(json, "uid"));
        return new MeterKey(vm, text(json, "endpoint"));
    }

    private static JsonNode meter(UsageMeterState state) {
        var steps = JSON.createArrayNode();
        state.steps()
                .forEach(step ->
                        steps.addObject().put("at", step.at().toString()).put("milliCpu", step.milliCpu()));
        return key(JSON.createObjectNode().put("format", FORMAT), state.key())
                .put("version", state.version())
                .put("milliCpu", state.milliCpu())
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
                key(json),
                number(json, "version"),
                number(json, "milliCpu"),
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
