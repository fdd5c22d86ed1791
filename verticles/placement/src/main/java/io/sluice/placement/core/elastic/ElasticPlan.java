package io.sluice.placement.core.elastic;

import io.sluice.units.Resources;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * What is to change for jobs.
 *
 * @param changes in the order in which they are to be made
 */
public record ElasticPlan(List<Change> changes) {
    public ElasticPlan {
        changes = List.copyOf(changes);
    }

    /** A change for one job. */
    public sealed interface Change {
        /** The job, by its id. */
        String job();
    }

    /** It begins with so many members, or gets what it lacks of its minimum: there is room for them. */
    public record Begin(String job, int target) implements Change {}

    /** It grows: there is room that nobody waits for. */
    public record Grow(String job, int target) implements Change {}

    /**
     * It shrinks.
     *
     * @param newcomer the job that gets the room; empty where it has more than its maximum
     */
    public record Shrink(String job, int target, String newcomer) implements Change {}

    /**
     * Some of its members get another size where they run.
     *
     * @param pods the members
     * @param size of each
     * @param newcomer the job that gets the room; empty where they get larger
     */
    public record Resize(String job, Set<String> pods, Resources size, String newcomer) implements Change {
        public Resize {
            pods = Collections.unmodifiableSet(new TreeSet<>(pods));
            Objects.requireNonNull(size, "size");
        }
    }

    /** It waits for room that others give. */
    public record Await(String job, ElasticJob.Handover handover) implements Change {
        public Await {
            Objects.requireNonNull(handover, "handover");
        }
    }

    /** The room did not come in time: it is kept no longer. */
    public record GiveBack(String job, String reason) implements Change {}

    /** It waits, and no shrinking helps. */
    public record Wait(String job, String reason) implements Change {}
}
