package io.sluice.simulation.model.pods;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.shell.Quantities;
import io.sluice.shell.pods.ScaledPod;
import io.sluice.simulation.model.agent.Flight;
import io.sluice.units.Resources;
import io.sluice.units.ScaledPodKeys;
import io.sluice.units.VmId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A pod that is resized in place: its object as the API server stores it, what its kubelet has made of it, and the
 * resizes that may still be applied to it. Its container has limits of twice its requests.
 */
public final class ScaledPodObject {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int LIMIT = 2;

    private final Set<Flight> left = new HashSet<>();
    private final List<Sent> sent = new ArrayList<>();
    private ObjectNode json;
    private ScaledPod read;
    final KubeletState kubelet;

    /** A resize on its way to the API server. It can be applied to one version alone. */
    record Sent(Flight flight, String version) {}

    ScaledPodObject(VmId id, String node, Resources size) {
        json = object(
                """
                {"metadata":{"namespace":"%s","name":"%s","uid":"%s","resourceVersion":"0","generation":1,
                   "labels":{"%s":"true"},"annotations":{}},
                 "spec":{"nodeName":"%s","containers":[{"name":"main","resources":%s}]},
                 "status":{"phase":"Running","qosClass":"Burstable","hostIP":"10.0.0.1"}}\
                """.formatted(id.namespace(), id.name(), id.uid(), ScaledPodKeys.ENABLED, node, resources(size, size)));
        read = ScaledPod.of(json);
        kubelet = new KubeletState(read, size);
        shows(kubelet.shown());
    }

    /** Requests, and limits for that size. */
    private static String resources(Resources requests, Resources limits) {
        return "{\"requests\":" + quantities(requests) + ",\"limits\":" + quantities(limits.times(LIMIT)) + "}";
    }

    private static String quantities(Resources amount) {
        return "{\"cpu\":\"" + Quantities.cpuText(amount.milliCpu()) + "\",\"memory\":\""
                + Quantities.memoryText(amount.memoryBytes()) + "\"}";
    }

    private static ObjectNode object(String text) {
        try {
            return (ObjectNode) MAPPER.readTree(text);
        } catch (JsonProcessingException noJson) {
            throw new IllegalArgumentException(noJson);
        }
    }

    /** The object; never changed in place. */
    public ObjectNode json() {
        return json;
    }

    /** The object as the driver reads it. */
    public ScaledPod read() {
        return read;
    }

    private void becomes(ObjectNode next) {
        json = next;
        read = ScaledPod.of(next);
    }

    /** It is written in that version. */
    public void written(long version) {
        var next = json.deepCopy();
        next.withObject("/metadata").put("resourceVersion", Long.toString(version));
        becomes(next);
    }

    /** Labels it for scaling, or removes the label. */
    public void enable(boolean enabled) {
        var next = json.deepCopy();
        next.withObject("/metadata/labels").put(ScaledPodKeys.ENABLED, Boolean.toString(enabled));
        becomes(next);
    }

    /** A user annotates the bounds of its container. */
    public void bound(Resources min, Resources max) {
        var next = json.deepCopy();
        next.withObject("/metadata/annotations")
                .put(ScaledPodKeys.BOUNDS, "{\"min\":" + bound(min) + ",\"max\":" + bound(max) + "}");
        becomes(next);
    }

    private static String bound(Resources amount) {
        return quantities(amount).replace("memory", "mem");
    }

    /** Its container was killed for want of memory. */
    void killed(String at) {
        var next = json.deepCopy();
        next.at("/status/containerStatuses/0")
                .withObject("/lastState/terminated")
                .put("reason", "OOMKilled")
                .put("finishedAt", at);
        becomes(next);
    }

    /** Its kubelet writes what it has decided and done. */
    void shows(KubeletState.Shown shown) {
        var next = json.deepCopy();
        var status = next.withObject("/status").put("observedGeneration", shown.generation());
        var before = status.at("/containerStatuses/0/lastState");
        var container = status.putArray("containerStatuses").addObject().put("name", "main");
        if (before.isObject()) {
            container.set("lastState", before);
        }
        container.set("allocatedResources", object(quantities(shown.allocated())));
        container.set("resources", object(resources(shown.allocated(), shown.actual())));
        var conditions = status.putArray("conditions");
        if (!shown.pending().isEmpty()) {
            conditions
                    .addObject()
                    .put("type", "PodResizePending")
                    .put("reason", shown.pending())
                    .put("message", shown.message());
        } else if (!shown.actual().equals(shown.allocated())) {
            conditions.addObject().put("type", "PodResizeInProgress");
        }
        becomes(next);
    }

    /** Applies a JSON Patch as an API server does: all of it, or nothing. Returns whether its tests hold. */
    boolean apply(String operations) {
        var next = json.deepCopy();
        for (var operation : object("{\"all\":" + operations + "}").path("all")) {
            var path = operation.path("path").asText();
            int slash = path.lastIndexOf('/');
            var key = path.substring(slash + 1).replace("~1", "/");
            var holder = next.at(path.substring(0, slash));
            switch (operation.path("op").asText()) {
                case "test" -> {
                    if (!holder.path(key)
                            .asText()
                            .equals(operation.path("value").asText())) {
                        return false;
                    }
                }
                case "remove" -> ((ObjectNode) holder).remove(key);
                default -> ((ObjectNode) holder).set(key, operation.path("value"));
            }
        }
        if (!next.path("spec").equals(json.path("spec"))) {
            var metadata = next.withObject("/metadata");
            metadata.put("generation", metadata.path("generation").asLong() + 1);
        }
        becomes(next);
        return true;
    }

    /** What its kubelet has allocated to it. */
    public Resources allocated() {
        return kubelet.allocated;
    }

    /** The most that its kubelet has given it, or may give it by what it has read. */
    public Resources mayApply() {
        return kubelet.mayApply();
    }

    /** Whether its kubelet has nothing left to do, and has written that. */
    public boolean isSettled() {
        return read.isSettled() && kubelet.mayApply().equals(read.spec());
    }

    /** No process takes that resize to its end any more. */
    void leave(Flight flight) {
        left.add(flight);
    }

    void sent(Sent one) {
        sent.add(one);
    }

    /** One copy was lost, or has arrived. */
    void arrived(Sent one) {
        sent.remove(one);
    }

    /**
     * Whether that resize may still change the pod: a process may attend to it and the fence lets it, or it is on its
     * way to the version that the pod has.
     */
    public boolean mayLand(Flight flight) {
        var fence = read.fence();
        boolean begins = !left.contains(flight)
                && (flight.patch().fence().equals(fence)
                        || flight.patch().nextFence().equals(fence));
        return begins
                || sent.stream()
                        .anyMatch(one -> one.flight() == flight && one.version().equals(read.version()));
    }
}
