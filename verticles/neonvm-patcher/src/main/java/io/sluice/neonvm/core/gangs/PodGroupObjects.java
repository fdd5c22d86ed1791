package io.sluice.neonvm.core.gangs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.messages.placement.GangState;
import io.sluice.messages.placement.GangState.Step;
import io.sluice.neonvm.core.objects.ContainerRequests;
import io.sluice.neonvm.core.objects.KubernetesJson;
import io.sluice.shell.KubernetesEvent;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The objects of gangs: what scheduling reads of them, and the statuses and Events that they get. */
public final class PodGroupObjects {
    /** The API group that the community's scheduler plugins have now. */
    public static final String X_K8S = "scheduling.x-k8s.io";

    /** The API group that they had before. */
    public static final String SIGS = "scheduling.sigs.k8s.io";

    /** Kubernetes' own API group. */
    public static final String KUBERNETES = "scheduling.k8s.io";

    private static final String KOORDINATOR = "gang.scheduling.koordinator.sh/";
    private static final String KIND = "PodGroup";
    private static final String COMPONENT = "sluice";
    private static final String UNSCHEDULABLE = "Unschedulable";
    private static final String SCHEDULED = "Scheduled";

    private PodGroupObjects() {}

    private static String version(String group) {
        return group.equals(KUBERNETES) ? "v1alpha2" : "v1alpha1";
    }

    /** The path of all objects of a group. */
    public static String path(String group) {
        return "/apis/" + group + "/" + version(group) + "/podgroups";
    }

    /** The group of such a path. A list of Kubernetes' own objects names it for none of them. */
    public static String group(String path) {
        return path.split("/")[2];
    }

    /** The path of one object. */
    public static String path(String group, String namespace, String name) {
        return "/apis/" + group + "/" + version(group) + "/namespaces/" + namespace + "/podgroups/" + name;
    }

    /** What scheduling reads of an object; of Kubernetes' own kind, gangs alone have a minimum. */
    public static ObjectNode fields(String group, JsonNode object) {
        var metadata = object.path("metadata");
        var spec = object.path("spec");
        var fields = KubernetesJson.MAPPER.createObjectNode();
        fields.put("group", group)
                .put("namespace", metadata.path("namespace").asText())
                .put("name", metadata.path("name").asText())
                .put("uid", metadata.path("uid").asText())
                .put("createdAt", metadata.path("creationTimestamp").asText(""))
                .put("phase", phase(object.path("status")));
        var min = group.equals(KUBERNETES)
                ? spec.path("schedulingPolicy").path("gang").path("minCount")
                : spec.path("minMember");
        if (min.isInt()) {
            fields.put("minMember", min.asInt());
        }
        if (spec.path("scheduleTimeoutSeconds").isInt()) {
            fields.put("timeoutSeconds", spec.path("scheduleTimeoutSeconds").asInt());
        }
        ContainerRequests.amounts(spec.path("minResources"), resource -> true)
                .forEach(fields.putObject("minResources")::put);
        koordinator(metadata.path("annotations"), fields);
        return fields;
    }

    private static String phase(JsonNode status) {
        for (var condition : status.path("conditions")) {
            if (condition.path("type").asText().equals("PodGroupScheduled")
                    && condition.path("status").asText().equals("True")) {
                return SCHEDULED;
            }
        }
        return status.path("phase").asText("");
    }

    private static void koordinator(JsonNode annotations, ObjectNode fields) {
        annotations.properties().forEach(annotation -> {
            if (annotation.getKey().startsWith(KOORDINATOR)) {
                fields.withObject("/annotations")
                        .put(
                                annotation.getKey().substring(KOORDINATOR.length()),
                                annotation.getValue().asText());
            }
        });
    }

    /** What scheduling reads of a pod, with the gang to which it belongs, if to any. */
    public static ObjectNode withMembership(JsonNode pod, ObjectNode fields) {
        var group = pod.path("spec").path("schedulingGroup").path("podGroupName");
        if (group.isTextual()) {
            fields.set("schedulingGroup", group);
        }
        koordinator(pod.path("metadata").path("annotations"), fields);
        if (isMember(pod)) {
            fields.put("phase", pod.path("status").path("phase").asText(""))
                    .put(
                            "createdAt",
                            pod.path("metadata").path("creationTimestamp").asText(""));
        }
        return fields;
    }

    /** Whether a pod names a gang. */
    public static boolean isMember(JsonNode pod) {
        var metadata = pod.path("metadata");
        return pod.path("spec").path("schedulingGroup").path("podGroupName").isTextual()
                || metadata.path("labels").has(X_K8S + "/pod-group")
                || metadata.path("labels").has("pod-group." + SIGS)
                || metadata.path("annotations").has(KOORDINATOR + "name");
    }

    /** The change of an object's status. The API server refuses it for an object with another uid or version. */
    public static String status(GangState gang, JsonNode object, Instant now) {
        var change = KubernetesJson.MAPPER.createObjectNode();
        change.putObject("metadata")
                .put("uid", gang.uid())
                .put(
                        "resourceVersion",
                        object.path("metadata").path("resourceVersion").asText());
        var status = change.putObject("status");
        boolean own = gang.apiGroup().equals(KUBERNETES);
        if (!own) {
            int running = gang.count(Step.RUNNING);
            int succeeded = gang.count(Step.SUCCEEDED);
            status.put("phase", gang.phase())
                    .put("scheduled", gang.count(Step.BOUND, Step.RUNNING, Step.SUCCEEDED))
                    .put("running", running)
                    .put("succeeded", succeeded)
                    .put("failed", gang.count(Step.FAILED));
        }
        conditions(gang, own, object, status, now);
        return change.toString();
    }

    private static void conditions(GangState gang, boolean own, JsonNode object, ObjectNode status, Instant now) {
        boolean waits = !gang.reason().isEmpty();
        var type = own ? "PodGroupScheduled" : waits ? UNSCHEDULABLE : SCHEDULED;
        var value = own && waits ? "False" : "True";
        var conditions = status.putArray("conditions");
        var since = now.truncatedTo(ChronoUnit.SECONDS).toString();
        for (var condition : object.path("status").path("conditions")) {
            var its = condition.path("type").asText();
            if (its.equals(type) && condition.path("status").asText().equals(value)) {
                since = condition.path("lastTransitionTime").asText(since);
            } else if (!its.equals(UNSCHEDULABLE) && !its.equals(SCHEDULED) && !its.equals(type)) {
                conditions.add(condition);
            }
        }
        conditions
                .addObject()
                .put("type", type)
                .put("status", value)
                .put("reason", waits ? own ? UNSCHEDULABLE : reasonWord(gang.reason()) : SCHEDULED)
                .put("message", gang.reason())
                .put("lastTransitionTime", since);
    }

    /** Whether the status has all that already. */
    public static boolean isReported(GangState gang, JsonNode object) {
        var status = object.path("status");
        boolean sameReason = false;
        for (var condition : status.path("conditions")) {
            sameReason |= condition.path("message").asText("").equals(gang.reason());
        }
        return sameReason
                && (gang.apiGroup().equals(KUBERNETES)
                        || status.path("phase").asText("").equals(gang.phase())
                                && status.path("scheduled").asInt()
                                        == gang.count(Step.BOUND, Step.RUNNING, Step.SUCCEEDED)
                                && status.path("running").asInt() == gang.count(Step.RUNNING)
                                && status.path("succeeded").asInt() == gang.count(Step.SUCCEEDED)
                                && status.path("failed").asInt() == gang.count(Step.FAILED));
    }

    /** The Event of a gang; one reason has one name, so that a repeat makes no second one. */
    public static String event(GangState gang, Instant now) {
        boolean waits = !gang.reason().isEmpty();
        return new KubernetesEvent(
                        gang.name() + "." + Integer.toHexString((gang.uid() + gang.reason()).hashCode()),
                        new KubernetesEvent.About(
                                gang.apiGroup() + "/" + version(gang.apiGroup()),
                                KIND,
                                gang.namespace(),
                                gang.name(),
                                gang.uid()),
                        waits ? "FailedScheduling" : SCHEDULED,
                        waits,
                        waits ? gang.reason() : "the members that it needs have room, and are bound",
                        COMPONENT,
                        KubernetesEvent.Occurrences.once(now))
                .json();
    }

    private static String reasonWord(String reason) {
        var word = new StringBuilder();
        for (int i = 0;
                i < reason.length() && (Character.isUpperCase(reason.charAt(i)) || reason.charAt(i) == '_');
                i++) {
            word.append(reason.charAt(i));
        }
        return word.isEmpty() ? UNSCHEDULABLE : word.toString();
    }
}
