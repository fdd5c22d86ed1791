package io.sluice.placement.core;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.shell.MissingKeyDetector;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

/** The pods that wait for a node, and the overcommit of all VMs. */
public final class PendingPods {
    /** The shortest time between two wakes of one pod. */
    public static final Duration WAKE_EVERY = Duration.ofSeconds(10);

    /** The most pods that are chosen, and looked at, in one look. */
    private static final int WOKEN_MAX = 20;

    private static final int LOOKED_AT_MAX = 200;

    /** The most nodes that are remembered for a pod; one that may run on more may run on any. */
    private static final int CANDIDATES_MAX = 50;

    private final int most;
    private final Map<String, Waiting> pods = new HashMap<>();
    private final MissingKeyDetector<String> missing = new MissingKeyDetector<>();
    private final Map<String, Overcommit> overcommits = new HashMap<>();
    private final MissingKeyDetector<String> missingVms = new MissingKeyDetector<>();

    /** @param most the largest number of pods */
    public PendingPods(int most) {
        this.most = most;
    }

    /** What is known of one pod. */
    private static final class Waiting {
        private final Instant since;
        private PodObserved pod;
        private Optional<String> reason = Optional.empty();
        private List<String> candidates = List.of();
        private Optional<Instant> wokenAt = Optional.empty();
        private Optional<Instant> lookedAt = Optional.empty();

        Waiting(PodObserved pod, Instant since) {
            this.pod = pod;
            this.since = since;
        }
    }

    /** Applies an observation of a pod that waits; returns false if there are too many. */
    public boolean waits(PodObserved pod, Instant now) {
        var known = pods.get(pod.uid());
        if (known == null && pods.size() >= most) {
            return false;
        }
        missing.named(pod.uid());
        if (known == null) {
            pods.put(pod.uid(), new Waiting(pod, now));
        } else if (known.pod.version() <= pod.version()) {
            known.pod = pod;
        }
        return true;
    }

    /** Applies an observation of a bound pod. Returns for how long it waited; empty if it was not known to wait. */
    public Optional<Duration> bound(PodObserved pod, Instant now) {
        var waited = Optional.ofNullable(pods.get(pod.uid())).map(waiting -> Duration.between(waiting.since, now));
        remove(pod.uid());
        return waited;
    }

    /** Applies the end of a pod. */
    public void gone(PodGone end) {
        remove(end.uid());
    }

    /** Applies an observation of a VM. */
    public void observed(VmObserved vm) {
        var label = vm.vm().label();
        if (vm.overcommit().equals(Overcommit.OFF)) {
            forget(label);
        } else {
            missingVms.named(label);
            overcommits.put(label, vm.overcommit());
        }
    }

    /** The overcommit of a VM, by its {@code namespace/name}. */
    public Overcommit overcommitOf(String label) {
        return overcommits.getOrDefault(label, Overcommit.OFF);
    }

    /** Applies the end of a VM. */
    public void gone(VmGone end) {
        forget(end.vm().label());
    }

    /** Removes what was missing from two full lists in a row. */
    public void listed() {
        missing.listed().forEach(pods::remove);
        missingVms.listed().forEach(overcommits::remove);
    }

    /** A pending pod; empty if it is unknown or was bound. */
    public Optional<PodToPlace> find(String uid) {
        return Optional.ofNullable(pods.get(uid)).map(waiting -> {
            var pod = waiting.pod;
            return new PodToPlace(pod, overcommitOf(pod.namespace() + "/" + pod.vmName()));
        });
    }

    /** The pods that were created first, the oldest first. */
    public List<PodToPlace> oldest(int most) {
        return pods.values().stream()
                .map(waiting -> waiting.pod)
                .sorted(Comparator.comparingLong(PodObserved::createdAtSeconds).thenComparing(PodObserved::uid))
                .limit(most)
                .flatMap(pod -> find(pod.uid()).stream())
                .toList();
    }

    /** The pod of that name; empty if it does not wait. */
    public Optional<PodToPlace> named(String label) {
        return pods.values().stream()
                .filter(waiting -> (waiting.pod.namespace() + "/" + waiting.pod.name()).equals(label))
                .findFirst()
                .flatMap(waiting -> find(waiting.pod.uid()));
    }

    /**
     * Records that no requested node could take the pod.
     *
     * @param requested the nodes on which its scheduler would let it run
     * @return whether the reason is new
     */
    public boolean noNode(String uid, String reason, List<String> requested) {
        var waiting = pods.get(uid);
        if (waiting == null) {
            return false;
        }
        boolean isNew = waiting.reason.filter(reason::equals).isEmpty();
        waiting.reason = Optional.of(reason);
        waiting.candidates = requested.size() > CANDIDATES_MAX ? List.of() : List.copyOf(requested);
        return isNew;
    }

    /**
     * A pod that no requested node could take at its last attempt.
     *
     * @param since when it was first observed
     * @param candidates the nodes on which its scheduler would let it run; empty for many
     */
    public record WithoutNode(PodToPlace pod, Instant since, List<String> candidates) {}

    /** The pods that no requested node could take, those that wait longest first. */
    public List<WithoutNode> withoutNode(int limit) {
        return pods.values().stream()
                .filter(waiting -> waiting.reason.isPresent())
                .sorted(Comparator.<Waiting, Instant>comparing(waiting -> waiting.since)
                        .thenComparing(waiting -> waiting.pod.uid()))
                .limit(limit)
                .map(waiting ->
                        new WithoutNode(find(waiting.pod.uid()).orElseThrow(), waiting.since, waiting.candidates))
                .toList();
    }

    /** The nodes on which a pod's scheduler would let it run, by its last attempt; empty for many, or if unknown. */
    public List<String> candidates(String uid) {
        return Optional.ofNullable(pods.get(uid))
                .map(waiting -> waiting.candidates)
                .orElse(List.of());
    }

    /** Records that some requested node could take the pod. */
    public void someNode(String uid) {
        withPod(uid, waiting -> waiting.reason = Optional.empty());
    }

    /**
     * Chooses pods that may be placed now although no node could take them at their last attempt. Each is chosen at
     * most every {@link #WAKE_EVERY}, since their scheduler may not bind it all the same. Those that were not looked at
     * for the longest time come first, so pods that fit nowhere keep no others from being chosen.
     *
     * @param fits whether one of these nodes could take the pod; without names, any node
     */
    public List<PodToPlace> toWake(BiPredicate<PodToPlace, List<String>> fits, Instant now) {
        var due = pods.values().stream()
                .filter(waiting -> waiting.reason.isPresent()
                        && waiting.wokenAt
                                .filter(woken -> now.isBefore(woken.plus(WAKE_EVERY)))
                                .isEmpty())
                .sorted(Comparator.comparing(waiting -> waiting.lookedAt.orElse(waiting.since)))
                .limit(LOOKED_AT_MAX)
                .toList();
        var chosen = new ArrayList<PodToPlace>();
        for (var waiting : due) {
            if (chosen.size() == WOKEN_MAX) {
                break;
            }
            waiting.lookedAt = Optional.of(now);
            var pod = find(waiting.pod.uid()).orElseThrow();
            if (fits.test(pod, waiting.candidates)) {
                waiting.wokenAt = Optional.of(now);
                chosen.add(pod);
            }
        }
        return chosen;
    }

    private void withPod(String uid, Consumer<Waiting> change) {
        Optional.ofNullable(pods.get(uid)).ifPresent(change);
    }

    public int size() {
        return pods.size();
    }

    private void remove(String uid) {
        pods.remove(uid);
        missing.struck(uid);
    }

    private void forget(String label) {
        overcommits.remove(label);
        missingVms.struck(label);
    }
}
