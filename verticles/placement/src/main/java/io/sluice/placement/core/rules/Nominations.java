package io.sluice.placement.core.rules;

import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.spec.PodSpec;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * On which node room is made for a pod, or on which its volumes are made. That room is not for pods of lower priority.
 */
public final class Nominations {
    /** No more pods than this are nominated at a time. */
    public static final int MOST = 200;

    private final Map<String, PendingPod> pods = new HashMap<>();
    private final Map<String, PendingPod> awaitVolumes = new HashMap<>();

    /** Nominates a pod; its node is the nominated one. Returns false if there are too many. */
    public boolean put(PendingPod pod) {
        if (pods.size() >= MOST && !pods.containsKey(pod.spec().uid())) {
            return false;
        }
        pods.put(pod.spec().uid(), pod);
        return true;
    }

    /** Counts a pod on its node while its volumes are made for that node; not if there are too many. */
    public void awaitsVolumes(PendingPod pod) {
        if (awaitVolumes.size() < MOST || awaitVolumes.containsKey(pod.spec().uid())) {
            awaitVolumes.put(pod.spec().uid(), pod);
        }
    }

    /** No node takes a pod, so that it counts on none for its volumes. */
    public void awaitsNoVolumes(String uid) {
        awaitVolumes.remove(uid);
    }

    /** The pod is placed, has ended, or gets its room elsewhere. */
    public void remove(String uid) {
        pods.remove(uid);
        awaitsNoVolumes(uid);
    }

    /** The node of a pod. */
    public Optional<String> node(String uid) {
        return Optional.ofNullable(pods.get(uid)).map(pod -> pod.spec().node());
    }

    /** All for which room is made, by their uids. */
    public List<PendingPod> all() {
        return sorted(pods.values().stream());
    }

    private static List<PendingPod> sorted(Stream<PendingPod> some) {
        return some.sorted(Comparator.comparing(pod -> pod.spec().uid())).toList();
    }

    /** The pods whose room another pod may not take. */
    List<PendingPod> against(PodSpec pod) {
        return pods.isEmpty() && awaitVolumes.isEmpty()
                ? List.of()
                : sorted(Stream.concat(
                                pods.values().stream(),
                                awaitVolumes.values().stream()
                                        .filter(other ->
                                                !pods.containsKey(other.spec().uid()))))
                        .stream()
                        .filter(other -> other.spec().priority() >= pod.priority()
                                && !other.spec().uid().equals(pod.uid()))
                        .toList();
    }

    /** The pods that lose their room on a node to one of higher priority. */
    public Collection<PendingPod> displacedBy(PodSpec pod, String node) {
        return all().stream()
                .filter(other ->
                        other.spec().node().equals(node) && other.spec().priority() < pod.priority())
                .toList();
    }
}
