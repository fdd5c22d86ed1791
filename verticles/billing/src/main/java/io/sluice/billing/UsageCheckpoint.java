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

/** What a process that bills writes down beside its events, for the one after it: meters and the clock, as JSON. */
final class UsageCheckpoint {
    /** All names of notes begin so. */
    static final String PREFIX = "exact/";

    private static final String CLOCK = PREFIX + "clock";
    private static final String METER = PREFIX + "meter/";
    private static final String DOUBTS = PREFIX + "doubts";
    private static final String ALIVE = PREFIX + "alive";
    private static final int FORMAT = 1;
    private static final byte[] GONE = {};
    private static final Predecessor NOBODY = Predecessor.of("", Set.of(), Instant.EPOCH);
    private static final ObjectMapper JSON = new ObjectMapper();

    private UsageCheckpoint() {}

    /**
     * What was written down last.
     *
     * @param clock where the clock stood
     * @param heardUntil the last instant at which changes were heard of; empty before there was one
     * @param windowStart up to where windows were closed; empty where it was not written down
     * @param writer who wrote it, where it shared VMs
     * @param meters as they stood then
     * @param doubts gaps that were still to be told, or not
     */
    record Read(
            Optional<BillingClock.Standing> clock,
            Optional<Instant> heardUntil,
            Optional<Instant> windowStart,
            Predecessor writer,
            List<UsageMeterState> meters,
            List<Gap> doubts) {}

    /**
     * Who writes, among those who share VMs.
     *
     * @param name its own; empty where it shares none
     * @param settled who surely bills now
     */
    record Author(String name, Set<String> settled) {
        static final Author ALONE = new Author("", Set.of());
    }

    static Map<String, byte[]> write(
            BillingClock.Standing clock,
            Optional<Instant> heardUntil,
            Optional<Instant> windowStart,
            Author author,
            Map<VmId, Optional<UsageMeterState>> changed,
            Optional<List<Gap>> doubts) {
        var notes = new HashMap<String, byte[]>();
        var standing = JSON.createObjectNode()
                .put("format", FORMAT)
                .put("bill", clock.bill().toString())
                .put("machineNanos", clock.machineNanos())
                .put("boot", clock.boot());
        company(standing.put("self", author.name()), author.settled());
        heardUntil.ifPresent(heard -> standing.put("heardUntil", heard.toString()));
        windowStart.ifPresent(start -> standing.put("windowStart", start.toString()));
        notes.put(CLOCK, bytes(standing));
        changed.forEach((vm, state) -> notes.put(
                METER + vm.uid(), state.map(known -> bytes(meter(known))).orElse(GONE)));
        doubts.ifPresent(gaps -> notes.put(DOUBTS, bytes(doubts(gaps))));
        return notes;
    }

    /** That somebody lives, though nothing else is taken of it: kept apart, as all else is to stay as it was. */
    static Map<String, byte[]> alive(Predecessor author) {
        var sign = JSON.createObjectNode()
                .put("format", FORMAT)
                .put("at", author.aliveUntil().toString())
                .put("self", author.name());
        var views = sign.putArray("views");
        author.views()
                .forEach(view ->
                        company(views.addObject().put("from", view.from().toString()), view.settled()));
        return Map.of(ALIVE, bytes(sign));
    }

    private static Predecessor alive(JsonNode json) {
        var views = new ArrayList<Predecessor.View>();
        json.path("views")
                .forEach(view -> views.add(new Predecessor.View(Instant.parse(text(view, "from")), company(view))));
        return new Predecessor(text(json, "self"), views, Instant.parse(text(json, "at")));
    }

    private static Predecessor writer(JsonNode json, BillingClock.Standing standing) {
        return Predecessor.of(json.path("self").asText(), company(json), standing.bill());
    }

    private static void company(ObjectNode json, Set<String> company) {
        var names = json.putArray("company");
        company.stream().sorted().forEach(names::add);
    }

    /**
     * Reads them back.
     *
     * @throws IOException when one of them is not what was written; names it
     */
    static Read read(Map<String, byte[]> notes) throws IOException {
        var clock = Optional.ofNullable(notes.get(CLOCK));
        if (clock.isEmpty()) {
            return new Read(Optional.empty(), Optional.empty(), Optional.empty(), NOBODY, List.of(), List.of());
        }
        var standing = read(CLOCK, clock.get(), UsageCheckpoint::standing);
        var heard = read(CLOCK, clock.get(), json -> instant(json, "heardUntil"));
        var windowStart = read(CLOCK, clock.get(), json -> instant(json, "windowStart"));
        var writer = read(CLOCK, clock.get(), json -> writer(json, standing));
        if (notes.containsKey(ALIVE)) {
            var sign = read(ALIVE, notes.get(ALIVE), UsageCheckpoint::alive);
            writer = sign.aliveUntil().isAfter(writer.aliveUntil()) ? sign : writer;
        }
        var doubts =
                notes.containsKey(DOUBTS) ? read(DOUBTS, notes.get(DOUBTS), UsageCheckpoint::doubts) : List.<Gap>of();
        var meters = new ArrayList<UsageMeterState>();
        for (var note : notes.entrySet()) {
            if (note.getKey().startsWith(METER)) {
                meters.add(read(note.getKey(), note.getValue(), UsageCheckpoint::meter));
            }
        }
        return new Read(Optional.of(standing), heard, windowStart, writer, meters, doubts);
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

    private static Optional<Instant> instant(JsonNode json, String field) {
        return Optional.ofNullable(json.get(field)).map(at -> Instant.parse(at.asText()));
    }

    private static Set<String> company(JsonNode json) {
        var names = new HashSet<String>();
        json.path("company").forEach(name -> names.add(name.asText()));
        return names;
    }

    private static BillingClock.Standing standing(JsonNode json) {
        return new BillingClock.Standing(
                Instant.parse(text(json, "bill")), number(json, "machineNanos"), text(json, "boot"));
    }

    private static JsonNode doubts(List<Gap> gaps) {
        var doubts = JSON.createObjectNode().put("format", FORMAT);
        var list = doubts.putArray("gaps");
        gaps.forEach(gap -> key(list.addObject(), gap.key())
                .put("from", gap.from().toString())
                .put("to", gap.to().toString())
                .put("milliCpu", gap.milliCpu())
                .put("cause", gap.cause().name()));
        return doubts;
    }

    private static List<Gap> doubts(JsonNode json) {
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
