package io.sluice.gateway.core.extender;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.messages.placement.PlacePod;
import io.sluice.messages.placement.PreemptPods;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;

/**
 * Reads the bodies of kube-scheduler's rarer calls to an extender: {@code ExtenderPreemptionArgs} and
 * {@code ExtenderBindingArgs} of {@code k8s.io/kube-scheduler/extender/v1}. Each error names the field and what was
 * expected.
 */
public final class ExtenderRequests {
    private static final ObjectReader JSON = JsonMapper.builder(new JsonFactoryBuilder()
                    .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                    .build())
            .build()
            .reader();

    private ExtenderRequests() {}

    /**
     * The arguments of {@code preempt}.
     *
     * @param pods the request to placement
     * @param victims what kube-scheduler would evict, by node, as it is to be repeated
     */
    public record Preemption(PreemptPods pods, JsonNode victims) {}

    /**
     * Reads the arguments of {@code preempt}.
     *
     * @throws IllegalArgumentException if a field is missing or of another type
     */
    public static Preemption preempt(byte[] body) {
        var args = object(body);
        var victims = args.path("NodeNameToMetaVictims");
        if (!victims.isObject()) {
            throw new IllegalArgumentException("NodeNameToMetaVictims must be an object:"
                    + " the extender's configuration needs nodeCacheCapable: true");
        }
        var candidates = new ArrayList<PreemptPods.Candidate>();
        for (var node : victims.properties()) {
            var uids = new ArrayList<String>();
            for (var pod : node.getValue().path("Pods")) {
                uids.add(text(pod, "UID", "NodeNameToMetaVictims." + node.getKey() + ".Pods.UID"));
            }
            candidates.add(new PreemptPods.Candidate(node.getKey(), uids));
        }
        var uid = text(args.path("Pod").path("metadata"), "uid", "Pod.metadata.uid");
        return new Preemption(new PreemptPods(uid, candidates), victims);
    }

    /**
     * Reads the arguments of {@code bind}.
     *
     * @throws IllegalArgumentException if a field is missing or of another type
     */
    public static PlacePod place(byte[] body) {
        var args = object(body);
        return new PlacePod(
                text(args, "PodUID", "PodUID"),
                text(args, "PodNamespace", "PodNamespace"),
                text(args, "PodName", "PodName"),
                text(args, "Node", "Node"));
    }

    private static JsonNode object(byte[] body) {
        try {
            var root = JSON.readTree(new String(body, StandardCharsets.UTF_8));
            if (!root.isObject()) {
                throw new IllegalArgumentException("the body must be an object");
            }
            return root;
        } catch (JsonProcessingException garbage) {
            throw new IllegalArgumentException("the body is no JSON: " + garbage.getOriginalMessage(), garbage);
        }
    }

    private static String text(JsonNode object, String field, String path) {
        var value = object.path(field);
        if (!value.isTextual() || value.textValue().isEmpty()) {
            throw new IllegalArgumentException(path + " must be a text that is not empty");
        }
        return value.textValue();
    }
}
