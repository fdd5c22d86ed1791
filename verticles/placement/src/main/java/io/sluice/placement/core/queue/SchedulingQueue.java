package io.sluice.placement.core.queue;

import io.sluice.placement.core.gangs.QueueTurn;
import io.sluice.placement.core.spec.PodSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The pods that wait, in the order in which they are tried: by priority, then by the time at which they were first
 * observed. A pod that could not be placed waits for longer after each attempt: up to 10 s where nodes or pods on them
 * have changed since, and up to a minute where nothing has. So pods that fit nowhere leave time for the others.
 */
public final class SchedulingQueue {
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Duration LONGEST_AFTER_CHANGE = Duration.ofSeconds(10);
    private static final int DOUBLINGS_MAX = 6;

    private static final Comparator<Entry> ORDER = Comparator.<Entry>comparingInt(entry -> entry.pod.priority())
            .reversed()
            .thenComparing(entry -> entry.since)
            .thenComparing(entry -> entry.pod.uid());

    private final int most;
    private final Map<String, Entry> pods = new HashMap<>();
    private final TreeSet<Entry> ready = new TreeSet<>(ORDER);
    private Instant changedAt = Instant.MIN;

    /** @param most the largest number of pods */
    public SchedulingQueue(int most) {
        this.most = most;
    }

    /** One pod, and what came of its attempts. */
    private static final class Entry {
        private final Instant since;
        private PodSpec pod;
        private int attempts;
        private Optional<Wait> wait = Optional.empty();
        private String reason = "";
        private Optional<Instant> awaitsVolumesSince = Optional.empty();

        Entry(PodSpec pod, Instant since) {
            this.pod = pod;
            this.since = since;
        }
    }

    /**
     * How long a pod is not tried.
     *
     * @param early when it may be tried if nodes have changed since {@code from}
     * @param until when it is tried in any case
     */
    private record Wait(Instant from, Instant early, Instant until) {}

    /**
     * Adds a pod, or replaces what is known of it. A pod that is being tried stays so.
     *
     * @return false if there are too many
     */
    public boolean put(PodSpec pod, Instant now) {
        var entry = pods.get(pod.uid());
        if (entry == null) {
            if (pods.size() >= most) {
                return false;
            }
            var added = new Entry(pod, now);
            pods.put(pod.uid(), added);
            ready.add(added);
            return true;
        }
        boolean waits = ready.remove(entry);
        entry.pod = pod;
        if (waits) {
            ready.add(entry);
        }
        return true;
    }

    /** Removes a pod. */
    public void remove(String uid) {
        var entry = pods.remove(uid);
        if (entry != null) {
            ready.remove(entry);
        }
    }

    /** The uids of all pods. */
    public List<String> uids() {
        return List.copyOf(pods.keySet());
    }

    /** Nodes may have more room. */
    public void changed(Instant now) {
        changedAt = now;
    }

    /** Makes the pods ready whose wait is over. */
    public void look(Instant now) {
        for (var entry : pods.values()) {
            entry.wait
                    .filter(wait ->
                            !now.isBefore(wait.until) || !now.isBefore(wait.early) && !changedAt.isBefore(wait.from))
                    .ifPresent(over -> {
                        entry.wait = Optional.empty();
                        ready.add(entry);
                    });
        }
    }

    /** When the next pod that is ready is tried, beside gangs. */
    public Optional<QueueTurn> next() {
        return ready.isEmpty()
                ? Optional.empty()
                : Optional.of(ready.first())
                        .map(entry -> new QueueTurn(entry.pod.priority(), entry.since, entry.pod.label()));
    }

    /** Takes the next pod that is ready. Until {@link #waits} or {@link #remove} it is not taken again. */
    public Optional<PodSpec> take() {
        return Optional.ofNullable(ready.pollFirst()).map(entry -> {
            entry.attempts++;
            return entry.pod;
        });
    }

    /** Records that an attempt did not place a pod. */
    public void waits(String uid, Instant now) {
        Optional.ofNullable(pods.get(uid)).ifPresent(entry -> {
            var wait = FIRST.multipliedBy(1L << Math.min(entry.attempts - 1, DOUBLINGS_MAX));
            entry.wait = Optional.of(
                    new Wait(now, now.plus(shorter(wait, LONGEST_AFTER_CHANGE)), now.plus(shorter(wait, LONGEST))));
        });
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /**
     * Records why no node can take a pod.
     *
     * @return whether the reason is new, so that it has to be reported
     */
    public boolean isNew(String uid, String reason) {
        var entry = pods.get(uid);
        if (entry == null || entry.reason.equals(reason)) {
            return false;
        }
        entry.reason = reason;
        return true;
    }

    /** Records that a bind may still take effect, so that the pod is not tried before. */
    public void inDoubt(String uid, Instant until) {
        Optional.ofNullable(pods.get(uid)).ifPresent(entry -> entry.wait = Optional.of(new Wait(until, until, until)));
    }

    /**
     * Records that the node of a pod is chosen and its volumes are not there yet.
     *
     * @return since when
     */
    public Instant awaitsVolumes(String uid, Instant now) {
        waits(uid, now);
        var entry = pods.get(uid);
        if (entry == null) {
            return now;
        }
        entry.awaitsVolumesSince = Optional.of(entry.awaitsVolumesSince.orElse(now));
        return entry.awaitsVolumesSince.get();
    }

    /** The last reason of a pod could not be reported, so that it counts as new again. */
    public void notReported(String uid) {
        Optional.ofNullable(pods.get(uid)).ifPresent(entry -> entry.reason = "");
    }

    /** How many pods wait. */
    public int size() {
        return pods.size();
    }
}
