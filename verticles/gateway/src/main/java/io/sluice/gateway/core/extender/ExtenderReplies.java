package io.sluice.gateway.core.extender;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.messages.placement.NodeRanks;
import io.sluice.messages.placement.NodeRanks.NodeRank;
import io.sluice.messages.placement.PlaceReply;
import io.sluice.shell.explain.PlacementReasons;
import java.util.HashMap;
import java.util.List;

/**
 * Writes replies to kube-scheduler: {@code ExtenderFilterResult}, {@code HostPriorityList},
 * {@code ExtenderPreemptionResult} and {@code ExtenderBindingResult} of {@code k8s.io/kube-scheduler/extender/v1}.
 */
public final class ExtenderReplies {
    /** The highest score of an extender. */
    private static final int SCORE_MAX = 10;

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private ExtenderReplies() {}

    /**
     * The reply to {@code filter}. Nodes without room are named unresolvable: kube-scheduler's own filters have passed
     * these nodes, so no preemption that it tries can make room in the ledger.
     */
    public static ObjectNode filtered(NodeRanks ranks) {
        return switch (ranks) {
            case NodeRanks.Ranked(var nodes) -> filtered(nodes);
            case NodeRanks.PodNotPending _ ->
                error("Sluice did not observe the pod as pending within a second; it is tried again");
        };
    }

    private static ObjectNode filtered(List<NodeRank> nodes) {
        var reply = JSON.objectNode();
        var fit = reply.putArray("NodeNames");
        nodes.stream().filter(NodeRank::fits).forEach(node -> fit.add(node.node()));
        reply.putObject("FailedNodes");
        var failed = reply.putObject("FailedAndUnresolvableNodes");
        PlacementReasons.of(nodes).byNode().forEach(failed::put);
        return reply.put("Error", "");
    }

    /** The reply to {@code filter} or {@code bind} when it failed. */
    public static ObjectNode error(String sentence) {
        return JSON.objectNode().put("Error", sentence);
    }

    /** The reply to {@code prioritize}: scores of 0 to 10. Nodes that do not fit, or a pod that is unknown, get 0. */
    public static ArrayNode scored(List<String> requested, NodeRanks ranks) {
        var scores = new HashMap<String, Integer>();
        if (ranks instanceof NodeRanks.Ranked(var nodes)) {
            nodes.forEach(node -> scores.put(node.node(), node.score()));
        }
        var reply = JSON.arrayNode();
        requested.forEach(node -> reply.addObject()
                .put("Host", node)
                .put("Score", Math.round((float) scores.getOrDefault(node, 0) * SCORE_MAX / NodeRanks.SCORE_MAX)));
        return reply;
    }

    /** The reply to {@code preempt}: those nodes on which the ledger has room after the evictions. */
    public static ObjectNode preempted(ExtenderRequests.Preemption request, NodeRanks ranks) {
        var reply = JSON.objectNode();
        var nodes = reply.putObject("NodeNameToMetaVictims");
        if (ranks instanceof NodeRanks.Ranked(var ranked)) {
            ranked.stream()
                    .filter(NodeRank::fits)
                    .forEach(node -> nodes.set(node.node(), request.victims().path(node.node())));
        }
        return reply;
    }

    /** The reply to {@code bind}. */
    public static ObjectNode bound(PlaceReply reply) {
        return error(
                switch (reply) {
                    case PlaceReply.Placed _ -> "";
                    case PlaceReply.NotPlaced(var reason) -> reason;
                    case PlaceReply.InDoubt(var reason) ->
                        "it is unknown whether the pod was bound, and its room stays held: " + reason;
                });
    }
}
