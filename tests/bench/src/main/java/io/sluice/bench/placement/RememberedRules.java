package io.sluice.bench.placement;

import io.sluice.devices.GpuRequest;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.PlacementPlugin;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.units.Resources;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Some rules as one, which is asked again only about nodes that have changed since it was asked about a pod of the same
 * amounts. Rules see nothing but the pod and the node, so the answers are the same.
 */
final class RememberedRules implements PlacementPlugin {
    private final List<PlacementPlugin> filters;
    private final PlacementPlugin score;
    private final Map<Key, Map<String, Answer>> answers = new HashMap<>();
    private PodToPlace last;
    private Map<String, Answer> lastAnswers;

    /** What of a pod the rules see. */
    private record Key(Resources charge, List<GpuRequest> gpus) {}

    /** Of one node in one state. */
    private record Answer(NodeSnapshot node, Optional<Misfit> misfit, OptionalDouble score) {}

    RememberedRules(List<PlacementPlugin> filters, PlacementPlugin score) {
        this.filters = List.copyOf(filters);
        this.score = score;
    }

    @Override
    public Optional<Misfit> filter(PodToPlace pod, NodeSnapshot node) {
        var known = answers(pod).get(node.node());
        return known != null && known.node == node ? known.misfit : evaluated(pod, node).misfit;
    }

    @Override
    public OptionalDouble score(PodToPlace pod, NodeSnapshot node, Resources largest) {
        var known = answers(pod).get(node.node());
        if (known == null || known.node != node || known.score.isEmpty()) {
            known = new Answer(node, Optional.empty(), score.score(pod, node, largest));
            answers(pod).put(node.node(), known);
        }
        return known.score;
    }

    private Answer evaluated(PodToPlace pod, NodeSnapshot node) {
        var misfit = filters.stream()
                .flatMap(filter -> filter.filter(pod, node).stream())
                .findFirst();
        var answer = new Answer(node, misfit, OptionalDouble.empty());
        answers(pod).put(node.node(), answer);
        return answer;
    }

    private Map<String, Answer> answers(PodToPlace pod) {
        if (pod != last) {
            last = pod;
            lastAnswers = answers.computeIfAbsent(
                    new Key(pod.charge(), pod.pod().gpus().requests()), key -> new HashMap<>());
        }
        return lastAnswers;
    }
}
