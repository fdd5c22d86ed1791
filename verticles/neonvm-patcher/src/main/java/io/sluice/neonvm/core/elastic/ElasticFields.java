package io.sluice.neonvm.core.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.neonvm.core.objects.ContainerRequests;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Picks what is needed of an elastic job, of what it scales, of its pods and of the quotas of its namespace. Amounts
 * are numbers, in milli-CPU or the kind's own unit.
 */
public final class ElasticFields {
    /** Of the jobs' kind. */
    public static final String GROUP_VERSION = "autoscaling.sluice.io/v1alpha1";

    private static final String ALL_JOBS = "/apis/" + GROUP_VERSION + "/elasticjobs";
    private static final String CORE = "v1";
    private static final String STATEFUL_SET = "StatefulSet";
    private static final String REQUESTS = "requests.";
    private static final String COUNT = "count/";
    private static final String LIMITS = "limits.";
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private ElasticFields() {}

    /** The path of all jobs. */
    public static String allJobs(int most) {
        return ALL_JOBS + "?limit=" + most;
    }

    /** The path of a job. */
    public static String jobPath(String namespace, String name) {
        return "/apis/" + GROUP_VERSION + "/namespaces/" + namespace + "/elasticjobs/" + name;
    }

    /** The path of what a job scales. The plural of its kind follows the rule that Kubernetes' own kinds follow. */
    public static String targetPath(String namespace, String apiVersion, String kind, String name) {
        var lower = kind.toLowerCase(Locale.ROOT);
        var plural = lower.endsWith("s")
                ? lower + "es"
                : lower.endsWith("y") ? lower.substring(0, lower.length() - 1) + "ies" : lower + "s";
        return (apiVersion.equals(CORE) ? "/api/" : "/apis/") + apiVersion + "/namespaces/" + namespace + "/" + plural
                + "/" + name;
    }

    /** The path of what a job scales. */
    public static String targetPath(JsonNode job) {
        var reference = job.path("spec").path("targetRef");
        return targetPath(
                namespace(job),
                reference.path("apiVersion").asText(""),
                reference.path("kind").asText(""),
                reference.path("name").asText(""));
    }

    public static String namespace(JsonNode object) {
        return object.path("metadata").path("namespace").asText("");
    }

    /** Which job it is, and in which version: what tells whether it changed by another. */
    public static ObjectNode named(JsonNode job) {
        var metadata = job.path("metadata");
        return JSON.objectNode()
                .put("namespace", namespace(job))
                .put("name", metadata.path("name").asText(""))
                .put("uid", metadata.path("uid").asText(""))
                .put("generation", metadata.path("generation").asLong());
    }

    /** The job itself. */
    public static ObjectNode job(JsonNode job) {
        var fields = named(job)
                .put("version", job.path("metadata").path("resourceVersion").asText(""));
        fields.put("createdAt", job.path("metadata").path("creationTimestamp").asText(""));
        var spec = job.path("spec");
        fields.put("priority", spec.path("priority").asInt());
        fields.put("min", spec.path("min").asInt()).put("max", spec.path("max").asInt());
        fields.set("targetRef", spec.path("targetRef"));
        fields.set("status", job.path("status").isObject() ? job.path("status") : JSON.objectNode());
        return fields;
    }

    /** A job that cannot be scaled. */
    public static ObjectNode broken(JsonNode job, String reason) {
        return job(job).put("broken", reason);
    }

    /**
     * A job and what it scales.
     *
     * @param target the object with the template of the pods
     * @param scale of it
     * @param pods those that its selector matches
     * @param quotas of the namespace
     */
    public static ObjectNode job(JsonNode job, JsonNode target, JsonNode scale, JsonNode pods, JsonNode quotas) {
        var fields = job(job);
        fields.put(
                "scaleVersion", scale.path("metadata").path("resourceVersion").asText(""));
        fields.put("replicas", scale.path("spec").path("replicas").asInt());
        var template = target.path("spec").path("template");
        put(fields, "requests", ContainerRequests.all(template));
        put(fields, "limits", limits(template));
        put(fields, "inPlace", ContainerRequests.amounts(job.path("spec").path("inPlace"), kind -> true));
        var names = fields.putArray("pods");
        inOrderOfLeaving(job, pods).forEach(pod -> {
            var node = pod.path("spec").path("nodeName").asText("");
            if (!node.isEmpty()) {
                var member = names.addObject()
                        .put("name", pod.path("metadata").path("name").asText(""))
                        .put("node", node)
                        .put("resizable", isResizable(pod));
                put(member, "requests", ContainerRequests.all(pod));
                put(member, "desired", ContainerRequests.all(specOf(pod)));
            }
        });
        put(fields, "quota", quota(quotas));
        return fields;
    }

    /** Other requests would change the QoS class of others; with several containers it is open which gets less. */
    private static boolean isResizable(JsonNode pod) {
        return pod.path("status").path("qosClass").asText("").equals("Burstable")
                && pod.path("spec").path("containers").size() == 1
                && pod.path("spec").path("resources").isMissingNode();
    }

    /** Without what its node has applied. */
    private static JsonNode specOf(JsonNode pod) {
        return JSON.objectNode().set("spec", pod.path("spec"));
    }

    /** The change by which a pod gets another size. */
    public static ObjectNode resized(String container, long milliCpu, long memoryBytes) {
        var change = JSON.objectNode();
        change.putObject("spec")
                .putArray("containers")
                .addObject()
                .put("name", container)
                .putObject("resources")
                .putObject("requests")
                .put("cpu", milliCpu + "m")
                .put("memory", Long.toString(memoryBytes));
        return change;
    }

    private static Map<String, Long> limits(JsonNode template) {
        var limits = new TreeMap<String, Long>();
        for (var container : template.path("spec").path("containers")) {
            ContainerRequests.amounts(container.path("resources").path("limits"), kind -> true)
                    .forEach((kind, amount) -> limits.merge(kind, amount, Math::addExact));
        }
        return limits;
    }

    /** A stateful set removes the highest number first; others remove the newest first, where all pods are ready. */
    private static List<JsonNode> inOrderOfLeaving(JsonNode job, JsonNode pods) {
        var present = new ArrayList<JsonNode>();
        for (var pod : pods.path("items")) {
            var phase = pod.path("status").path("phase").asText("");
            if (!phase.equals("Succeeded") && !phase.equals("Failed")) {
                present.add(pod);
            }
        }
        boolean numbered =
                job.path("spec").path("targetRef").path("kind").asText("").equals(STATEFUL_SET);
        present.sort(
                Comparator.<JsonNode>comparingInt(pod -> pod.path("metadata").hasNonNull("deletionTimestamp") ? 0 : 1)
                        .thenComparing(numbered ? byNumber() : byAge())
                        .thenComparing(pod -> pod.path("metadata").path("name").asText("")));
        return present;
    }

    private static Comparator<JsonNode> byNumber() {
        return Comparator.comparingLong(
                pod -> -number(pod.path("metadata").path("name").asText("")));
    }

    private static Comparator<JsonNode> byAge() {
        return Comparator.<JsonNode, String>comparing(
                        pod -> pod.path("metadata").path("creationTimestamp").asText(""))
                .reversed();
    }

    private static long number(String name) {
        try {
            return Long.parseLong(name.substring(name.lastIndexOf('-') + 1));
        } catch (NumberFormatException none) {
            return 0;
        }
    }

    /** What all quotas together leave; of a kind that several name, the least. */
    static Map<String, Long> quota(JsonNode quotas) {
        var left = new TreeMap<String, Long>();
        for (var quota : quotas.path("items")) {
            var hard = amounts(quota.path("spec").path("hard"));
            var used = amounts(quota.path("status").path("used"));
            hard.forEach((kind, amount) ->
                    left.merge(kind, Math.max(0, amount - used.getOrDefault(kind, 0L)), Math::min));
        }
        return left;
    }

    /** Kinds as pods request them; {@code limits.cpu} stays as it is. */
    private static Map<String, Long> amounts(JsonNode quantities) {
        var plain = new TreeMap<String, Long>();
        quantities.properties().forEach(quantity -> {
            var kind = quantity.getKey();
            var name = kind.startsWith(REQUESTS)
                    ? kind.substring(REQUESTS.length())
                    : kind.startsWith(COUNT) ? kind.substring(COUNT.length()) : kind;
            var bare = name.startsWith(LIMITS) ? name.substring(LIMITS.length()) : name;
            var one = JSON.objectNode();
            one.set(bare, quantity.getValue());
            plain.merge(name, ContainerRequests.amounts(one, any -> true).get(bare), Math::min);
        });
        return plain;
    }

    private static void put(ObjectNode fields, String name, Map<String, Long> amounts) {
        var node = fields.putObject(name);
        amounts.forEach(node::put);
    }
}
