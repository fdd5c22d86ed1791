package io.sluice.neonvm.core;

import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeSeen;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodSeen;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmSeen;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.units.VmId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What runs where, as last seen. Listings and changes come in any order and more than once; each answers what to tell
 * the others, with VMs joined to the pods that they run in.
 */
public final class ClusterModel {
    private final Known<NodeSeen> nodes = new Known<>(NodeSeen::node, NodeSeen::version);
    private final Known<PodSeen> pods = new Known<>(PodSeen::uid, PodSeen::version);
    private final Known<VmSeen> vms = new Known<>(seen -> seen.vm().uid(), VmSeen::version);
    private final Map<String, String> podUids = new HashMap<>();
    private final Map<String, String> vmsByPodName = new HashMap<>();

    /**
     * What a listing gives rise to.
     *
     * @param facts everything that is there, and what went
     * @param loads the members of each node, all from this listing
     */
    public record Listed(List<Fact> facts, List<LoadNode> loads) {
        public Listed {
            facts = List.copyOf(facts);
            loads = List.copyOf(loads);
        }
    }

    /** Takes a full listing. */
    public Listed listed(Listing listing) {
        var facts = new ArrayList<Fact>();
        for (var gone : nodes.listed(listing.nodes())) {
            facts.add(
                    new Fact.NodeWent(new NodeGone(gone.node(), listing.nodes().version())));
        }
        for (var gone : pods.listed(listing.pods())) {
            forget(gone);
            facts.add(new Fact.PodWent(
                    new PodGone(gone.uid(), gone.node(), listing.pods().version())));
        }
        for (var gone : vms.listed(listing.vms())) {
            vmsByPodName.remove(podKey(gone), gone.vm().uid());
            facts.add(new Fact.VmWent(new VmGone(gone.vm(), listing.vms().version())));
        }
        pods.all().forEach(this::remember);
        vms.all().forEach(this::remember);
        nodes.all().forEach(node -> facts.add(new Fact.NodeCame(node)));
        pods.all().forEach(pod -> facts.add(new Fact.PodCame(pod)));
        vms.all().forEach(vm -> facts.add(new Fact.VmCame(joined(vm))));
        return new Listed(facts, loads(listing));
    }

    /** Takes a node that came or changed. */
    public List<Fact> changed(NodeSeen node) {
        return nodes.changed(node) ? List.of(new Fact.NodeCame(node)) : List.of();
    }

    /** Takes a pod that came or changed, and takes room. */
    public List<Fact> changed(PodSeen pod) {
        if (!pods.changed(pod)) {
            return List.of();
        }
        boolean isNew = !pod.uid().equals(podUids.get(podKey(pod)));
        remember(pod);
        var facts = new ArrayList<Fact>();
        facts.add(new Fact.PodCame(pod));
        if (isNew) {
            vmIn(podKey(pod)).ifPresent(vm -> facts.add(new Fact.VmCame(joined(vm))));
        }
        return facts;
    }

    /** Takes a VM that came or changed. */
    public List<Fact> changed(VmSeen vm) {
        var before = vms.get(vm.vm().uid());
        if (!vms.changed(vm)) {
            return List.of();
        }
        before.ifPresent(old -> vmsByPodName.remove(podKey(old), old.vm().uid()));
        remember(vm);
        return List.of(new Fact.VmCame(joined(vm)));
    }

    /** Takes a node's deletion. */
    public List<Fact> nodeGone(String node, long version) {
        return nodes.deleted(node, version).isPresent()
                ? List.of(new Fact.NodeWent(new NodeGone(node, version)))
                : List.of();
    }

    /** Takes a pod's deletion or end. */
    public List<Fact> podGone(String uid, long version) {
        var gone = pods.deleted(uid, version);
        if (gone.isEmpty()) {
            return List.of();
        }
        var pod = gone.get();
        forget(pod);
        var facts = new ArrayList<Fact>();
        facts.add(new Fact.PodWent(new PodGone(uid, pod.node(), version)));
        vmIn(podKey(pod)).ifPresent(vm -> facts.add(new Fact.VmCame(joined(vm))));
        return facts;
    }

    /** Takes a VM's deletion. */
    public List<Fact> vmGone(VmId id, long version) {
        var gone = vms.deleted(id.uid(), version);
        gone.ifPresent(vm -> vmsByPodName.remove(podKey(vm), id.uid()));
        return gone.isPresent() ? List.of(new Fact.VmWent(new VmGone(id, version))) : List.of();
    }

    /** What was last read of a node. */
    public Optional<NodeSeen> node(String name) {
        return nodes.get(name);
    }

    /** What was last read of a pod. */
    public Optional<PodSeen> pod(String uid) {
        return pods.get(uid);
    }

    /** What was last read of a VM. */
    public Optional<VmSeen> vm(String uid) {
        return vms.get(uid);
    }

    /** The VM that runs in a pod. */
    public Optional<VmSeen> vmInPod(String podUid) {
        return pods.get(podUid).flatMap(pod -> vmIn(podKey(pod)));
    }

    private Optional<VmSeen> vmIn(String podKey) {
        return Optional.ofNullable(vmsByPodName.get(podKey)).flatMap(vms::get);
    }

    private VmSeen joined(VmSeen vm) {
        return VmReader.inPod(vm, podUids.getOrDefault(podKey(vm), ""));
    }

    private void remember(PodSeen pod) {
        podUids.put(podKey(pod), pod.uid());
    }

    private void forget(PodSeen pod) {
        podUids.remove(podKey(pod), pod.uid());
    }

    private void remember(VmSeen vm) {
        if (!vm.podName().isEmpty()) {
            vmsByPodName.put(podKey(vm), vm.vm().uid());
        }
    }

    private static String podKey(PodSeen pod) {
        return pod.namespace() + "/" + pod.name();
    }

    private static String podKey(VmSeen vm) {
        return vm.vm().namespace() + "/" + vm.podName();
    }

    private static List<LoadNode> loads(Listing listing) {
        var podsByNode = new HashMap<String, List<PodSeen>>();
        var podsByName = new HashMap<String, PodSeen>();
        for (var pod : listing.pods().items()) {
            podsByNode.computeIfAbsent(pod.node(), node -> new ArrayList<>()).add(pod);
            podsByName.put(podKey(pod), pod);
        }
        var vmsByNode = new HashMap<String, List<VmSeen>>();
        for (var vm : listing.vms().items()) {
            var pod = podsByName.get(podKey(vm));
            if (pod != null) {
                vmsByNode.computeIfAbsent(pod.node(), node -> new ArrayList<>()).add(VmReader.inPod(vm, pod.uid()));
            }
        }
        return listing.nodes().items().stream()
                .sorted(Comparator.comparing(NodeSeen::node))
                .map(node -> new LoadNode(
                        node,
                        listing.pods().version(),
                        podsByNode.getOrDefault(node.node(), List.of()),
                        vmsByNode.getOrDefault(node.node(), List.of())))
                .toList();
    }
}
