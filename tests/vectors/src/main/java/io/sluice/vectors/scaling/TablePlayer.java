package io.sluice.vectors.scaling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.agent.core.metrics.LfcReading;
import io.sluice.agent.core.metrics.LfcText;
import io.sluice.agent.core.metrics.MetricsReading;
import io.sluice.agent.core.metrics.MetricsText;
import io.sluice.agent.core.scaling.Bounds;
import io.sluice.agent.core.scaling.Desired;
import io.sluice.agent.core.scaling.GoalCu;
import io.sluice.agent.core.scaling.WorkingSet;
import io.sluice.units.Resources;
import io.sluice.vectors.Recording;
import java.util.Optional;

/** Plays tables of the pure functions, also of the readers of scraped texts; each line is a case of its own. */
final class TablePlayer {
    private TablePlayer() {}

    static void goal(Recording.Line line, Results results) {
        JsonNode json = line.json();
        GoalCu goal = GoalCu.of(
                Json.optional(json, "system", Json::systemMetrics),
                Json.optional(json, "windows", Json::windows),
                Json.scaling(json.path("scaling")),
                Json.resources(json.path("computeUnit")));
        var parts = Json.object();
        goal.cpu().ifPresent(cpu -> parts.put("cpu", cpu));
        goal.memory().ifPresent(memory -> parts.put("mem", memory));
        goal.lfc().ifPresent(lfc -> parts.put("lfc", lfc));
        results.expect("hasAllMetrics", Optional.of(BooleanNode.valueOf(goal.hasAllMetrics())));
        results.expect("wssBytes", goal.workingSetBytes().map(LongNode::valueOf));
        results.expect("parts", json.has("parts") ? json.get("parts") : Json.object(), Optional.of(parts));
        results.expect("goalCu", Optional.of(IntNode.valueOf(goal.goal())));
    }

    static void workingSet(Recording.Line line, Results results) {
        JsonNode json = line.json();
        double[] pages = Json.windows(json.path("windows")).windows().stream()
                .mapToDouble(Double::doubleValue)
                .toArray();
        int from = (int) Json.whole(json, "off");
        double estimate = WorkingSet.estimate(pages, from, (int) Json.whole(json, "windowSize"));
        int end = WorkingSet.end(pages, from, estimate);
        double all = WorkingSet.project(pages, pages.length, Json.number(json, "k"));
        results.expect("estimate", Optional.of(DoubleNode.valueOf(estimate)));
        results.expect("end", Optional.of(IntNode.valueOf(end)));
        results.expect("predicted", Optional.of(DoubleNode.valueOf(WorkingSet.project(pages, end, 0.5))));
        results.expect("projectAll", Optional.of(DoubleNode.valueOf(all)));
    }

    static void rule(Recording.Line line, Results results) {
        JsonNode json = line.json();
        Resources unit = Json.optional(json, "computeUnit", Json::resources).orElse(Resources.NONE);
        switch (json.path("kind").asText()) {
            case "requestedCu" ->
                results.expect(
                        "cu",
                        Optional.of(IntNode.valueOf(Desired.requestedCu(
                                unit,
                                Json.resources(json.path("base")),
                                Json.flag(json, "cpu"),
                                Json.flag(json, "memory")))));
            case "deniedCu" ->
                results.expect(
                        "cu",
                        Optional.of(IntNode.valueOf(Desired.deniedCu(unit, Json.resources(json.path("requested"))))));
            case "deniedFloor" ->
                results.expect(
                        "result",
                        Optional.of(Json.of(Desired.deniedFloor(
                                unit, Json.resources(json.path("current")), Json.resources(json.path("requested"))))));
            case "system" -> systemText(Json.text(json, "text"), results);
            case "lfc" -> lfcText(Json.text(json, "text"), results);
            case "clamp" -> results.expect("result", Optional.of(Json.of(clamped(json))));
            default -> throw new Json.UnreadableException("no such kind: " + json.path("kind"));
        }
    }

    private static void systemText(String text, Results results) {
        Optional<ObjectNode> read = switch (MetricsText.read(text)) {
            case MetricsReading.Read(var metrics) -> Optional.of(Json.of(metrics));
            case MetricsReading.Rejected _, MetricsReading.Unchanged _ -> Optional.empty();
        };
        results.expect("ok", Optional.of(BooleanNode.valueOf(read.isPresent())));
        results.expect("system", read);
    }

    private static void lfcText(String text, Results results) {
        Optional<ArrayNode> read = switch (LfcText.read(text)) {
            case LfcReading.Read(var metrics) -> Optional.of(Json.of(metrics));
            case LfcReading.Rejected _ -> Optional.empty();
        };
        results.expect("ok", Optional.of(BooleanNode.valueOf(read.isPresent())));
        results.expect("windows", read);
    }

    private static Resources clamped(JsonNode json) {
        Resources current = Json.resources(json.path("current"));
        Resources desired = Json.resources(json.path("desired"));
        Resources bounded = Json.optional(json, "lower", Json::resources)
                .map(lower -> Bounds.clampBelow(current, desired, lower))
                .orElse(desired);
        return Json.optional(json, "upper", Json::resources)
                .map(upper -> Bounds.clampAbove(current, bounded, upper))
                .orElse(bounded);
    }
}
