package io.sluice.placement.core.rules;

import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.spec.PodSpec;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** On which node room is made for a pod. That room is not for pods of lower priority. */
public final class Nominations {
    /** No more pods than this are nominated at a time. */
    public static final int MOST = 200;

    private final Map<String, PendingPod> pods = new HashMap<>();

    /** Nominates a pod; its node is the nominated one. Returns false if there are too many. */
    public boolean put(PendingPod pod) {
        if (pods.size() >= MOST && !pods.containsKey(pod.spec().uid())) {
            return false;
        }
        pods.put(pod.spec().uid(), pod);
        return true;
    }

    /** The pod is placed, has ended, or gets its room elsewhere. */
    public void remove(String uid) {
        pods.remove(uid);
    }

    /** The node of a pod. */
    public Optional<String> node(String uid) {
        return Optional.ofNullable(pods.get(uid)).map(pod -> pod.spec().node());
    }

    /** All of them, by their uids. */
    public List<PendingPod> all() {
        return pods.values().stream()
                .sorted(Comparator.comparing(pod -> pod.spec().uid()))
                .toList();
    }

    /** The pods whose room another pod may not take. */
    List<PendingPod> against(PodSpec pod) {
        return pods.isEmpty()
                ? List.of()
                : all().stream()
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
