package io.sluice.placement.core.rules;

import io.sluice.messages.vm.ChooseVolume;
import io.sluice.placement.core.devices.DeviceScore;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.Utilisation;
import io.sluice.placement.core.spec.HostPort;
import io.sluice.placement.core.spec.NodeSpec;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.spec.PodPreferences;
import io.sluice.placement.core.spec.PodSpec;
import io.sluice.placement.core.spec.PodTerm;
import io.sluice.placement.core.spec.StorageClass;
import io.sluice.placement.core.spec.Taint;
import io.sluice.placement.core.spec.Volume;
import io.sluice.placement.core.spec.VolumeAttachment;
import io.sluice.placement.core.spec.VolumeClaim;
import io.sluice.placement.core.zones.AlignedZones;
import io.sluice.shell.load.NodeUse;
import io.sluice.units.Resources;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What the rules know of nodes, of the pods on them, and of volumes. Counts are kept up with each change, so that no
 * rule looks at each pod. A pod on an unknown node counts once its node is known.
 */
public final class ClusterTable {
    final LabelIndex labels;
    final ResourceTable resources = new ResourceTable();
    final LedgerTable ledger = new LedgerTable();
    final VolumeTable volumes = new VolumeTable();
    final NodeCounts<PodTerm> repelling = new NodeCounts<>();
    final NodeCounts<PodPreferences.Near> drawing = new NodeCounts<>();
    private final NodeIndex index = new NodeIndex();
    private final Map<String, NodeSpec> nodes = new HashMap<>();
    private final BitSet known = new BitSet();
    private final BitSet unschedulable = new BitSet();
    private final Map<List<Taint>, BitSet> tainted = new HashMap<>();
    private final PodsByLabel pods = new PodsByLabel();
    private final Map<Integer, Map<String, PodSpec>> podsOnNode = new HashMap<>();
    private final Nominations nominations = new Nominations();
    private final Map<Integer, NodeCounts<HostPort>> ports = new HashMap<>();
    private final Map<String, Map<String, String>> namespaces = new HashMap<>();
    private final PodCounts counts = new PodCounts();

    public ClusterTable() {
        labels = new LabelIndex(index);
    }

    /** Applies a node's labels, taints and amounts. */
    public void observed(NodeSpec node) {
        int number = index.create(node.name());
        var before = Optional.ofNullable(nodes.put(node.name(), node));
        if (before.filter(node::equals).isEmpty()) {
            known.set(number);
            labels.change(number, before.map(NodeSpec::labels).orElse(Map.of()), node.labels());
            resources.change(number, before.map(NodeSpec::allocatable).orElse(Map.of()), node.allocatable());
            unschedulable.set(number, node.unschedulable());
            before.ifPresent(last -> removeTaints(number, last));
            if (!node.taints().isEmpty()) {
                tainted.computeIfAbsent(node.taints(), added -> new BitSet()).set(number);
            }
        }
    }

    private void removeTaints(int number, NodeSpec node) {
        var same = tainted.get(node.taints());
        if (same != null) {
            same.clear(number);
            if (same.isEmpty()) {
                tainted.remove(node.taints());
            }
        }
    }

    /** Applies the end of a node. */
    public void nodeGone(String name) {
        var node = nodes.remove(name);
        if (node != null) {
            int number = index.of(name);
            known.clear(number);
            labels.change(number, node.labels(), Map.of());
            resources.change(number, node.allocatable(), Map.of());
            removeTaints(number, node);
            ledger.remove(number);
            forgetUnused(number);
        }
    }

    /** Applies a pod on a node: it is bound there, or is to be. */
    public void placed(PodSpec pod) {
        if (pods.find(pod.uid()).filter(pod::equals).isEmpty()) {
            podGone(pod.uid());
            pods.add(pod);
            count(pod, index.create(pod.node()), 1);
        }
    }

    /** Applies the end of a pod, or that it is on no node. */
    public void podGone(String uid) {
        pods.remove(uid).ifPresent(pod -> {
            int number = index.of(pod.node());
            count(pod, number, -1);
            forgetUnused(number);
        });
    }

    private void count(PodSpec pod, int node, int sign) {
        podsOnNode.compute(node, (number, before) -> {
            var onNode = before == null ? new HashMap<String, PodSpec>() : before;
            if (sign > 0) {
                onNode.put(pod.uid(), pod);
            } else {
                onNode.remove(pod.uid());
            }
            return onNode.isEmpty() ? null : onNode;
        });
        resources.request(node, pod.requests(), sign);
        counts.change(node, pod, sign);
        volumes.change(node, pod, sign);
        pod.repelled().forEach(term -> repelling.change(term, node, sign));
        pod.preferences().pods().forEach(near -> drawing.change(near, node, sign));
        pod.attracted().forEach(term -> drawing.change(new PodPreferences.Near(1, term), node, sign));
        pod.hostPorts()
                .forEach(port -> ports.computeIfAbsent(port.port(), added -> new NodeCounts<>())
                        .change(port, node, sign));
    }

    private void forgetUnused(int node) {
        if (!known.get(node) && !podsOnNode.containsKey(node)) {
            index.remove(node);
        }
    }

    /** Applies the sums of a node's ledger. */
    public void observed(NodeSnapshot sums) {
        int number = index.of(sums.node());
        if (number != NodeIndex.NONE) {
            ledger.change(number, sums);
        }
    }

    /** Adds a hold to a node's sums until the next ones contain it. */
    public void held(String node, Resources charge) {
        int number = index.of(node);
        if (number != NodeIndex.NONE) {
            ledger.hold(number, charge);
        }
    }

    /** Takes a hold away again, or what a pod's end would free. */
    public void freed(String node, Resources charge) {
        int number = index.of(node);
        if (number != NodeIndex.NONE) {
            ledger.free(number, charge);
        }
    }

    /** Counts the GPUs and NUMA zones of a pod that is planned on a node, until {@link #endPlan}. */
    public void plan(String node, PendingPod pod) {
        int number = index.of(node);
        if (number != NodeIndex.NONE) {
            ledger.plan(number, pod);
        }
    }

    public void endPlan() {
        ledger.endPlan();
    }

    /** The pods for which others were evicted. */
    public Nominations nominations() {
        return nominations;
    }

    /** Applies the use of the VMs of all nodes; it is unknown on those that are left out. */
    public void use(Map<String, NodeUse> use) {
        nodes.keySet().forEach(name -> ledger.use(index.of(name), use.getOrDefault(name, NodeUse.NONE)));
    }

    /** Applies how nodes are excluded by use; empty where they are not. */
    public void excludeByUse(Optional<Utilisation> utilisation) {
        ledger.excludeByUse(utilisation);
    }

    /** Applies how nodes are scored by their GPUs and zones. */
    public void scoreBy(DeviceScore devices, AlignedZones zones) {
        ledger.scoreBy(devices, zones);
    }

    /** Applies the labels of a namespace. */
    public void namespace(String name, Map<String, String> labelsOfIt) {
        namespaces.put(name, Map.copyOf(labelsOfIt));
    }

    /** Applies the end of a namespace. */
    public void namespaceGone(String name) {
        namespaces.remove(name);
    }

    /** Applies a claim. */
    public void observed(VolumeClaim claim) {
        volumes.put(claim);
    }

    /** Applies the end of a claim. */
    public void claimGone(String namespace, String name) {
        volumes.removeClaim(namespace, name);
    }

    /** Applies a volume. */
    public void observed(Volume volume) {
        volumes.put(volume);
    }

    /** Applies the end of a volume. */
    public void volumeGone(String name) {
        volumes.removeVolume(name);
    }

    /** Applies a class of volumes. */
    public void observed(StorageClass storageClass) {
        volumes.put(storageClass);
    }

    /** Applies the end of a class of volumes. */
    public void storageClassGone(String name) {
        volumes.removeClass(name);
    }

    /** Whether some claims of a pod get their volumes only once its node is chosen. */
    public boolean awaitsVolumes(PodSpec pod) {
        return !volumes.unbound(pod).isEmpty();
    }

    /** What is to be chosen for them on a node; empty if some of them can get no volume there. */
    public Optional<List<ChooseVolume>> volumesFor(PodSpec pod, int node) {
        return VolumeRule.choices(pod, this, node);
    }

    /** Applies an attachment. */
    public void observed(VolumeAttachment attachment) {
        volumes.put(attachment);
    }

    /** Applies the end of an attachment. */
    public void attachmentGone(String name) {
        volumes.removeAttachment(name);
    }

    /** Applies how many volumes of each CSI driver a node can attach. */
    public void attachLimits(String node, Map<String, Integer> byDriver) {
        volumes.limits(node, Map.copyOf(byDriver));
    }

    /** A pod on a node. */
    public Optional<PodSpec> pod(String uid) {
        return pods.find(uid);
    }

    /** The pods on a node, those that are being deleted too. */
    public Collection<PodSpec> podsOn(String node) {
        return podsOn(index.of(node));
    }

    Collection<PodSpec> podsOn(int node) {
        return podsOnNode.getOrDefault(node, Map.of()).values();
    }

    /** The largest total of any node's ledger, kind by kind. */
    public Resources largest() {
        return ledger.largest();
    }

    /**
     * What is free of a resource on all nodes together that take pods: by the requests of pods, and of CPU and memory
     * by the ledgers too.
     */
    public long free(String resource) {
        var nodes = all();
        nodes.andNot(unschedulable);
        nodes.and(ledger.complete());
        nodes.and(ledger.ready());
        return nodes.stream()
                .mapToLong(node -> Math.min(-resources.shortBy(resource, node, 0), ledger.free(resource, node)))
                .filter(free -> free > 0)
                .sum();
    }

    /** The number of a known node; empty for any other. */
    public OptionalInt known(String node) {
        int number = index.of(node);
        return number != NodeIndex.NONE && known.get(number) ? OptionalInt.of(number) : OptionalInt.empty();
    }

    /** The name of a node by its number in sets. */
    public String name(int node) {
        return index.name(node);
    }

    /** The place of a node in the order of all names. */
    int order(int node) {
        return index.order(node);
    }

    /** All known nodes; a copy. */
    public BitSet all() {
        return (BitSet) known.clone();
    }

    Map<String, String> namespaceLabels(String namespace) {
        return namespaces.getOrDefault(namespace, Map.of());
    }

    Set<String> namespaces(Predicate<Map<String, String>> selected) {
        return namespaces.entrySet().stream()
                .filter(namespace -> selected.test(namespace.getValue()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    BitSet unschedulable() {
        return unschedulable;
    }

    /** The nodes by their taints. */
    Map<List<Taint>, BitSet> tainted() {
        return tainted;
    }

    /** Which nodes' pods use a port with that number, by protocol and address. */
    Optional<NodeCounts<HostPort>> ports(int port) {
        return Optional.ofNullable(ports.get(port));
    }

    PodCounts.Count count(List<PodCounts.Match> matches) {
        return counts.of(matches, pods, pod -> index.of(pod.node()));
    }
}
