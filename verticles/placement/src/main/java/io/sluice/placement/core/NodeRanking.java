package io.sluice.placement.core;

import io.sluice.messages.placement.NodeRanks;
import io.sluice.messages.placement.NodeRanks.NodeRank;
import io.sluice.messages.placement.NodeRanks.Obstacle;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.PlacementPlugin;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Filters and scores nodes by plugins. The first plugin that excludes a node names the reason; the score is the mean of
 * all plugins that give one, by their weights.
 */
public final class NodeRanking {
    /** No score of kube-scheduler's eleven is the best one then. */
    private static final int BELOW_BEST = 90;

    private final List<PlacementPlugin> plugins;

    public NodeRanking(List<PlacementPlugin> plugins) {
        this.plugins = List.copyOf(plugins);
    }

    /**
     * Ranks nodes.
     *
     * @param only the only node that may take the pod, because room for it is held there; empty where any may
     */
    public List<NodeRank> rank(PodToPlace pod, List<String> names, NodeTable nodes, Optional<String> only) {
        if (only.isPresent()) {
            return names.stream().map(name -> held(name, only.get())).toList();
        }
        var largest = nodes.largest();
        var found = names.stream().map(name -> nodes.find(name, pod)).toList();
        var prepared = prepared(pod, found.stream().flatMap(Optional::stream).toList());
        var ranks = new ArrayList<NodeRank>(names.size());
        for (int at = 0; at < names.size(); at++) {
            var node = found.get(at);
            ranks.add(
                    node.isPresent()
                            ? rank(prepared, pod, node.get(), largest)
                            : excluded(names.get(at), Obstacle.LEDGER_NOT_READY, Resources.NONE));
        }
        return prepared.stream().anyMatch(plugin -> plugin.isFine(pod))
                ? best(pod, names, nodes).map(best -> bestAlone(ranks, best)).orElse(ranks)
                : ranks;
    }

    /** kube-scheduler sees tenths alone, and draws among equals. */
    private static List<NodeRank> bestAlone(List<NodeRank> ranks, String best) {
        return ranks.stream()
                .map(rank -> rank.node().equals(best)
                        ? rank.scored(NodeRanks.SCORE_MAX)
                        : rank.scored(Math.min(rank.score(), BELOW_BEST)))
                .toList();
    }

    /**
     * The best of the nodes that can take the pod, before scores are rounded; of equals the one whose name comes first.
     */
    public Optional<String> best(PodToPlace pod, List<String> names, NodeTable nodes) {
        var largest = nodes.largest();
        var known =
                names.stream().flatMap(name -> nodes.find(name, pod).stream()).toList();
        var prepared = prepared(pod, known);
        Optional<String> best = Optional.empty();
        double highest = Double.NEGATIVE_INFINITY;
        for (var node : known) {
            double score = misfit(prepared, pod, node).isEmpty()
                    ? score(prepared, pod, node, largest)
                    : Double.NEGATIVE_INFINITY;
            if (score > highest
                    || score == highest && best.isPresent() && node.node().compareTo(best.get()) < 0) {
                highest = score;
                best = Optional.of(node.node());
            }
        }
        return best;
    }

    /** Ranks nodes of which the state is given. */
    public List<NodeRank> rank(PodToPlace pod, List<NodeSnapshot> nodes, Resources largest) {
        var prepared = prepared(pod, nodes);
        return nodes.stream().map(node -> rank(prepared, pod, node, largest)).toList();
    }

    private List<PlacementPlugin> prepared(PodToPlace pod, List<NodeSnapshot> nodes) {
        return plugins.stream().map(plugin -> plugin.forAttempt(pod, nodes)).toList();
    }

    /**
     * Whether a known node can take the pod.
     *
     * @param among the names of the nodes; empty for all
     */
    public boolean fitsSome(PodToPlace pod, NodeTable nodes, List<String> among) {
        return nodes.of(pod, among)
                .anyMatch(node -> plugins.stream()
                        .allMatch(plugin -> plugin.filter(pod, node).isEmpty()));
    }

    /** Room that is held already needs no more room. */
    private static NodeRank held(String name, String only) {
        return name.equals(only)
                ? new NodeRank(name, Obstacle.NONE, Resources.NONE, NodeRanks.SCORE_MAX)
                : excluded(name, Obstacle.HELD_ELSEWHERE, Resources.NONE);
    }

    private static NodeRank rank(List<PlacementPlugin> plugins, PodToPlace pod, NodeSnapshot node, Resources largest) {
        return misfit(plugins, pod, node)
                .map(why -> new NodeRank(
                        node.node(), why.obstacle(), why.shortBy(), 0, why.keptFor(), why.shortOf(), why.device()))
                .orElseGet(() -> new NodeRank(node.node(), Obstacle.NONE, Resources.NONE, (int)
                        Math.round(score(plugins, pod, node, largest) * NodeRanks.SCORE_MAX)));
    }

    private static Optional<PlacementPlugin.Misfit> misfit(
            List<PlacementPlugin> plugins, PodToPlace pod, NodeSnapshot node) {
        for (var plugin : plugins) {
            var misfit = plugin.filter(pod, node);
            if (misfit.isPresent()) {
                return misfit;
            }
        }
        return Optional.empty();
    }

    private static double score(List<PlacementPlugin> plugins, PodToPlace pod, NodeSnapshot node, Resources largest) {
        double sum = 0;
        double weights = 0;
        double factor = 1;
        for (var plugin : plugins) {
            var given = plugin.score(pod, node, largest);
            if (given.isPresent()) {
                double weight = plugin.weight(pod);
                sum += weight * given.getAsDouble();
                weights += weight;
            }
            factor *= plugin.factor(pod, node);
        }
        return weights == 0 ? 0 : factor * sum / weights;
    }

    private static NodeRank excluded(String node, Obstacle obstacle, Resources shortBy) {
        return new NodeRank(node, obstacle, shortBy, 0);
    }
}
