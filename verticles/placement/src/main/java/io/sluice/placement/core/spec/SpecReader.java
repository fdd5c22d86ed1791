package io.sluice.placement.core.spec;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.placement.core.spec.PodSpec.PodId;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Reads pods, nodes and volumes as the Kubernetes side publishes them for scheduling. */
public final class SpecReader {
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

    private SpecReader() {}

    /** @param version of the object */
    public static PodSpec pod(JsonNode pod, long version) {
        var labels = texts(pod.path("labels"));
        var namespace = pod.path("namespace").asText();
        return new PodSpec(
                new PodId(pod.path("uid").asText(), namespace, pod.path("name").asText(), version),
                pod.path("nodeName").asText(""),
                pod.path("schedulerName").asText(""),
                pod.path("priority").asInt(),
                preemption(pod),
                pod.path("terminating").asBoolean(),
                labels,
                amounts(pod.path("requests")),
                nodeAffinity(pod),
                list(pod.path("tolerations"), SpecReader::toleration),
                list(pod.path("podAffinity"), term -> SelectorReader.podTerm(term, namespace)),
                list(pod.path("podAntiAffinity"), term -> SelectorReader.podTerm(term, namespace)),
                spread(pod.path("topologySpreadConstraints"), "DoNotSchedule", labels),
                preferences(pod, namespace, labels),
                list(pod.path("hostPorts"), SpecReader::hostPort),
                list(pod.path("claims"), JsonNode::asText),
                list(pod.path("gates"), JsonNode::asText),
                list(pod.path("resourceClaims"), JsonNode::asText));
    }

    private static PodSpec.Preemption preemption(JsonNode pod) {
        var started = pod.path("startTime").asText("");
        return new PodSpec.Preemption(
                pod.path("preemptionPolicy").asText("").equals("Never"),
                started.isEmpty()
                        ? PodSpec.Preemption.NOT_STARTED
                        : OffsetDateTime.parse(started).toEpochSecond(),
                pod.path("nominatedNodeName").asText(""));
    }

    private static NodeAffinity nodeAffinity(JsonNode pod) {
        var affinity = pod.path("nodeAffinity");
        var selector = new ArrayList<Requirement>();
        texts(pod.path("nodeSelector"))
                .forEach((key, value) -> selector.add(new Requirement(key, Requirement.Operator.IN, Set.of(value))));
        return new NodeAffinity(
                selector,
                SelectorReader.nodeTerms(affinity.path(REQUIRED)),
                list(
                        affinity.path(PREFERRED),
                        preference -> new NodeAffinity.Preferred(
                                preference.path("weight").asInt(),
                                SelectorReader.nodeTerm(preference.path("preference")))));
    }

    private static Toleration toleration(JsonNode toleration) {
        return new Toleration(
                toleration.path("key").asText(""),
                switch (toleration.path("operator").asText("")) {
                    case "Exists" -> Toleration.Operator.EXISTS;
                    case "Lt" -> Toleration.Operator.LT;
                    case "Gt" -> Toleration.Operator.GT;
                    default -> Toleration.Operator.EQUAL;
                },
                toleration.path("value").asText(""),
                toleration.path("effect").asText("").isEmpty() ? Optional.empty() : Optional.of(effect(toleration)));
    }

    private static Taint.Effect effect(JsonNode object) {
        return switch (object.path("effect").asText()) {
            case "PreferNoSchedule" -> Taint.Effect.PREFER_NO_SCHEDULE;
            case "NoExecute" -> Taint.Effect.NO_EXECUTE;
            default -> Taint.Effect.NO_SCHEDULE;
        };
    }

    private static PodPreferences preferences(JsonNode pod, String namespace, Map<String, String> labels) {
        var near = new ArrayList<PodPreferences.Near>();
        addPreferred(pod.path("preferredPodAffinity"), 1, namespace, near);
        addPreferred(pod.path("preferredPodAntiAffinity"), -1, namespace, near);
        return new PodPreferences(near, spread(pod.path("topologySpreadConstraints"), "ScheduleAnyway", labels));
    }

    private static void addPreferred(JsonNode preferred, int sign, String namespace, List<PodPreferences.Near> near) {
        for (var term : preferred) {
            near.add(new PodPreferences.Near(
                    sign * term.path("weight").asInt(),
                    SelectorReader.podTerm(term.path("podAffinityTerm"), namespace)));
        }
    }

    private static List<SpreadConstraint> spread(
            JsonNode constraints, String unsatisfiable, Map<String, String> podLabels) {
        var spread = new ArrayList<SpreadConstraint>();
        for (var constraint : constraints) {
            if (constraint.path("whenUnsatisfiable").asText().equals(unsatisfiable)) {
                spread.add(new SpreadConstraint(
                        constraint.path("maxSkew").asInt(),
                        constraint.path("topologyKey").asText(),
                        withMatchLabelKeys(
                                SelectorReader.labels(constraint.path("labelSelector")),
                                constraint.path("matchLabelKeys"),
                                podLabels),
                        constraint.path("minDomains").asInt(1),
                        !constraint.path("nodeAffinityPolicy").asText("").equals("Ignore"),
                        constraint.path("nodeTaintsPolicy").asText("").equals("Honor")));
            }
        }
        return spread;
    }

    /** Adds that those labels are as on the pod; a key that the pod lacks adds nothing. */
    private static LabelSelector withMatchLabelKeys(
            LabelSelector selector, JsonNode keys, Map<String, String> podLabels) {
        if (selector.nothing()) {
            return selector;
        }
        var requirements = new ArrayList<>(selector.requirements());
        for (var key : keys) {
            Optional.ofNullable(podLabels.get(key.asText()))
                    .ifPresent(value ->
                            requirements.add(new Requirement(key.asText(), Requirement.Operator.IN, Set.of(value))));
        }
        return new LabelSelector(false, requirements.stream().distinct().toList());
    }

    private static HostPort hostPort(JsonNode port) {
        var ip = port.path("hostIP").asText("");
        return new HostPort(
                port.path("protocol").asText("TCP"),
                port.path("hostPort").asInt(),
                ip.isEmpty() ? HostPort.ALL_ADDRESSES : ip);
    }

    public static NodeSpec node(JsonNode node) {
        return new NodeSpec(
                node.path("name").asText(),
                texts(node.path("labels")),
                list(
                        node.path("taints"),
                        taint -> new Taint(
                                taint.path("key").asText(), taint.path("value").asText(""), effect(taint))),
                node.path("unschedulable").asBoolean(),
                amounts(node.path("allocatable")));
    }

    /** @param version of the object */
    public static VolumeClaim claim(JsonNode claim, long version) {
        return new VolumeClaim(
                claim.path("namespace").asText(),
                claim.path("name").asText(),
                claim.path("volumeName").asText(""),
                claim.path("phase").asText().equals("Lost")
                        ? VolumeClaim.State.LOST
                        : claim.path("terminating").asBoolean()
                                ? VolumeClaim.State.BEING_DELETED
                                : VolumeClaim.State.USABLE,
                list(claim.path("accessModes"), JsonNode::asText).contains("ReadWriteOncePod"),
                new VolumeClaim.Need(
                        claim.path("uid").asText(""),
                        version,
                        kind(claim),
                        claim.path("requests").path("storage").asLong(),
                        claim.has("selector")
                                ? SelectorReader.labels(claim.path("selector"))
                                : LabelSelector.EVERYTHING,
                        claim.path("selectedNode").asText("")));
    }

    private static Volume.Kind kind(JsonNode object) {
        return new Volume.Kind(
                object.path("storageClassName").asText(""),
                object.path("volumeMode").asText("Filesystem"),
                Set.copyOf(list(object.path("accessModes"), JsonNode::asText)));
    }

    public static StorageClass storageClass(JsonNode storageClass) {
        var topologies = list(
                storageClass.path("allowedTopologies"),
                term -> new NodeAffinity.Term(
                        list(
                                term.path("matchLabelExpressions"),
                                expression -> new Requirement(
                                        expression.path("key").asText(),
                                        Requirement.Operator.IN,
                                        Set.copyOf(list(expression.path("values"), JsonNode::asText)))),
                        List.of()));
        return new StorageClass(
                storageClass.path("name").asText(),
                storageClass.path("volumeBindingMode").asText().equals("WaitForFirstConsumer"),
                !storageClass.path("provisioner").asText().equals("kubernetes.io/no-provisioner"),
                new NodeAffinity(
                        List.of(), topologies.isEmpty() ? Optional.empty() : Optional.of(topologies), List.of()));
    }

    /** @param version of the object */
    public static Volume volume(JsonNode volume, long version) {
        var claim = volume.path("claimRef");
        return new Volume(
                volume.path("name").asText(),
                texts(volume.path("labels")),
                new NodeAffinity(
                        List.of(),
                        SelectorReader.nodeTerms(volume.path("nodeAffinity").path("required")),
                        List.of()),
                volume.path("driver").asText(""),
                volume.path("volumeHandle").asText(""),
                new Volume.Offer(
                        version,
                        kind(volume),
                        volume.path("capacity").path("storage").asLong(),
                        volume.path("phase").asText().equals("Available"),
                        claim.isObject()
                                ? claim.path("namespace").asText() + "/"
                                        + claim.path("name").asText()
                                : "",
                        claim.path("uid").asText("")));
    }

    public static VolumeAttachment attachment(JsonNode attachment) {
        return new VolumeAttachment(
                attachment.path("name").asText(),
                attachment.path("nodeName").asText(),
                attachment.path("attacher").asText(""),
                attachment.path("persistentVolumeName").asText(""));
    }

    public static DisruptionBudget budget(JsonNode budget) {
        return new DisruptionBudget(
                budget.path("namespace").asText(),
                budget.path("name").asText(),
                SelectorReader.labels(budget.path("selector")),
                budget.path("disruptionsAllowed").asInt(),
                Set.copyOf(list(budget.path("disruptedPods"), JsonNode::asText)));
    }

    /** How many volumes of each driver a node can attach. */
    public static Map<String, Integer> attachLimits(JsonNode drivers) {
        return drivers.path("limits").properties().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, limit -> limit.getValue().asInt()));
    }

    /** The labels of a namespace. */
    public static Map<String, String> labels(JsonNode namespace) {
        return texts(namespace.path("labels"));
    }

    private static Map<String, Long> amounts(JsonNode amounts) {
        var read = new HashMap<String, Long>();
        amounts.properties()
                .forEach(amount -> read.put(amount.getKey(), amount.getValue().asLong()));
        return read;
    }

    /** The fields of an object as texts. */
    public static Map<String, String> texts(JsonNode texts) {
        var read = new LinkedHashMap<String, String>();
        texts.properties()
                .forEach(text -> read.put(text.getKey(), text.getValue().asText()));
        return read;
    }

    static <T> List<T> list(JsonNode items, Function<JsonNode, T> read) {
        var list = new ArrayList<T>(items.size());
        items.forEach(item -> list.add(read.apply(item)));
        return list;
    }
}
