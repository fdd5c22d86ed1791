package io.sluice.vectors.scaling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.agent.core.revision.ActionRevision;
import io.sluice.agent.core.revision.Latency;
import io.sluice.agent.core.scaling.ActionSet;
import io.sluice.agent.core.scaling.Bounds;
import io.sluice.agent.core.scaling.CoreState;
import io.sluice.agent.core.scaling.ScalingCore;
import io.sluice.units.Resources;
import io.sluice.vectors.Recording;
import io.sluice.vectors.Tally;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/** Plays histories step by step: each header begins one, each further line is one step of it. */
final class HistoryPlayer {
    private final Tally tally;
    private Optional<StepPlayer> player = Optional.empty();
    private String id = "";
    private int step;
    private JsonNode lastState = Json.object();

    HistoryPlayer(Tally tally) {
        this.tally = tally;
    }

    void play(Recording.Line line) {
        JsonNode json = line.json();
        if (json.has("format")) {
            begin(json);
            return;
        }
        step++;
        var playing = player.orElseThrow(() -> new Json.UnreadableException("a history begins with its header"));
        var results = new Results(line, id + " step " + step);
        happen(playing, json, results);
        query(playing, json, results);
        lastState = json.hasNonNull("state") ? json.get("state") : lastState;
        results.expect("state", lastState, Optional.of(state(playing.core().state())));
        tally.compared(results.differences());
    }

    private void begin(JsonNode header) {
        if (Json.whole(header, "format") != 1) {
            throw new Json.UnreadableException("format 1 was expected, found " + header.get("format"));
        }
        id = header.path("id").asText();
        step = 0;
        lastState = Json.object();
        player = Optional.of(new StepPlayer(header));
    }

    private static void happen(StepPlayer playing, JsonNode json, Results results) {
        OptionalInt before = playing.core().state().usingCu();
        boolean refused = playing.happened(json);
        results.expect("error", BooleanNode.valueOf(isError(json)), Optional.of(BooleanNode.valueOf(refused)));
        results.expect("observed", observed(playing.core()));
        results.expect(
                "actualCu",
                json.path("op").asText().equals("neonVmStarting")
                        ? actual(before, Json.resources(json.path("resources")), playing.unit())
                        : Optional.empty());
    }

    private static boolean isError(JsonNode json) {
        return json.hasNonNull("error") && Json.flag(json, "error");
    }

    private static void query(StepPlayer playing, JsonNode json, Results results) {
        if (!json.hasNonNull("next")) {
            return;
        }
        Instant now = Json.instant(json, "t");
        ActionSet actions = playing.core().nextActions(now);
        playing.offered(
                actions.neonVmRequest().map(patch -> patch.targetRevision().revision()));
        results.expect("next", Optional.of(next(actions)));
        results.expect("goalCu", Optional.of(IntNode.valueOf(actions.basis().goalCu())));
        results.expect("desired", Optional.of(Json.of(actions.desired())));
        CoreState state = playing.core().state();
        results.expect(
                "hypotheticalFromCu",
                state.hasAllMetrics() && state.usingCu().isPresent()
                        ? Optional.of(IntNode.valueOf(state.usingCu().getAsInt()))
                        : Optional.empty());
    }

    private static ObjectNode next(ActionSet actions) {
        var next = Json.object();
        actions.pluginRequest().ifPresent(request -> {
            var node = Json.object();
            request.lastPermit().ifPresent(permit -> node.set("lastPermit", Json.of(permit)));
            node.set("target", Json.of(request.target()));
            request.load1().ifPresent(load -> node.set("metrics", Json.object().put("loadAvg1M", load)));
            node.set("targetRevision", Json.of(request.targetRevision().revision()));
            next.set("pluginRequest", node);
        });
        actions.neonVmRequest()
                .ifPresent(request -> next.set(
                        "neonVmRequest", change(request.current(), request.target(), request.targetRevision())));
        actions.monitorUpscale()
                .ifPresent(request -> next.set(
                        "monitorUpscale", change(request.current(), request.target(), request.targetRevision())));
        actions.monitorDownscale()
                .ifPresent(request -> next.set(
                        "monitorDownscale", change(request.current(), request.target(), request.targetRevision())));
        actions.waitFor().ifPresent(wait -> next.put("waitNs", wait.toNanos()));
        return next;
    }

    private static ObjectNode change(Resources current, Resources target, ActionRevision revision) {
        var node = Json.object();
        node.set("current", Json.of(current));
        node.set("target", Json.of(target));
        node.set("targetRevision", Json.of(revision.revision()));
        return node;
    }

    private static ObjectNode state(CoreState state) {
        var node = Json.object();
        node.set("using", Json.of(state.using()));
        state.permit().ifPresent(permit -> node.set("permit", Json.of(permit)));
        state.approved().ifPresent(approved -> node.set("approved", Json.of(approved)));
        return node;
    }

    private static Optional<ObjectNode> actual(OptionalInt from, Resources target, Resources unit) {
        OptionalInt to = Bounds.wholeUnits(target, unit);
        return from.isPresent() && to.isPresent()
                ? Optional.of(Json.object().put("current", from.getAsInt()).put("target", to.getAsInt()))
                : Optional.empty();
    }

    private static Optional<ArrayNode> observed(ScalingCore core) {
        var latencies = core.takeLatencies();
        var node = JsonNodeFactory.instance.arrayNode();
        latencies.forEach(latency -> node.addObject()
                .put("stage", stage(latency.stage()))
                .put("durationNs", latency.duration().toNanos())
                .put("flags", latency.flags()));
        return latencies.isEmpty() ? Optional.empty() : Optional.of(node);
    }

    private static String stage(Latency.Stage stage) {
        return switch (stage) {
            case SCHEDULER -> "scheduler";
            case MONITOR -> "monitor";
            case NEON_VM -> "neonVm";
            case SCALING -> "scaling";
        };
    }
}
