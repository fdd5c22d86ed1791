package io.sluice.cluster;

import io.sluice.cluster.fleet.Window;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The result of one round.
 *
 * @param fault its name
 * @param round its number, from 1
 * @param at its end
 * @param code code of the processes
 * @param outage what agents observed from the fault until its cause was removed
 * @param back what they observed from then until all was as before
 * @param atMaximumMs the longest time that a VM stayed at its maximum, as ledger state was lost
 * @param work number of each kind of work that was done meanwhile
 * @param wrong the invariants that were broken
 * @param unhealed the conditions that were not met in time
 * @param falseSplits members that others lost without a cause
 * @param answers number of permits that were checked
 */
record RoundResult(
        String fault,
        int round,
        Instant at,
        MainCode code,
        Window.Outage outage,
        Window.Outage back,
        long atMaximumMs,
        Map<String, Integer> work,
        List<String> wrong,
        List<String> unhealed,
        List<String> falseSplits,
        long answers) {
    /** The result of a round whose cluster could not start. */
    static RoundResult unstarted(String fault, int round, MainCode code, String why) {
        var nothing = Window.Outage.NOTHING;
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

    /** The line of a results file. */
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

    private static JsonObject json(Window.Outage observed) {
        return new JsonObject()
                .put("worstMs", observed.worstMs())
                .put("medianMs", observed.medianMs())
                .put("refused", json(observed.refused()));
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
                observed(json.getJsonObject("outage")),
                observed(json.getJsonObject("back")),
                json.getLong("atMaximumMs", 0L),
                counts(json.getJsonObject("work", new JsonObject())),
                texts(json.getJsonArray("wrong")),
                texts(json.getJsonArray("unhealed")),
                texts(json.getJsonArray("falseSplits")),
                json.getLong("answers"));
    }

    private static Window.Outage observed(JsonObject json) {
        return new Window.Outage(
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
