package io.sluice.placement.core.queue;

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
 * observed. A pod that could not be placed waits for longer after each attempt, up to a bound, and no longer than a
 * second where nodes have changed since.
 */
public final class SchedulingQueue {
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final int DOUBLINGS_MAX = 4;

    private static final Comparator<Entry> ORDER = Comparator.<Entry>comparingInt(entry -> -entry.pod.priority())
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

    /** Takes the next pod that is ready. Until {@link #waits} or {@link #remove} it is not taken again. */
    public Optional<PodSpec> take() {
        return Optional.ofNullable(ready.pollFirst()).map(entry -> {
            entry.attempts++;
            return entry.pod;
        });
    }

    /**
     * Records that an attempt did not place a pod.
     *
     * @return whether the reason is new, so that it has to be reported
     */
    public boolean waits(String uid, String reason, Instant now) {
        var entry = pods.get(uid);
        if (entry == null) {
            return false;
        }
        var longer = FIRST.multipliedBy(1L << Math.min(entry.attempts - 1, DOUBLINGS_MAX));
        entry.wait =
                Optional.of(new Wait(now, now.plus(FIRST), now.plus(longer.compareTo(LONGEST) < 0 ? longer : LONGEST)));
        boolean isNew = !entry.reason.equals(reason);
        entry.reason = reason;
        return isNew;
    }

    /** Records that a bind may still take effect, so that the pod is not tried before. */
    public void inDoubt(String uid, Instant until) {
        Optional.ofNullable(pods.get(uid)).ifPresent(entry -> entry.wait = Optional.of(new Wait(until, until, until)));
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
