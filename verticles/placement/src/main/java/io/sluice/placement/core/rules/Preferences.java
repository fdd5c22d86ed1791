package io.sluice.placement.core.rules;

import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.spec.SpreadConstraint;
import io.sluice.placement.core.spec.Taint;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How well nodes suit a pod by what it and the pods on them prefer. Each kind of preference gives 0 to 1, by the
 * formulas of kube-scheduler and with its weights.
 */
final class Preferences {
    private static final String HOSTNAME = "kubernetes.io/hostname";
    private static final double[] NONE = {};
    private static final double OF_NODES = 2;
    private static final double OF_TAINTS = 3;
    private static final double OF_PODS = 2;
    private static final double OF_SPREAD = 2;

    private final PendingPod pod;
    private final ClusterTable cluster;
    private final BitSet nodes;
    private double[] sum = NONE;

    private Preferences(PendingPod pod, ClusterTable cluster, BitSet nodes) {
        this.pod = pod;
        this.cluster = cluster;
        this.nodes = nodes;
    }

    /** The sum for each of some nodes; empty where nothing is preferred. */
    static double[] of(PendingPod pod, ClusterTable cluster, BitSet nodes) {
        var preferences = new Preferences(pod, cluster, nodes);
        preferences.addNodes();
        preferences.addTaints();
        preferences.addPods();
        preferences.addSpread();
        return preferences.sum;
    }

    private void add(int node, double score) {
        if (sum == NONE) {
            sum = new double[nodes.length()];
        }
        sum[node] += score;
    }

    /** By the weights of its node affinity that a node meets. */
    private void addNodes() {
        var preferences = pod.spec().nodeAffinity().preferred();
        var met = new double[preferences.isEmpty() ? 0 : nodes.length()];
        for (var preference : preferences) {
            cluster.labels.meeting(preference.term(), nodes).stream().forEach(node -> met[node] += preference.weight());
        }
        double most = preferences.isEmpty() ? 0 : highest(met);
        for (int node = nodes.nextSetBit(0); node >= 0 && most > 0; node = nodes.nextSetBit(node + 1)) {
            add(node, OF_NODES * met[node] / most);
        }
    }

    /** By the taints that pods should avoid, and that it does not tolerate. */
    private void addTaints() {
        if (cluster.tainted().keySet().stream().allMatch(taints -> avoided(taints) == 0)) {
            return;
        }
        var against = new double[nodes.length()];
        cluster.tainted()
                .forEach((taints, tainted) ->
                        tainted.stream().filter(nodes::get).forEach(node -> against[node] = avoided(taints)));
        double most = highest(against);
        for (int node = nodes.nextSetBit(0); node >= 0 && most > 0; node = nodes.nextSetBit(node + 1)) {
            add(node, OF_TAINTS * (1 - against[node] / most));
        }
    }

    private long avoided(List<Taint> taints) {
        return taints.stream().filter(this::isAvoided).count();
    }

    private boolean isAvoided(Taint taint) {
        return taint.effect() == Taint.Effect.PREFER_NO_SCHEDULE
                && pod.spec().tolerations().stream().noneMatch(one -> one.tolerates(taint));
    }

    private double highest(double[] values) {
        double highest = 0;
        for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
            highest = Math.max(highest, values[node]);
        }
        return highest;
    }

    /** By the pods that it prefers to be near or far of, and by those that prefer so of it. */
    private void addPods() {
        var byKey = new HashMap<String, double[]>();
        for (var near : pod.spec().preferences().pods()) {
            var key = near.term().topologyKey();
            var count = cluster.count(List.of(PodAffinityRule.match(near.term(), cluster)));
            var with = cluster.labels.with(key);
            for (int node = with.nextSetBit(0); node >= 0; node = with.nextSetBit(node + 1)) {
                addToDomain(key, node, near.weight() * count.at(node), byKey);
            }
        }
        var namespaceLabels = cluster.namespaceLabels(pod.spec().namespace());
        for (var entry : cluster.drawing.entries()) {
            var near = entry.getKey();
            if (near.term().matches(pod.spec(), namespaceLabels)) {
                entry.getValue()
                        .forEach((node, count) ->
                                addToDomain(near.term().topologyKey(), node, near.weight() * count, byKey));
            }
        }
        if (!byKey.isEmpty()) {
            addScaled(byKey);
        }
    }

    private void addToDomain(String key, int node, int weight, Map<String, double[]> byKey) {
        var domains = cluster.labels.domains(key);
        int domain = domains.at(node);
        if (domain != NodeIndex.NONE && weight != 0) {
            byKey.computeIfAbsent(key, added -> new double[domains.count()])[domain] += weight;
        }
    }

    private void addScaled(Map<String, double[]> byKey) {
        var scores = new double[nodes.length()];
        byKey.forEach((key, ofDomain) -> {
            var domains = cluster.labels.domains(key);
            for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
                int domain = domains.at(node);
                scores[node] += domain == NodeIndex.NONE ? 0 : ofDomain[domain];
            }
        });
        double lowest = nodes.stream().mapToDouble(node -> scores[node]).min().orElse(0);
        double range = nodes.stream().mapToDouble(node -> scores[node]).max().orElse(0) - lowest;
        for (int node = nodes.nextSetBit(0); node >= 0 && range > 0; node = nodes.nextSetBit(node + 1)) {
            add(node, OF_PODS * (scores[node] - lowest) / range);
        }
    }

    /** By how evenly it would be spread. A node without one of the labels is the worst. */
    private void addSpread() {
        var constraints = pod.spec().preferences().spread();
        if (constraints.isEmpty()) {
            return;
        }
        var inDomains = cluster.all();
        constraints.forEach(constraint -> inDomains.and(cluster.labels.with(constraint.topologyKey())));
        var scored = (BitSet) inDomains.clone();
        scored.and(nodes);
        var skews = new double[nodes.length()];
        for (var constraint : constraints) {
            addSkews(constraint, inDomains, scored, skews);
        }
        scored.stream().forEach(node -> skews[node] = Math.round(skews[node]));
        double most = scored.stream().mapToDouble(node -> skews[node]).max().orElse(0);
        double least = scored.stream().mapToDouble(node -> skews[node]).min().orElse(0);
        scored.stream().forEach(node -> add(node, OF_SPREAD * (most == 0 ? 1 : (most + least - skews[node]) / most)));
    }

    private void addSkews(SpreadConstraint constraint, BitSet inDomains, BitSet scored, double[] skews) {
        var matching = SpreadRule.matching(pod, cluster, constraint);
        var domains = cluster.labels.domains(constraint.topologyKey());
        boolean byHost = constraint.topologyKey().equals(HOSTNAME);
        var pods = new int[domains.count()];
        SpreadRule.counted(pod, cluster, constraint, inDomains).stream()
                .forEach(node -> pods[domains.at(node)] += matching.applyAsInt(node));
        long sizes = byHost
                ? scored.cardinality()
                : scored.stream().map(domains::at).distinct().count();
        double weight = Math.log(sizes + 2.0);
        scored.stream().forEach(node -> {
            int count = byHost ? matching.applyAsInt(node) : pods[domains.at(node)];
            skews[node] += count * weight + constraint.maxSkew() - 1;
        });
    }
}
