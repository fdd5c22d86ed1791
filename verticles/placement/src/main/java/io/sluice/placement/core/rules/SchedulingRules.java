package io.sluice.placement.core.rules;

import io.sluice.messages.ledger.grant.NearestGrant;
import io.sluice.placement.core.plugins.RoomScore;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.spec.PodSpec;
import io.sluice.placement.core.spec.StorageClass;
import io.sluice.placement.core.spec.VolumeClaim;
import io.sluice.shell.explain.NameList;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Filters nodes by all rules, and chooses the best of the rest. */
public final class SchedulingRules {
    /** The rules that kube-scheduler has too, the cheap ones first. */
    private static final List<SchedulingRule> KUBERNETES = List.of(
            new TaintRule(),
            new NodeAffinityRule(),
            new ResourceRule(),
            new HostPortRule(),
            new VolumeRule(),
            new AttachLimitRule(),
            new SpreadRule(),
            new PodAffinityRule(),
            new PodAntiAffinityRule());

    /** Those that do not depend on the pods of a node. */
    private static final List<SchedulingRule> WHATEVER_PODS =
            List.of(new TaintRule(), new NodeAffinityRule(), new VolumeRule());

    private static final int NAMED_MAX = 3;

    private final List<SchedulingRule> rules;

    private SchedulingRules(List<SchedulingRule> rules) {
        this.rules = List.copyOf(rules);
    }

    /** The rules of Kubernetes alone. */
    public static SchedulingRules ofKubernetes() {
        return new SchedulingRules(KUBERNETES);
    }

    /** The rules of Kubernetes and of the ledger. */
    public static SchedulingRules withLedger() {
        var rules = new ArrayList<>(KUBERNETES);
        rules.add(2, new LedgerRule());
        rules.add(3, new LedgerRule.ByUse());
        return new SchedulingRules(rules);
    }

    /** The rules of Kubernetes that no end of another pod's requests changes. */
    public static SchedulingRules withoutRoom() {
        return new SchedulingRules(KUBERNETES.stream()
                .filter(rule -> !(rule instanceof ResourceRule))
                .toList());
    }

    /** The nodes that may take the pod, by their numbers; none if {@link #obstacle}. */
    public BitSet fitting(PendingPod pod, ClusterTable cluster) {
        if (obstacle(pod.spec(), cluster).isPresent()) {
            return new BitSet();
        }
        var nodes = cluster.all();
        filter(rules, pod, cluster, nodes);
        keepBesideNominated(pod, cluster, nodes);
        return nodes;
    }

    private static void filter(List<SchedulingRule> rules, PendingPod pod, ClusterTable cluster, BitSet nodes) {
        for (var rule : rules) {
            if (nodes.isEmpty()) {
                return;
            }
            rule.filter(pod, cluster, nodes);
        }
    }

    /**
     * As in kube-scheduler, a pod has to fit on a node both with and without the pods of no lower priority that are
     * nominated there: they may not come.
     */
    private void keepBesideNominated(PendingPod pod, ClusterTable cluster, BitSet nodes) {
        nominatedBeside(pod, cluster).forEach((name, nominated) -> {
            var number = cluster.known(name);
            if (number.isPresent() && nodes.get(number.getAsInt())) {
                nominated.forEach(other -> {
                    cluster.placed(other.spec());
                    cluster.held(name, other.charge());
                });
                var beside = new BitSet();
                beside.set(number.getAsInt());
                filter(rules, pod, cluster, beside);
                nominated.forEach(other -> {
                    cluster.podGone(other.spec().uid());
                    cluster.freed(name, other.charge());
                });
                nodes.set(number.getAsInt(), !beside.isEmpty());
            }
        });
    }

    /** The pods whose room the pod may not take, by node. */
    private static Map<String, List<PendingPod>> nominatedBeside(PendingPod pod, ClusterTable cluster) {
        return cluster.nominations().against(pod.spec()).stream()
                .filter(other -> cluster.pod(other.spec().uid()).isEmpty())
                .collect(Collectors.groupingBy(other -> other.spec().node()));
    }

    /** Whether a node may take the pod. */
    public boolean fits(PendingPod pod, ClusterTable cluster, String node) {
        var number = cluster.known(node);
        if (number.isEmpty()) {
            return false;
        }
        var one = new BitSet();
        one.set(number.getAsInt());
        filter(rules, pod, cluster, one);
        keepBesideNominated(pod, cluster, one);
        return !one.isEmpty();
    }

    /**
     * The nodes that may take the pod if other pods end there: those that what does not depend on other pods allows,
     * and of which the ledger holds room at all.
     */
    public static BitSet reachable(PendingPod pod, ClusterTable cluster) {
        var nodes = cluster.all();
        nodes.and(cluster.ledger.complete());
        nodes.and(cluster.ledger.ready());
        keepAllowed(pod, cluster, nodes);
        return nodes;
    }

    /** Whether what depends on no other pod allows the pod on a node, whatever its ledger holds. */
    public static boolean allows(PendingPod pod, ClusterTable cluster, String node) {
        var one = new BitSet();
        cluster.known(node).ifPresent(one::set);
        keepAllowed(pod, cluster, one);
        return !one.isEmpty();
    }

    private static void keepAllowed(PendingPod pod, ClusterTable cluster, BitSet nodes) {
        if (obstacle(pod.spec(), cluster).isPresent()) {
            nodes.clear();
        }
        filter(WHATEVER_PODS, pod, cluster, nodes);
    }

    /** What keeps a pod from all nodes, whatever they are; empty where nothing does. */
    public static Optional<String> obstacle(PodSpec pod, ClusterTable cluster) {
        if (!pod.resourceClaims().isEmpty()) {
            return Optional.of("resource claims are not supported: " + String.join(", ", pod.resourceClaims()));
        }
        return pod.claims().stream()
                .flatMap(name -> obstacle(pod, name, cluster).stream())
                .findFirst();
    }

    private static Optional<String> obstacle(PodSpec pod, String name, ClusterTable cluster) {
        var found = cluster.volumes.claim(pod, name);
        if (found.isEmpty()) {
            return Optional.of("volume claim " + name + " does not exist");
        }
        var claim = found.get();
        if (claim.state() != VolumeClaim.State.USABLE) {
            return Optional.of("volume claim " + name
                    + (claim.state() == VolumeClaim.State.LOST ? " has lost its volume" : " is being deleted"));
        }
        if (claim.volume().isEmpty()) {
            return cluster.volumes
                            .storageClass(claim)
                            .filter(StorageClass::waitsForPod)
                            .isPresent()
                    ? Optional.empty()
                    : Optional.of("volume claim " + name + " has no volume yet");
        }
        if (cluster.volumes.find(claim).isEmpty()) {
            return Optional.of("volume " + claim.volume() + " of claim " + name + " does not exist");
        }
        return claim.onePod() && cluster.volumes.isUsed(pod, name)
                ? Optional.of("volume claim " + name + " is for one pod, and another pod uses it")
                : Optional.empty();
    }

    /** Why no node can take the pod: {@code 0/12 nodes are available: 9 short of CPU by 250m or more, 3 tainted}. */
    public String reason(PendingPod pod, ClusterTable cluster) {
        var nodes = cluster.all();
        int all = nodes.cardinality();
        var none = "0/" + all + " nodes are available";
        var obstacle = obstacle(pod.spec(), cluster);
        if (obstacle.isPresent()) {
            return none + ": " + obstacle.get();
        }
        var reasons = new Reasons();
        for (var rule : rules) {
            var removed = (BitSet) nodes.clone();
            rule.filter(pod, cluster, nodes);
            removed.andNot(nodes);
            rule.explain(pod, cluster, removed, reasons);
        }
        explainNominated(pod, cluster, nodes, reasons);
        var text = reasons.text();
        return text.isEmpty() ? none : none + ": " + text;
    }

    private void explainNominated(PendingPod pod, ClusterTable cluster, BitSet fitting, Reasons reasons) {
        var excluded = (BitSet) fitting.clone();
        keepBesideNominated(pod, cluster, fitting);
        excluded.andNot(fitting);
        var nominated = nominatedBeside(pod, cluster);
        excluded.stream().mapToObj(cluster::name).map(nominated::get).forEach(others -> {
            var names = others.stream().map(other -> other.spec().label()).toList();
            reasons.add(1, "with room that is meant for " + NameList.text(names, NAMED_MAX));
        });
    }

    /**
     * What would let a node take the pod that one rule alone excludes, of those that an operator changes at once. All
     * other rules were run without that one. Nothing where none leaves a node, or a node can take the pod.
     */
    public NearestGrant excludedAlone(PendingPod pod, ClusterTable cluster) {
        if (!fitting(pod, cluster).isEmpty()) {
            return NearestGrant.UNKNOWN;
        }
        return NearestGrant.ofAny(rules.stream()
                .filter(SchedulingRule.Changeable.class::isInstance)
                .map(rule -> excludedAlone((SchedulingRule.Changeable) rule, pod, cluster))
                .toList());
    }

    private NearestGrant excludedAlone(SchedulingRule.Changeable rule, PendingPod pod, ClusterTable cluster) {
        var others = new SchedulingRules(
                rules.stream().filter(other -> other != rule).toList());
        return others.fitting(pod, cluster).stream()
                .boxed()
                .min(Comparator.comparing(cluster::order))
                .map(node -> NearestGrant.ofAll(rule.changes(pod, cluster, node)))
                .orElse(NearestGrant.UNKNOWN);
    }

    /**
     * The best of some nodes: by its room, and by what the pod and the pods there prefer. Of equals the one whose name
     * comes first is chosen, so that the others become empty.
     */
    public static int best(PendingPod pod, ClusterTable cluster, BitSet nodes, RoomScore policy) {
        var preferred = Preferences.of(pod, cluster, nodes);
        var largest = cluster.ledger.largest();
        var prepared = cluster.ledger.prepared(policy, pod, nodes);
        int best = NodeIndex.NONE;
        double highest = Double.NEGATIVE_INFINITY;
        var walk = new NodeIndex.Walk(nodes);
        for (int node = walk.next(); node >= 0; node = walk.next()) {
            double score =
                    cluster.ledger.score(node, pod, prepared, largest) + (preferred.length == 0 ? 0 : preferred[node]);
            if (score > highest || score == highest && cluster.order(node) < cluster.order(best)) {
                highest = score;
                best = node;
            }
        }
        return best;
    }

    /** The nodes that the preferences of the pod, and of the pods there, rank first. */
    public static BitSet preferred(PendingPod pod, ClusterTable cluster, BitSet nodes, double tolerance) {
        var scores = Preferences.of(pod, cluster, nodes);
        if (scores.length == 0) {
            return nodes;
        }
        double highest = nodes.stream().mapToDouble(node -> scores[node]).max().orElse(0);
        var first = new BitSet();
        nodes.stream().filter(node -> scores[node] >= highest - tolerance).forEach(first::set);
        return first;
    }

    /** An amount of a resource, as people read it. */
    public static String amount(String resource, long amount) {
        return ResourceRule.amount(resource, amount);
    }
}
