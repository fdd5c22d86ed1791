package io.sluice.cluster;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one round came to.
 *
 * @param fault its name
 * @param round its number, from 1
 * @param at when it was over
 * @param outage what agents saw from the fault until its cause was taken away
 * @param back what they saw from then until all was as before
 * @param wrong each promise that was broken
 * @param unhealed what should have come true in time and did not
 * @param falseSplits members that others lost without a cause
 * @param answers how many permits were looked at
 */
record RoundResult(
        String fault,
        int round,
        Instant at,
        Window.Seen outage,
        Window.Seen back,
        List<String> wrong,
        List<String> unhealed,
        List<String> falseSplits,
        long answers) {
    /** One for which there was no cluster. */
    static RoundResult unstarted(String fault, int round, String why) {
        var nothing = Window.Seen.NOTHING;
        return new RoundResult(fault, round, Instant.now(), nothing, nothing, List.of(), List.of(why), List.of(), 0);
    }

    boolean good() {
        return wrong.isEmpty() && unhealed.isEmpty();
    }

    int refusedInAll() {
        return outage.inAll() + back.inAll();
    }

    /** As a line of a results file. */
    String line() {
        return new JsonObject()
                .put("fault", fault)
                .put("round", round)
                .put("at", at.toString())
                .put("outage", json(outage))
                .put("back", json(back))
                .put("wrong", new JsonArray(wrong))
                .put("unhealed", new JsonArray(unhealed))
                .put("falseSplits", new JsonArray(falseSplits))
                .put("answers", answers)
                .encode();
    }

    private static JsonObject json(Window.Seen seen) {
        var refused = new JsonObject();
        new TreeMap<>(seen.refused()).forEach(refused::put);
        return new JsonObject()
                .put("worstMs", seen.worstMs())
                .put("medianMs", seen.medianMs())
                .put("refused", refused);
    }

    /** Reads a line of a results file. */
    static RoundResult of(String line) {
        var json = new JsonObject(line);
        return new RoundResult(
                json.getString("fault"),
                json.getInteger("round"),
                Instant.parse(json.getString("at")),
                seen(json.getJsonObject("outage")),
                seen(json.getJsonObject("back")),
                texts(json.getJsonArray("wrong")),
                texts(json.getJsonArray("unhealed")),
                texts(json.getJsonArray("falseSplits")),
                json.getLong("answers"));
    }

    private static Window.Seen seen(JsonObject json) {
        Map<String, Integer> refused = new TreeMap<>();
        var counts = json.getJsonObject("refused");
        counts.fieldNames().forEach(reason -> refused.put(reason, counts.getInteger(reason)));
        return new Window.Seen(json.getLong("worstMs"), json.getLong("medianMs"), refused);
    }

    private static List<String> texts(JsonArray json) {
        return json.stream().map(String::valueOf).toList();
    }
}
