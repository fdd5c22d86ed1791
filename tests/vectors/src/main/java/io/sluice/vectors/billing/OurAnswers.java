package io.sluice.vectors.billing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.UsageRecord;
import io.sluice.billing.core.reference.ReferenceState;
import io.sluice.billing.core.reference.UsageSlice;
import io.sluice.billing.core.reference.WindowUse;
import io.sluice.billing.wire.EventKeys;
import io.sluice.billing.wire.UsageEvent;
import io.sluice.billing.wire.UsageEventJson;
import io.sluice.billing.wire.UsageEvents;
import io.sluice.billing.wire.UsageMetricNames;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Sluice's results in the format of the recordings. Events are read back from what would be sent to a sink. */
final class OurAnswers {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String HOST = "host";
    private static final UsageEvents EVENTS = new UsageEvents(UsageMetricNames.DEFAULTS, new EventKeys.Numbered(HOST));
    private static final int MILLI_CPU_NS_DIGITS = 12;
    private static final Comparator<MeterKey> ORDER =
            Comparator.<MeterKey, String>comparing(key -> key.vm().uid()).thenComparing(MeterKey::endpoint);

    private OurAnswers() {}

    /** What the last look observed, and what is accumulated since. */
    static ObjectNode look(ReferenceState state) {
        var answer = NODES.objectNode();
        var present = answer.putArray("present");
        state.present().keySet().stream()
                .sorted(ORDER)
                .forEach(key ->
                        of(present.addObject(), key).put("cpu", state.present().get(key)));
        var held = answer.putArray("held");
        state.held().keySet().stream()
                .sorted(ORDER)
                .forEach(key -> use(of(held.addObject(), key), state.held().get(key)));
        return answer;
    }

    private static ObjectNode of(ObjectNode node, MeterKey key) {
        return node.put("uid", key.vm().uid()).put("endpoint", key.endpoint());
    }

    private static void use(ObjectNode node, WindowUse held) {
        UsageSlice open = held.open();
        node.putObject("open")
                .put("start", ns(open.start()))
                .put("end", ns(open.end()))
                .put("cpu", open.milliCpu());
        node.put("closedCpuSeconds", seconds(held.closedMilliCpuNs())).put("closedActiveNs", held.closedNs());
    }

    /** The usage records of one window with their events. */
    static ObjectNode push(List<UsageRecord> charges, Instant now) {
        var sorted = charges.stream()
                .sorted(Comparator.comparing(UsageRecord::key, ORDER))
                .toList();
        var events = EVENTS.of(sorted, now);
        var answer = NODES.objectNode().put("keyTotal", events.size()).put("keyTime", keyTime(events));
        var pairs = answer.putArray("pairs");
        for (int i = 0; i < sorted.size(); i++) {
            var charge = sorted.get(i);
            var pair = pairs.addObject()
                    .put("uid", charge.key().vm().uid())
                    .put("cpuSeconds", seconds(charge.milliCpuNs()))
                    .put("activeNs", charge.activeNs())
                    .put("milliCpuNs", charge.milliCpuNs().toString());
            pair.set("cpu", event(events.get(2 * i)));
            pair.set("active", event(events.get(2 * i + 1)));
        }
        return answer;
    }

    /** The part of the keys that all events have in common; empty without events. */
    private static String keyTime(List<UsageEvent> events) {
        var times = new TreeSet<String>();
        IntStream.range(0, events.size()).forEach(i -> {
            var ending = "-" + HOST + "-" + (i + 1) + "/" + events.size();
            var key = events.get(i).idempotencyKey();
            times.add(key.endsWith(ending) ? key.substring(0, key.length() - ending.length()) : key);
        });
        return String.join(" and ", times);
    }

    private static ObjectNode event(UsageEvent event) {
        try {
            var sent = (ObjectNode) JSON.readTree(new String(UsageEventJson.write(event), StandardCharsets.UTF_8));
            sent.remove("idempotency_key");
            return sent;
        } catch (JsonProcessingException notJson) {
            throw new IllegalStateException("an event is no JSON: " + event, notJson);
        }
    }

    /** A run's recording does not name the VMs of the events, so their order differs. */
    static ObjectNode pushOfARun(List<UsageRecord> charges, Instant now, long atMs) {
        var push = push(charges, now);
        var answer = NODES.objectNode().put("atMs", atMs);
        answer.set("keyTotal", push.get("keyTotal"));
        var pairs = IntStream.range(0, charges.size())
                .mapToObj(i -> (ObjectNode) push.get("pairs").get(i))
                .map(pair -> pair.retain("cpu", "active"))
                .sorted(Comparator.<ObjectNode, String>comparing(
                                pair -> pair.at("/cpu/endpoint_id").textValue())
                        .thenComparing(pair -> pair.at("/cpu/value").longValue())
                        .thenComparing(pair -> pair.at("/active/value").longValue()))
                .toList();
        answer.set("pairs", new ArrayNode(NODES).addAll(pairs));
        return answer;
    }

    private static double seconds(BigInteger milliCpuNs) {
        return new BigDecimal(milliCpuNs, MILLI_CPU_NS_DIGITS).doubleValue();
    }

    private static long ns(Instant instant) {
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano());
    }
}
