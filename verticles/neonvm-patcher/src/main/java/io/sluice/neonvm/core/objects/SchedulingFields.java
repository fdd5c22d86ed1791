package io.sluice.neonvm.core.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/**
 * Picks what scheduling reads of an object, so that little is sent. Fields keep the names and forms of Kubernetes,
 * except that amounts are numbers, in milli-CPU or the resource's own unit, and that what is nested is flat.
 */
public final class SchedulingFields {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private static final String STORAGE = "storage";
    private static final String PROFILER = "ai.centaurus.io/gpu-";
    private static final String THRESHOLDS = "autoscaling.sluice.io/utilisation-thresholds";

    private SchedulingFields() {}

    /**
     * A pod: what it requests, where it may run, and what it uses of a node.
     *
     * @throws IllegalArgumentException if an amount is not a quantity
     */
    public static ObjectNode pod(JsonNode pod) {
        var spec = pod.path("spec");
        var fields = named(pod);
        copy(pod.path("metadata"), fields, "namespace", "uid", "labels");
        copy(spec, fields, "nodeName", "schedulerName", "priority", "nodeSelector", "tolerations");
        copy(spec, fields, "topologySpreadConstraints", "preemptionPolicy");
        copy(pod.path("status"), fields, "startTime", "nominatedNodeName");
        affinity(spec.path("affinity"), fields);
        if (pod.path("metadata").hasNonNull("deletionTimestamp")) {
            fields.put("terminating", true);
        }
        putAmounts(fields, "requests", ContainerRequests.all(pod));
        put(fields, "hostPorts", hostPorts(spec));
        put(fields, "claims", claims(fields.path("name").asText(), spec.path("volumes")));
        put(fields, "gates", names(spec.path("schedulingGates")));
        put(fields, "resourceClaims", names(spec.path("resourceClaims")));
        return fields;
    }

    private static void affinity(JsonNode affinity, ObjectNode fields) {
        copy(affinity, fields, "nodeAffinity");
        among(affinity.path("podAffinity"), fields, "podAffinity", "preferredPodAffinity");
        among(affinity.path("podAntiAffinity"), fields, "podAntiAffinity", "preferredPodAntiAffinity");
    }

    private static void among(JsonNode pods, ObjectNode fields, String required, String preferred) {
        if (pods.path("requiredDuringSchedulingIgnoredDuringExecution").size() > 0) {
            fields.set(required, pods.path("requiredDuringSchedulingIgnoredDuringExecution"));
        }
        if (pods.path("preferredDuringSchedulingIgnoredDuringExecution").size() > 0) {
            fields.set(preferred, pods.path("preferredDuringSchedulingIgnoredDuringExecution"));
        }
    }

    private static ArrayNode hostPorts(JsonNode spec) {
        var ports = JSON.arrayNode();
        for (var container : spec.path("containers")) {
            addPorts(container, ports);
        }
        for (var init : spec.path("initContainers")) {
            if (ContainerRequests.isRestartable(init)) {
                addPorts(init, ports);
            }
        }
        return ports;
    }

    private static void addPorts(JsonNode container, ArrayNode ports) {
        for (var port : container.path("ports")) {
            if (port.path("hostPort").asInt() > 0) {
                var picked = ports.addObject();
                copy(port, picked, "hostPort", "hostIP", "protocol");
            }
        }
    }

    /** The claim of an ephemeral volume has the names of pod and volume. */
    private static ArrayNode claims(String podName, JsonNode volumes) {
        var claims = JSON.arrayNode();
        for (var volume : volumes) {
            if (volume.hasNonNull("persistentVolumeClaim")) {
                claims.add(
                        volume.path("persistentVolumeClaim").path("claimName").asText());
            } else if (volume.hasNonNull("ephemeral")) {
                claims.add(podName + "-" + volume.path("name").asText());
            }
        }
        return claims;
    }

    private static ArrayNode names(JsonNode objects) {
        var names = JSON.arrayNode();
        objects.forEach(object -> names.add(object.path("name").asText()));
        return names;
    }

    /** A node: its labels and taints, and what it can give. */
    public static ObjectNode node(JsonNode node) {
        var fields = named(node);
        copy(node.path("metadata"), fields, "labels");
        copy(node.path("spec"), fields, "taints", "unschedulable");
        annotations(node.path("metadata").path("annotations"), fields);
        putAmounts(
                fields,
                "allocatable",
                ContainerRequests.amounts(node.path("status").path("allocatable"), kind -> true));
        return fields;
    }

    /** Of a node's annotations those that say how busy it is, or may be. */
    private static void annotations(JsonNode annotations, ObjectNode fields) {
        annotations.properties().forEach(annotation -> {
            if (annotation.getKey().startsWith(PROFILER) || annotation.getKey().equals(THRESHOLDS)) {
                fields.withObjectProperty("annotations").set(annotation.getKey(), annotation.getValue());
            }
        });
    }

    /** A namespace: its labels. */
    public static ObjectNode namespace(JsonNode namespace) {
        var fields = named(namespace);
        copy(namespace.path("metadata"), fields, "labels");
        return fields;
    }

    /** A volume claim: to which volume it is bound, and whether it can be used. */
    public static ObjectNode claim(JsonNode claim) {
        var fields = named(claim);
        copy(claim.path("metadata"), fields, "namespace", "uid");
        copy(claim.path("spec"), fields, "volumeName", "accessModes", "storageClassName", "volumeMode", "selector");
        putAmounts(
                fields,
                "requests",
                ContainerRequests.amounts(claim.path("spec").path("resources").path("requests"), STORAGE::equals));
        var selected = claim.path("metadata").path("annotations").path(NeonVmKeys.SELECTED_NODE);
        if (selected.isTextual()) {
            fields.set("selectedNode", selected);
        }
        copy(claim.path("status"), fields, "phase");
        if (claim.path("metadata").hasNonNull("deletionTimestamp")) {
            fields.put("terminating", true);
        }
        return fields;
    }

    /** A volume: where it is, and its name at its CSI driver. */
    public static ObjectNode volume(JsonNode volume) {
        var fields = named(volume);
        copy(volume.path("metadata"), fields, "labels");
        copy(volume.path("spec"), fields, "nodeAffinity", "accessModes", "storageClassName", "volumeMode");
        copy(volume.path("status"), fields, "phase");
        putAmounts(
                fields,
                "capacity",
                ContainerRequests.amounts(volume.path("spec").path("capacity"), STORAGE::equals));
        if (volume.path("spec").hasNonNull("claimRef")) {
            copy(volume.path("spec").path("claimRef"), fields.putObject("claimRef"), "namespace", "name", "uid");
        }
        copy(volume.path("spec").path("csi"), fields, "driver", "volumeHandle");
        return fields;
    }

    /** A class of volumes: when they are made, and where. */
    public static ObjectNode storageClass(JsonNode storageClass) {
        var fields = named(storageClass);
        copy(storageClass, fields, "provisioner", "volumeBindingMode", "allowedTopologies");
        return fields;
    }

    /** The drivers on a node: how many volumes each can attach. */
    public static ObjectNode drivers(JsonNode csiNode) {
        var fields = named(csiNode);
        var limits = fields.putObject("limits");
        for (var driver : csiNode.path("spec").path("drivers")) {
            if (driver.path("allocatable").hasNonNull("count")) {
                limits.set(
                        driver.path("name").asText(), driver.path("allocatable").path("count"));
            }
        }
        return fields;
    }

    /** An attachment of a volume to a node. */
    public static ObjectNode attachment(JsonNode attachment) {
        var fields = named(attachment);
        copy(attachment.path("spec"), fields, "nodeName", "attacher");
        copy(attachment.path("spec").path("source"), fields, "persistentVolumeName");
        return fields;
    }

    /** A disruption budget: how many of which pods may be evicted, and which are being evicted. */
    public static ObjectNode budget(JsonNode budget) {
        var fields = named(budget);
        copy(budget.path("metadata"), fields, "namespace");
        copy(budget.path("spec"), fields, "selector");
        copy(budget.path("status"), fields, "disruptionsAllowed");
        var disrupted = JSON.arrayNode();
        budget.path("status").path("disruptedPods").fieldNames().forEachRemaining(disrupted::add);
        put(fields, "disruptedPods", disrupted);
        return fields;
    }

    private static ObjectNode named(JsonNode object) {
        return JSON.objectNode().put("name", KubernetesJson.text(object.path("metadata"), "name"));
    }

    private static void copy(JsonNode from, ObjectNode to, String... fields) {
        for (var field : fields) {
            if (from.hasNonNull(field)) {
                to.set(field, from.path(field));
            }
        }
    }

    private static void put(ObjectNode fields, String name, ArrayNode values) {
        if (!values.isEmpty()) {
            fields.set(name, values);
        }
    }

    private static void putAmounts(ObjectNode fields, String name, Map<String, Long> amounts) {
        var node = fields.putObject(name);
        amounts.forEach(node::put);
    }
}
