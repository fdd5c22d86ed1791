package io.sluice.pods.core;

import io.sluice.shell.BoundedMap;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * The kills for want of memory, which a node agent reports by the kernel's counter, and a kubelet by the status of the
 * container. Both have the time by the clock of the node, by which the two reports of one kill are found. A kill of
 * which the kernel alone reports is that of a process in a container that lives on.
 */
public final class MemoryKills {
    private static final int PODS_MAX = 20_000;

    /** A kubelet has whole seconds, and sees the end of a container late; a node agent reads after the report. */
    private static final Duration APART_MAX = Duration.ofSeconds(10);

    /** The processes of a group are killed one after the other, and a node agent reads once a second. */
    private static final Duration ONE_KILL = Duration.ofSeconds(2);

    private final Map<String, Kill> kills = BoundedMap.ofLastUsed(PODS_MAX);

    /** What a report of a kill is. */
    public enum Finding {
        /** The first report of a kill: more memory is to be requested. */
        NEW,
        /** The first report of its kind, of a kill that the other has reported. */
        CONFIRMED,
        /** Another report of its kind of a kill. */
        KNOWN
    }

    /**
     * The last kill of a pod.
     *
     * @param byKernel when the kernel reported it, or the one before; {@code Instant.MIN} if it has not
     * @param byStatus when a container ended by it; {@code Instant.MIN} if none has
     * @param isAwaited whether the kernel's report of what the status has is still to come
     */
    private record Kill(Instant byKernel, Instant byStatus, boolean isAwaited) {
        static final Kill NONE = new Kill(Instant.MIN, Instant.MIN, false);
    }

    /** Takes the report of a node agent. */
    public Finding byKernel(String pod, Instant at) {
        var last = kills.getOrDefault(pod, Kill.NONE);
        if (isNear(last.byKernel(), at, ONE_KILL)) {
            return Finding.KNOWN;
        }
        boolean isConfirmed = last.isAwaited() && isNear(last.byStatus(), at, APART_MAX);
        kills.put(pod, new Kill(at, last.byStatus(), false));
        return isConfirmed ? Finding.CONFIRMED : Finding.NEW;
    }

    /** Takes the end of a container by its status, which repeats it. */
    public Finding byStatus(String pod, Instant at) {
        var last = kills.getOrDefault(pod, Kill.NONE);
        if (at.equals(last.byStatus())) {
            return Finding.KNOWN;
        }
        boolean isConfirmed = isNear(last.byKernel(), at, APART_MAX);
        kills.put(pod, new Kill(last.byKernel(), at, !isConfirmed));
        return isConfirmed ? Finding.CONFIRMED : Finding.NEW;
    }

    private static boolean isNear(Instant one, Instant other, Duration within) {
        return one.isAfter(other.minus(within)) && one.isBefore(other.plus(within));
    }
}
