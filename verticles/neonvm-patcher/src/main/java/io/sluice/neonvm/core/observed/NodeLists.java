package io.sluice.neonvm.core.observed;

import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.neonvm.core.objects.VmReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.function.UnaryOperator;

/** Groups a full list by nodes, for the ledger: the pods of each node, all from this one list. */
final class NodeLists {
    private NodeLists() {}

    /**
     * @param newest the newest observation of a node, as nodes are listed before all other kinds
     * @param counted the pod at what it counts at
     */
    static List<LoadNode> of(
            FullList fullList, UnaryOperator<NodeObserved> newest, UnaryOperator<PodObserved> counted) {
        var podsByNode = new HashMap<String, List<PodObserved>>();
        var podsByName = new HashMap<String, PodObserved>();
        for (var pod : fullList.pods().items()) {
            podsByNode.computeIfAbsent(pod.node(), node -> new ArrayList<>()).add(counted.apply(pod));
            podsByName.put(NameIndex.key(pod), pod);
        }
        var vmsByNode = new HashMap<String, List<VmObserved>>();
        for (var vm : fullList.vms().items()) {
            var pod = podsByName.get(NameIndex.podKey(vm));
            if (pod != null) {
                vmsByNode
                        .computeIfAbsent(pod.node(), node -> new ArrayList<>())
                        .add(VmReader.inPod(vm, pod.uid(), pod.node()));
            }
        }
        return fullList.nodes().items().stream()
                .sorted(Comparator.comparing(NodeObserved::node))
                .map(node -> new LoadNode(
                        newest.apply(node),
                        fullList.pods().version(),
                        podsByNode.getOrDefault(node.node(), List.of()),
                        vmsByNode.getOrDefault(node.node(), List.of())))
                .toList();
    }
}
