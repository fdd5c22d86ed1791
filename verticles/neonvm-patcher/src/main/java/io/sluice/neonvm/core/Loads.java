package io.sluice.neonvm.core;

import io.sluice.messages.cluster.NodeSeen;
import io.sluice.messages.cluster.PodSeen;
import io.sluice.messages.cluster.VmSeen;
import io.sluice.messages.ledger.LoadNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.function.UnaryOperator;

/** Sorts a listing by nodes, for the ledger: the members of each, all from this one listing. */
final class Loads {
    private Loads() {}

    /**
     * @param newest the node as it was read last: nodes are listed before all else
     * @param counted the pod with the amounts that it counts at
     */
    static List<LoadNode> of(Listing listing, UnaryOperator<NodeSeen> newest, UnaryOperator<PodSeen> counted) {
        var podsByNode = new HashMap<String, List<PodSeen>>();
        var podsByName = new HashMap<String, PodSeen>();
        for (var pod : listing.pods().items()) {
            podsByNode.computeIfAbsent(pod.node(), node -> new ArrayList<>()).add(counted.apply(pod));
            podsByName.put(Joins.key(pod), pod);
        }
        var vmsByNode = new HashMap<String, List<VmSeen>>();
        for (var vm : listing.vms().items()) {
            var pod = podsByName.get(Joins.podKey(vm));
            if (pod != null) {
                vmsByNode
                        .computeIfAbsent(pod.node(), node -> new ArrayList<>())
                        .add(VmReader.inPod(vm, pod.uid(), pod.node()));
            }
        }
        return listing.nodes().items().stream()
                .sorted(Comparator.comparing(NodeSeen::node))
                .map(node -> new LoadNode(
                        newest.apply(node),
                        listing.pods().version(),
                        podsByNode.getOrDefault(node.node(), List.of()),
                        vmsByNode.getOrDefault(node.node(), List.of())))
                .toList();
    }
}
