package io.sluice.gateway.console;

import io.sluice.gateway.core.peers.PeerReport;
import io.sluice.gateway.core.peers.PeerView;
import io.sluice.messages.member.MemberStatus;
import io.sluice.messages.placement.NodeRanks.NodeRank;
import io.sluice.messages.placement.PendingPodList;
import io.sluice.messages.placement.PendingPodList.PendingPod;
import io.sluice.shell.explain.PlacementReasons;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The JSON of the pods that wait for a node, and of one of them with what each node lacks for it. */
final class PendingJson {
    /** The most nodes that are listed for one reason. */
    static final int NODES_MAX = 200;

    private PendingJson() {}

    /**
     * Returns the fields of the list.
     *
     * @param list empty if no process replied
     * @param sentences why each pod waits, by its key
     * @param processes all processes, for what their ledgers counted
     */
    static JsonText.Content of(Optional<PendingPodList> list, Map<String, String> sentences, PeerReport processes) {
        return json -> json.flag("known", list.isPresent())
                .number("total", list.map(PendingPodList::total))
                .number("withoutHold", withoutHold(processes))
                .array(
                        "pods",
                        list.map(PendingPodList::pods).orElse(List.of()),
                        (to, pod) -> to.open(fields -> pod(fields, pod, sentences.getOrDefault(pod.label(), ""))));
    }

    /**
     * Returns the fields of the page of one pod.
     *
     * @param sentence why it waits
     * @param helps what would let a node take it, in words
     * @param isDecided whether a decision about it is kept
     */
    static JsonText.Content of(PendingPod pod, String sentence, String helps, boolean isDecided) {
        var fit = pod.nodes().stream().filter(NodeRank::fits).toList();
        var groups = PlacementReasons.of(pod.nodes()).groups();
        return json -> {
            pod(json, pod, sentence);
            json.text("helps", helps)
                    .number("nodes", pod.nodes().size())
                    .object("fit", to -> nodes(to, fit))
                    .array(
                            "groups",
                            groups,
                            (to, group) ->
                                    to.open(fields -> nodes(fields.text("reason", group.reason()), group.nodes())))
                    .flag("decided", isDecided);
        };
    }

    private static void pod(JsonText json, PendingPod pod, String sentence) throws IOException {
        json.text("key", pod.label())
                .text("uid", pod.uid())
                .text("vm", pod.vmName())
                .number("createdAt", pod.createdAtSeconds() * 1_000)
                .amount("amounts", pod.amounts())
                .amount("charge", pod.charge())
                .text("now", sentence);
    }

    private static void nodes(JsonText json, List<NodeRank> nodes) throws IOException {
        json.number("count", nodes.size())
                .array(
                        "nodes",
                        nodes.stream().limit(NODES_MAX).toList(),
                        (to, node) -> to.open(fields -> fields.text("name", node.node())
                                .amount("shortBy", node.shortBy())
                                .text("shortOf", node.shortOf().toString())
                                .number("score", node.score())));
    }

    /** Since each of the processes was started; empty where none keeps ledger state. */
    private static Optional<Long> withoutHold(PeerReport processes) {
        return Stream.concat(
                        Stream.of(processes.self()),
                        processes.others().stream().map(PeerView::status).flatMap(Optional::stream))
                .flatMap(status -> status.counts().stream())
                .filter(count -> count.what().equals(MemberStatus.Count.WITHOUT_HOLD))
                .map(MemberStatus.Count::number)
                .reduce(Long::sum);
    }
}
