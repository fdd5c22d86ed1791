package io.sluice.agent.scheduler.core;

import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * A pod that may be a scheduler's.
 *
 * @param name its name
 * @param created when it was created
 * @param ip its address; empty while it has none
 * @param ready whether it is ready, and is not being deleted
 */
public record SchedulerPod(String name, Instant created, String ip, boolean ready) {
    private static final Comparator<SchedulerPod> NEWEST_FIRST =
            Comparator.comparing(SchedulerPod::created).reversed().thenComparing(SchedulerPod::name);

    public SchedulerPod {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(created, "created");
        Objects.requireNonNull(ip, "ip");
    }

    /** The pods that can serve, the newest first: while a scheduler is replaced, the new one counts. */
    public static List<SchedulerPod> usable(Collection<SchedulerPod> pods) {
        return pods.stream()
                .filter(pod -> pod.ready() && !pod.ip().isEmpty())
                .sorted(NEWEST_FIRST)
                .toList();
    }
}
