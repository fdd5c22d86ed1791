package io.sluice.neonvm.core.objects;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.vm.EvictPod;
import io.sluice.messages.vm.EvictReply;
import io.sluice.messages.vm.NominateNode;
import io.sluice.shell.KubernetesEvent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The eviction of a pod for another one, and the Events of both. */
public final class EvictionObjects {
    private static final String BUDGET = "DisruptionBudget";

    private EvictionObjects() {}

    /** The Eviction. The API server refuses it for a pod with another uid. */
    public static String create(EvictPod request) {
        var object = KubernetesJson.MAPPER.createObjectNode();
        object.put("apiVersion", "policy/v1").put("kind", "Eviction");
        object.putObject("metadata").put("name", request.name()).put("namespace", request.namespace());
        object.putObject("deleteOptions").putObject("preconditions").put("uid", request.uid());
        return object.toString();
    }

    /** Whether a conflict shows that the pod with that uid is gone: the server names the uid that it has found. */
    public static boolean isOfAnother(EvictPod request, JsonNode status) {
        var message = status.path("message").asText();
        return message.contains("UID") && message.contains(request.uid());
    }

    /** The words in which a disruption budget refuses it; empty where something else does. */
    public static Optional<String> refusalOfBudget(JsonNode status) {
        for (var cause : status.path("details").path("causes")) {
            if (cause.path("reason").asText().equals(BUDGET)) {
                return Optional.of(cause.path("message").asText());
            }
        }
        return Optional.empty();
    }

    /** The change of a pod that waits; the API server refuses it for a pod with another uid. */
    public static String nominated(NominateNode request) {
        var object = KubernetesJson.MAPPER.createObjectNode();
        object.putObject("metadata").put("uid", request.uid());
        var status = object.putObject("status");
        if (request.node().isEmpty()) {
            status.putNull("nominatedNodeName");
        } else {
            status.put("nominatedNodeName", request.node());
        }
        return object.toString();
    }

    /** An Event that is to be created. */
    public record Event(String namespace, String object) {}

    /**
     * What people read of it; one of a pair of pods has one name, so that a repeat makes no second one. Where a pod is
     * evicted for no other one, whoever requests it writes why.
     */
    public static List<Event> events(EvictPod request, EvictReply reply, Instant now) {
        if (request.isForItself()) {
            return List.of();
        }
        var preemptor = request.preemptor();
        return switch (reply) {
            case EvictReply.Evicted() ->
                List.of(
                        onVictim(
                                request,
                                "Preempted",
                                "Preempted by pod " + preemptor.label() + " (" + preemptor.uid() + ") on node "
                                        + request.node(),
                                now),
                        onPreemptor(
                                request,
                                "Preempting",
                                "Pod " + request.label() + " of lower priority is evicted from node " + request.node(),
                                now));
            case EvictReply.RefusedByBudget(var reason) ->
                List.of(onPreemptor(
                        request,
                        "PreemptionRefused",
                        "Pod " + request.label() + " on node " + request.node() + " is not evicted: " + reason,
                        now));
            case EvictReply.Gone(), EvictReply.Failed(var _) -> List.of();
        };
    }

    private static Event onVictim(EvictPod request, String reason, String message, Instant now) {
        var victim = new EvictPod.Preemptor(request.uid(), request.namespace(), request.name());
        return event(victim, reason, request, message, now);
    }

    private static Event onPreemptor(EvictPod request, String reason, String message, Instant now) {
        return event(request.preemptor(), reason, request, message, now);
    }

    private static Event event(EvictPod.Preemptor pod, String reason, EvictPod request, String message, Instant now) {
        var pair = request.uid() + request.preemptor().uid() + reason + message;
        var event = new KubernetesEvent(
                pod.name() + "." + Integer.toHexString(pair.hashCode()),
                KubernetesEvent.About.pod(pod.namespace(), pod.name(), pod.uid()),
                reason,
                !reason.equals("Preempting"),
                message,
                request.scheduler(),
                KubernetesEvent.Occurrences.once(now));
        return new Event(pod.namespace(), event.json());
    }
}
