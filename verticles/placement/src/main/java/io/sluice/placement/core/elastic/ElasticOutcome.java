package io.sluice.placement.core.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.placement.core.elastic.ElasticJob.Handover;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What is written for a plan: a status for each job, and a number of members. */
public final class ElasticOutcome {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String CONDITION = "Scheduled";

    private final Map<String, ElasticJob> after = new LinkedHashMap<>();
    private final Map<String, Reason> reasons = new LinkedHashMap<>();
    private final Instant now;

    /** Why a job has its number of members. */
    private record Reason(boolean scheduled, String word, String message) {}

    /**
     * A write.
     *
     * @param status the whole status
     * @param replicas how many members it should have; the same as before to leave them
     * @param resizes the members that get another size
     */
    public record Write(ObservedJob job, ObjectNode status, int replicas, List<ElasticPlan.Resize> resizes) {}

    private ElasticOutcome(List<ObservedJob> observed, ElasticPlan plan, Instant now) {
        this.now = now.truncatedTo(ChronoUnit.SECONDS);
        observed.forEach(one -> one.job().ifPresent(job -> after.put(one.id(), job)));
        plan.changes().forEach(this::apply);
    }

    /** The jobs after a plan, by id. */
    public static Map<String, ElasticJob> after(List<ObservedJob> observed, ElasticPlan plan, Instant now) {
        return new ElasticOutcome(observed, plan, now).after;
    }

    /**
     * The writes that are needed, in their order: newcomers first, so that whoever goes on knows for what others
     * shrink; then those that shrink.
     */
    public static List<Write> writes(List<ObservedJob> observed, ElasticPlan plan, Instant now) {
        var outcome = new ElasticOutcome(observed, plan, now);
        var writes = new ArrayList<Write>();
        for (var one : observed) {
            var status = outcome.status(one);
            int replicas =
                    one.job().map(job -> outcome.after.get(one.id()).target()).orElse(one.replicas());
            var resizes = plan.changes().stream()
                    .filter(change -> change.job().equals(one.id()))
                    .filter(ElasticPlan.Resize.class::isInstance)
                    .map(ElasticPlan.Resize.class::cast)
                    .toList();
            if (replicas != one.replicas()
                    || !resizes.isEmpty()
                    || !isSame(status, one.object().path("status"))) {
                writes.add(new Write(one, status, replicas, resizes));
            }
        }
        writes.sort(
                Comparator.comparingInt(write -> write.status().path("handover").has("since")
                        ? 0
                        : write.replicas() < write.job().replicas() ? 1 : 2));
        return writes;
    }

    private void apply(ElasticPlan.Change change) {
        var job = after.get(change.job());
        if (job == null) {
            // Nothing is written for a gang.
            return;
        }
        switch (change) {
            case ElasticPlan.Begin(var id, var target) ->
                after.put(id, job.targeting(target).awaiting(Optional.empty()));
            case ElasticPlan.Grow(var id, var target) -> after.put(id, job.targeting(target));
            case ElasticPlan.Shrink(var id, var target, var newcomer) -> after.put(id, job.shrunk(target, now));
            case ElasticPlan.Resize(var id, var pods, var size, var newcomer) -> {
                var resized = job.resizing(pods, size);
                after.put(id, newcomer.isEmpty() ? resized : resized.shrunk(job.target(), now));
            }
            case ElasticPlan.Await(var id, var handover) -> after.put(id, job.awaiting(Optional.of(handover)));
            case ElasticPlan.GiveBack(var id, var reason) -> {
                after.put(id, job.awaiting(Optional.of(new Handover(now, Map.of()))));
                reasons.put(id, new Reason(false, "RoomCameLate", reason));
            }
            case ElasticPlan.Wait(var id, var reason) -> reasons.put(id, new Reason(false, "NoRoom", reason));
        }
    }

    private ObjectNode status(ObservedJob observed) {
        var job = after.get(observed.id());
        var status = job == null && observed.object().path("status") instanceof ObjectNode before
                ? before.deepCopy()
                : JSON.objectNode();
        status.put("observedGeneration", observed.object().path("generation").asLong());
        if (job != null) {
            status.put("target", job.target()).put("running", job.nodes().size());
            job.shrunkAt().ifPresent(shrunk -> status.put("shrunkAt", text(shrunk)));
            if (job.handover().isPresent() && job.lacking() > 0) {
                var handover = status.putObject("handover")
                        .put("since", text(job.handover().get().since()));
                var givers = handover.putObject("givers");
                job.handover().get().givers().forEach(givers::put);
            } else {
                status.putNull("handover");
            }
        }
        condition(status, observed, job == null ? new Reason(false, "Broken", observed.broken()) : reason(job));
        return status;
    }

    private Reason reason(ElasticJob job) {
        var known = reasons.get(job.id());
        if (known != null) {
            return known;
        }
        if (job.lacking() > 0) {
            return job.handover()
                    .filter(Handover::isAwaited)
                    .map(ElasticOutcome::awaits)
                    .orElseGet(() -> new Reason(false, "NoRoom", "it lacks " + job.lacking() + " members"));
        }
        return job.nodes().size() == job.target()
                ? new Reason(true, "Running", job.target() + " members run")
                : new Reason(true, "Scaling", job.nodes().size() + " members run, " + job.target() + " are to");
    }

    private static Reason awaits(Handover handover) {
        var givers = handover.givers().entrySet().stream()
                .map(giver -> giver.getKey() + " " + (giver.getValue() == 0 ? "by their size" : giver.getValue()))
                .collect(Collectors.joining(", "));
        return new Reason(false, "RoomComes", "other jobs give members for it: " + givers);
    }

    private void condition(ObjectNode status, ObservedJob observed, Reason reason) {
        var before = observed.object().path("status").path("conditions").path(0);
        var value = reason.scheduled() ? "True" : "False";
        status.putArray("conditions")
                .addObject()
                .put("type", CONDITION)
                .put("status", value)
                .put("reason", reason.word())
                .put("message", reason.message())
                .put("observedGeneration", observed.object().path("generation").asLong())
                .put(
                        "lastTransitionTime",
                        before.path("status").asText("").equals(value)
                                ? before.path("lastTransitionTime").asText(text(now))
                                : text(now));
    }

    private static String text(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** Whether a merge of the status would change nothing. */
    private static boolean isSame(ObjectNode status, JsonNode before) {
        var bare = status.deepCopy();
        if (bare.path("handover").isNull()) {
            bare.remove("handover");
        }
        return comparable(bare).equals(comparable(before));
    }

    /** Numbers that mean the same may be of other types. */
    private static Object comparable(JsonNode node) {
        if (node.isObject()) {
            var fields = new TreeMap<String, Object>();
            node.properties().forEach(field -> fields.put(field.getKey(), comparable(field.getValue())));
            return fields;
        }
        if (node.isArray()) {
            return node.valueStream().map(ElasticOutcome::comparable).toList();
        }
        return node.isNumber() ? (Object) node.asLong() : node.asText();
    }
}
