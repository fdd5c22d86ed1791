package io.sluice.neonvm.core;

import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.LoadNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.function.UnaryOperator;

/** Sorts a listing by nodes, for the ledger: the members of each, all from this one listing. */
final class NodeLists {
    private NodeLists() {}

    /**
     * @param newest the node as it was read last: nodes are listed before all else
     * @param counted the pod with the amounts that it counts at
     */
    static List<LoadNode> of(FullList listing, UnaryOperator<NodeObserved> newest, UnaryOperator<PodObserved> counted) {
        var podsByNode = new HashMap<String, List<PodObserved>>();
        var podsByName = new HashMap<String, PodObserved>();
        for (var pod : listing.pods().items()) {
            podsByNode.computeIfAbsent(pod.node(), node -> new ArrayList<>()).add(counted.apply(pod));
            podsByName.put(NameIndex.key(pod), pod);
        }
        var vmsByNode = new HashMap<String, List<VmObserved>>();
        for (var vm : listing.vms().items()) {
            var pod = podsByName.get(NameIndex.podKey(vm));
            if (pod != null) {
                vmsByNode
                        .computeIfAbsent(pod.node(), node -> new ArrayList<>())
                        .add(VmReader.inPod(vm, pod.uid(), pod.node()));
            }
        }
        return listing.nodes().items().stream()
                .sorted(Comparator.comparing(NodeObserved::node))
                .map(node -> new LoadNode(
                        newest.apply(node),
                        listing.pods().version(),
                        podsByNode.getOrDefault(node.node(), List.of()),
                        vmsByNode.getOrDefault(node.node(), List.of())))
                .toList();
    }
}
