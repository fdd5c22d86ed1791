package io.sluice.pods.core;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.shell.pods.PodBounds;
import io.sluice.shell.pods.PodOptions;
import io.sluice.shell.pods.ScaledPod;
import io.sluice.units.ScaledPodKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Which pods of a namespace could be scaled in place, and why the others could not. */
public final class PodCheck {
    private final List<JsonNode> autoscalers;
    private final List<JsonNode> verticals;
    private final List<JsonNode> quotas;
    private final List<JsonNode> ranges;

    /**
     * What else may be in the way, in the same namespace.
     *
     * @param autoscalers HorizontalPodAutoscalers
     * @param verticals VerticalPodAutoscalers
     * @param quotas ResourceQuotas
     * @param ranges LimitRanges
     */
    public PodCheck(
            List<JsonNode> autoscalers, List<JsonNode> verticals, List<JsonNode> quotas, List<JsonNode> ranges) {
        this.autoscalers = List.copyOf(autoscalers);
        this.verticals = List.copyOf(verticals);
        this.quotas = List.copyOf(quotas);
        this.ranges = List.copyOf(ranges);
    }

    /** What a pod is to Sluice. */
    public enum Answer {
        /** It is labelled, has bounds, and nothing is in the way. */
        SCALED,
        /** Nothing is in the way, but it is not labelled, or has no bounds. */
        COULD,
        /** Something is in the way. */
        NO
    }

    /**
     * One pod.
     *
     * @param pod its name
     * @param answer whether it is scaled
     * @param reasons one sentence for each thing that is in the way, is missing, or may refuse sizes
     */
    public record Row(String pod, Answer answer, List<String> reasons) {
        public Row {
            Objects.requireNonNull(pod, "pod");
            Objects.requireNonNull(answer, "answer");
            reasons = List.copyOf(reasons);
        }
    }

    /** Checks one pod. */
    public Row check(JsonNode pod) {
        var scaled = ScaledPod.of(pod);
        var obstacles = new ArrayList<>(scaled.obstacles());
        if (!scaled.runs()) {
            obstacles.add("it does not run");
        }
        if (!obstacles.isEmpty()) {
            return row(pod, Answer.NO, obstacles, conflicts(pod));
        }
        var missing = missing(scaled, pod);
        return row(pod, missing.isEmpty() ? Answer.SCALED : Answer.COULD, missing, conflicts(pod));
    }

    private static Row row(JsonNode pod, Answer answer, List<String> reasons, List<String> conflicts) {
        var all = new ArrayList<>(reasons);
        all.addAll(conflicts);
        return new Row(pod.path("metadata").path("name").asText(), answer, all);
    }

    private static List<String> missing(ScaledPod scaled, JsonNode pod) {
        var missing = new ArrayList<String>();
        if (!ScaledPod.isMeant(pod)) {
            missing.add("it lacks the label " + ScaledPodKeys.ENABLED + "=true");
        }
        var bounds = scaled.annotation(ScaledPodKeys.BOUNDS);
        if (bounds.isEmpty()) {
            missing.add("it lacks the annotation " + ScaledPodKeys.BOUNDS + ", so it would keep its size");
        } else {
            complaint(ScaledPodKeys.BOUNDS, () -> PodBounds.of(bounds), missing);
        }
        complaint(ScaledPodKeys.CONFIG, () -> PodOptions.of(scaled.annotation(ScaledPodKeys.CONFIG)), missing);
        complaint(ScaledPodKeys.MONITOR, () -> scaled.monitor(scaled.annotation(ScaledPodKeys.MONITOR)), missing);
        for (var resource : List.of("cpu", "memory")) {
            if (scaled.restartsFor(resource) && !scaled.options().allowRestart()) {
                missing.add("its " + resource + " stays as it is: its container would be restarted, and allowRestart"
                        + " is not set");
            }
        }
        return missing;
    }

    private static void complaint(String annotation, Runnable read, List<String> missing) {
        try {
            read.run();
        } catch (IllegalArgumentException invalid) {
            missing.add(annotation + ": " + invalid.getMessage());
        }
    }

    /** What else changes the same pod, or may refuse a size. */
    private List<String> conflicts(JsonNode pod) {
        var found = new ArrayList<String>();
        var workload = workload(pod);
        autoscalers.stream()
                .filter(autoscaler -> names(autoscaler.path("spec").path("scaleTargetRef"), workload))
                .forEach(autoscaler -> found.add("HorizontalPodAutoscaler " + name(autoscaler)
                        + " scales its workload: shares of requests that it aims at change with each resize"));
        verticals.stream()
                .filter(vertical -> names(vertical.path("spec").path("targetRef"), workload))
                .filter(vertical ->
                        !vertical.at("/spec/updatePolicy/updateMode").asText().equals("Off"))
                .forEach(vertical -> found.add("VerticalPodAutoscaler " + name(vertical)
                        + " resizes or evicts it: set its updateMode to Off"));
        quotas.forEach(quota -> found.add("ResourceQuota " + name(quota) + " may refuse a larger size"));
        ranges.forEach(range -> found.add("LimitRange " + name(range) + " may refuse a size"));
        return found;
    }

    /** The workload of a pod; the name of a ReplicaSet is that of its Deployment and a hash. */
    private record Workload(String kind, String name) {}

    private static Workload workload(JsonNode pod) {
        var owner = pod.path("metadata")
                .path("ownerReferences")
                .valueStream()
                .filter(reference -> reference.path("controller").asBoolean())
                .findFirst();
        var kind = owner.map(reference -> reference.path("kind").asText()).orElse("");
        var name = owner.map(PodCheck::ownName).orElse("");
        return kind.equals("ReplicaSet") && name.contains("-")
                ? new Workload("Deployment", name.substring(0, name.lastIndexOf('-')))
                : new Workload(kind, name);
    }

    private static boolean names(JsonNode reference, Workload workload) {
        return reference.path("kind").asText().equals(workload.kind())
                && ownName(reference).equals(workload.name());
    }

    private static String name(JsonNode object) {
        return ownName(object.path("metadata"));
    }

    private static String ownName(JsonNode holder) {
        return holder.path("name").asText();
    }
}
