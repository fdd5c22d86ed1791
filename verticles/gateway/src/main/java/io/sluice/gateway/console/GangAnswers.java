package io.sluice.gateway.console;

import io.sluice.gateway.listener.Replies;
import io.sluice.messages.placement.GangState;
import io.sluice.messages.placement.GangState.Step;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Sends gangs: their members, what is held for them, and why they wait. Gangs without news end. */
final class GangAnswers {
    private static final Duration LASTS = Duration.ofSeconds(30);
    private static final int GANGS_MAX = 5_000;

    private final InstantSource clock;
    private final Map<String, Timed> gangs = new TreeMap<>();

    private record Timed(GangState state, Instant at) {}

    GangAnswers(InstantSource clock) {
        this.clock = clock;
    }

    /** Applies how far a gang is. */
    void received(GangState state) {
        var now = clock.instant();
        gangs.values().removeIf(timed -> now.isAfter(timed.at.plus(LASTS)));
        var key = state.label() + " " + state.apiGroup();
        if (gangs.size() < GANGS_MAX || gangs.containsKey(key)) {
            gangs.put(key, new Timed(state, now));
        }
    }

    /** Sends all gangs, those that wait first. */
    void all(RoutingContext context) {
        var now = clock.instant();
        var list = gangs.values().stream()
                .filter(timed -> now.isBefore(timed.at.plus(LASTS)))
                .map(Timed::state)
                .sorted((one, other) ->
                        Boolean.compare(one.reason().isEmpty(), other.reason().isEmpty()))
                .map(GangAnswers::json)
                .toList();
        Replies.json(
                context, 200, new JsonObject().put("gangs", new JsonArray(list)).toBuffer());
    }

    private static JsonObject json(GangState state) {
        return new JsonObject()
                .put("gang", state.label())
                .put("apiGroup", state.apiGroup())
                .put("minMember", state.minMember())
                .put("phase", state.phase())
                .put("reason", state.reason())
                .put("held", state.count(Step.HELD, Step.BINDING))
                .put("bound", state.count(Step.BOUND, Step.RUNNING))
                .put(
                        "members",
                        new JsonArray(state.members().stream()
                                .map(member -> new JsonObject()
                                        .put("pod", member.name())
                                        .put("node", member.node())
                                        .put("step", member.step().name().toLowerCase(Locale.ROOT)))
                                .toList()));
    }

    /** Sends why a gang is as it is; all kinds of that name. */
    void why(RoutingContext context, String label) {
        var found = gangs.entrySet().stream()
                .filter(gang -> gang.getKey().startsWith(label + " "))
                .map(Map.Entry::getValue)
                .toList();
        if (found.isEmpty()) {
            throw new HttpException(404, "no gang " + label + " is known");
        }
        var sentences = found.stream().map(timed -> sentence(timed.state)).collect(Collectors.joining("; "));
        var reasons = new JsonArray(found.stream().flatMap(GangAnswers::reasons).toList());
        Replies.json(
                context,
                200,
                new JsonObject().put("now", sentences).put("reasons", reasons).toBuffer());
    }

    private static String sentence(GangState state) {
        var steps = Stream.of(Step.values())
                .filter(step -> state.count(step) > 0)
                .map(step -> state.count(step) + " " + step.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
        var text = "gang " + state.label() + " needs " + state.minMember() + " members, and has "
                + (steps.isEmpty() ? "none" : steps);
        return state.reason().isEmpty() ? text : text + "; it waits: " + state.reason();
    }

    private static Stream<JsonObject> reasons(Timed gang) {
        return gang.state.members().stream()
                .map(member -> new JsonObject()
                        .put("at", gang.at.toEpochMilli())
                        .put("kind", member.step().name())
                        .put("vm", "")
                        .put("node", member.node())
                        .put("toNode", "")
                        .put("repeats", "")
                        .put(
                                "reason",
                                List.of(member.name(), member.node()).stream()
                                        .filter(word -> !word.isEmpty())
                                        .collect(Collectors.joining(" on node "))));
    }
}
