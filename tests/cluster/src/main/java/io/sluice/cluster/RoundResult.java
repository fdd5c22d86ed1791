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
 * @param code that the processes ran
 * @param outage what agents saw from the fault until its cause was taken away
 * @param back what they saw from then until all was as before
 * @param atMaximumMs the longest that a VM stood at its maximum, as ledger state was lost
 * @param work how often what was done meanwhile
 * @param wrong each promise that was broken
 * @param unhealed what should have come true in time and did not
 * @param falseSplits members that others lost without a cause
 * @param answers how many permits were looked at
 */
record RoundResult(
        String fault,
        int round,
        Instant at,
        MainCode code,
        Window.Seen outage,
        Window.Seen back,
        long atMaximumMs,
        Map<String, Integer> work,
        List<String> wrong,
        List<String> unhealed,
        List<String> falseSplits,
        long answers) {
    /** One for which there was no cluster. */
    static RoundResult unstarted(String fault, int round, MainCode code, String why) {
        var nothing = Window.Seen.NOTHING;
        return new RoundResult(
                fault,
                round,
                Instant.now(),
                code,
                nothing,
                nothing,
                0,
                Map.of(),
                List.of(),
                List.of(why),
                List.of(),
                0);
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
                .put("commit", code.commit())
                .put("mainCode", code.digest())
                .put("outage", json(outage))
                .put("back", json(back))
                .put("atMaximumMs", atMaximumMs)
                .put("work", json(work))
                .put("wrong", new JsonArray(wrong))
                .put("unhealed", new JsonArray(unhealed))
                .put("falseSplits", new JsonArray(falseSplits))
                .put("answers", answers)
                .encode();
    }

    private static JsonObject json(Window.Seen seen) {
        return new JsonObject()
                .put("worstMs", seen.worstMs())
                .put("medianMs", seen.medianMs())
                .put("refused", json(seen.refused()));
    }

    private static JsonObject json(Map<String, Integer> counts) {
        var json = new JsonObject();
        new TreeMap<>(counts).forEach(json::put);
        return json;
    }

    /** Reads a line of a results file. */
    static RoundResult of(String line) {
        var json = new JsonObject(line);
        return new RoundResult(
                json.getString("fault"),
                json.getInteger("round"),
                Instant.parse(json.getString("at")),
                new MainCode(json.getString("commit", "unknown"), json.getString("mainCode", "unknown")),
                seen(json.getJsonObject("outage")),
                seen(json.getJsonObject("back")),
                json.getLong("atMaximumMs", 0L),
                counts(json.getJsonObject("work", new JsonObject())),
                texts(json.getJsonArray("wrong")),
                texts(json.getJsonArray("unhealed")),
                texts(json.getJsonArray("falseSplits")),
                json.getLong("answers"));
    }

    private static Window.Seen seen(JsonObject json) {
        return new Window.Seen(
                json.getLong("worstMs"), json.getLong("medianMs"), counts(json.getJsonObject("refused")));
    }

    private static Map<String, Integer> counts(JsonObject json) {
        Map<String, Integer> counts = new TreeMap<>();
        json.fieldNames().forEach(name -> counts.put(name, json.getInteger(name)));
        return counts;
    }

    private static List<String> texts(JsonArray json) {
        return json.stream().map(String::valueOf).toList();
    }
}
