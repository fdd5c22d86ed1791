package io.sluice.placement.core.elastic;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A job that works with any number of members within bounds.
 *
 * @param namespace of the job; its quota counts
 * @param name among the jobs of its namespace
 * @param createdAt older jobs grow first
 * @param priority only jobs of no higher priority shrink for it
 * @param min it does not begin with fewer members, nor shrink below
 * @param max it does not grow beyond
 * @param target how many members it should have now; 0 before it begins
 * @param member what each member takes
 * @param nodes where its members run; the first one leaves first when it shrinks
 * @param shrunkAt when it was last made to shrink
 * @param handover the room that others give to it, while it waits for that
 */
public record ElasticJob(
        String namespace,
        String name,
        Instant createdAt,
        int priority,
        int min,
        int max,
        int target,
        MemberRequest member,
        List<String> nodes,
        Optional<Instant> shrunkAt,
        Optional<Handover> handover) {
    /**
     * Room that others give to a job.
     *
     * @param since when they were made to shrink, or when they got it back as it did not come in time
     * @param givers how many members each of the others gives; none after they got it back, when nobody shrinks for the
     *     job for as long again
     */
    public record Handover(Instant since, Map<String, Integer> givers) {
        public Handover {
            Objects.requireNonNull(since, "since");
            givers = Map.copyOf(givers);
        }

        /** Whether others are to give room. */
        public boolean isAwaited() {
            return !givers.isEmpty();
        }
    }

    public ElasticJob {
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(createdAt, "createdAt");
        Objects.requireNonNull(member, "member");
        nodes = List.copyOf(nodes);
        Objects.requireNonNull(shrunkAt, "shrunkAt");
        Objects.requireNonNull(handover, "handover");
        if (min < 1 || max < min || target < 0) {
            throw new IllegalArgumentException(
                    "a job has 1 <= min <= max, not min " + min + " and max " + max + ", and target " + target);
        }
    }

    /** Its namespace and name. */
    public String id() {
        return namespace + "/" + name;
    }

    /** How many members it lacks before it has its minimum. */
    int lacking() {
        return Math.max(0, min - target);
    }

    /** How many members it can give. */
    int surplus() {
        return Math.max(0, target - min);
    }

    /** Members that run and are to leave. */
    int leaving() {
        return Math.max(0, nodes.size() - target);
    }

    /** Members that it should have and that do not run yet. */
    public int coming() {
        return Math.max(0, target - nodes.size());
    }

    /** The same with another target. */
    public ElasticJob targeting(int newTarget) {
        return new ElasticJob(
                namespace, name, createdAt, priority, min, max, newTarget, member, nodes, shrunkAt, handover);
    }

    /** The same that was made to shrink. */
    public ElasticJob shrunk(int newTarget, Instant now) {
        return new ElasticJob(
                namespace, name, createdAt, priority, min, max, newTarget, member, nodes, Optional.of(now), handover);
    }

    /** The same with other room that others give to it. */
    public ElasticJob awaiting(Optional<Handover> newHandover) {
        return new ElasticJob(
                namespace, name, createdAt, priority, min, max, target, member, nodes, shrunkAt, newHandover);
    }
}
