package io.sluice.gateway.core.extender;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.messages.placement.NodeRanks;
import io.sluice.messages.placement.NodeRanks.NodeRank;
import io.sluice.messages.placement.PlaceReply;
import io.sluice.shell.explain.PlacementReasons;
import java.util.List;

/**
 * Writes replies to kube-scheduler: {@code ExtenderFilterResult}, {@code HostPriorityList},
 * {@code ExtenderPreemptionResult} and {@code ExtenderBindingResult} of {@code k8s.io/kube-scheduler/extender/v1}.
 */
public final class ExtenderReplies {
    /** The highest score of an extender. */
    private static final int SCORE_MAX = 10;

    private static final int BYTES_PER_NODE = 24;

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final JsonStringEncoder ESCAPES = JsonStringEncoder.getInstance();

    private ExtenderReplies() {}

    /**
     * The reply to {@code filter}. Nodes without room are named unresolvable: kube-scheduler's own filters have passed
     * these nodes, so no preemption that it tries can make room in the ledger.
     */
    public static String filtered(NodeRanks ranks) {
        return switch (ranks) {
            case NodeRanks.Ranked(var nodes) -> filtered(nodes);
            case NodeRanks.PodNotPending _ ->
                error("Sluice did not observe the pod as pending within a second; it is tried again")
                        .toString();
        };
    }

    /** With one entry for each of many nodes, so it is written without a tree. */
    private static String filtered(List<NodeRank> nodes) {
        var text = new StringBuilder(BYTES_PER_NODE * (nodes.size() + 4)).append("{\"NodeNames\":[");
        int start = text.length();
        for (var node : nodes) {
            if (node.fits()) {
                comma(text, start);
                quote(text, node.node());
            }
        }
        text.append("],\"FailedNodes\":{},\"FailedAndUnresolvableNodes\":{");
        int failed = text.length();
        PlacementReasons.of(nodes).byNode().forEach((node, reason) -> {
            comma(text, failed);
            quote(text, node).append(':');
            quote(text, reason);
        });
        return text.append("},\"Error\":\"\"}").toString();
    }

    /** The reply to {@code filter} or {@code bind} when it failed. */
    public static ObjectNode error(String sentence) {
        return JSON.objectNode().put("Error", sentence);
    }

    /** The reply to {@code prioritize}: scores of 0 to 10. Nodes that do not fit, or a pod that is unknown, get 0. */
    public static String scored(List<String> requested, NodeRanks ranks) {
        var nodes = ranks instanceof NodeRanks.Ranked(var ranked) ? ranked : List.<NodeRank>of();
        var text = new StringBuilder(2 * BYTES_PER_NODE * (requested.size() + 1)).append('[');
        for (int node = 0; node < requested.size(); node++) {
            comma(text, 1);
            quote(text.append("{\"Host\":"), requested.get(node));
            int score = node < nodes.size() ? nodes.get(node).score() : 0;
            text.append(",\"Score\":")
                    .append(Math.round((float) score * SCORE_MAX / NodeRanks.SCORE_MAX))
                    .append('}');
        }
        return text.append(']').toString();
    }

    private static void comma(StringBuilder text, int start) {
        if (text.length() > start) {
            text.append(',');
        }
    }

    private static StringBuilder quote(StringBuilder text, String value) {
        text.append('"');
        ESCAPES.quoteAsString(value, text);
        return text.append('"');
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
