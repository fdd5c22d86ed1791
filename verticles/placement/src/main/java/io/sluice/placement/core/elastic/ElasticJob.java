package io.sluice.placement.core.elastic;

import io.sluice.units.Resources;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

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
 * @param member what each member takes at its full size
 * @param members those that run; the first one leaves first when it shrinks
 * @param smallest to which members can be made smaller where they run; empty where they cannot
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
        ElasticMemberRequest member,
        List<ElasticMember> members,
        Optional<Resources> smallest,
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
            givers = Collections.unmodifiableMap(new TreeMap<>(givers));
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
        members = List.copyOf(members);
        Objects.requireNonNull(smallest, "smallest");
        Objects.requireNonNull(shrunkAt, "shrunkAt");
        Objects.requireNonNull(handover, "handover");
        if (min < 1 || max < min || target < 0) {
            throw new IllegalArgumentException(
                    "a job has 1 <= min <= max, not min " + min + " and max " + max + ", and target " + target);
        }
    }

    /** A job whose members keep their size. */
    public ElasticJob(
            String namespace,
            String name,
            Instant createdAt,
            int priority,
            int min,
            int max,
            int target,
            ElasticMemberRequest member,
            List<String> nodes,
            Optional<Instant> shrunkAt,
            Optional<Handover> handover) {
        this(
                namespace,
                name,
                createdAt,
                priority,
                min,
                max,
                target,
                member,
                nodes.stream()
                        .map(node -> new ElasticMember("", node, member.amounts(), member.amounts(), false))
                        .toList(),
                Optional.empty(),
                shrunkAt,
                handover);
    }

    /** Where its members run. */
    public List<String> nodes() {
        return members.stream().map(ElasticMember::node).toList();
    }

    /** Those of its members that stay, and could be smaller. */
    List<ElasticMember> shrinkable() {
        return smallest.map(size -> members.stream()
                        .skip(leaving())
                        .filter(one -> one.resizable() && one.desired().exceeds(size))
                        .toList())
                .orElse(List.of());
    }

    /** Those of its members that stay, and are smaller than they could be. */
    List<ElasticMember> small() {
        return smallest.isEmpty()
                ? List.of()
                : members.stream()
                        .skip(leaving())
                        .filter(one -> one.resizable() && member.amounts().exceeds(one.desired()))
                        .toList();
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
        return Math.max(0, members.size() - target);
    }

    /** Members that it should have and that do not run yet. */
    public int coming() {
        return Math.max(0, target - members.size());
    }

    /** The same with another target. */
    public ElasticJob targeting(int newTarget) {
        return new ElasticJob(
                namespace, name, createdAt, priority, min, max, newTarget, member, members, smallest, shrunkAt,
                handover);
    }

    /** The same that was made to shrink. */
    public ElasticJob shrunk(int newTarget, Instant now) {
        return new ElasticJob(
                namespace,
                name,
                createdAt,
                priority,
                min,
                max,
                newTarget,
                member,
                members,
                smallest,
                Optional.of(now),
                handover);
    }

    /** The same with another size of some of its members. */
    ElasticJob resizing(Set<String> pods, Resources size) {
        var resized = members.stream()
                .map(one -> pods.contains(one.pod())
                        ? new ElasticMember(one.pod(), one.node(), one.amounts(), size, one.resizable())
                        : one)
                .toList();
        return new ElasticJob(
                namespace, name, createdAt, priority, min, max, target, member, resized, smallest, shrunkAt, handover);
    }

    /** The same with other room that others give to it. */
    public ElasticJob awaiting(Optional<Handover> newHandover) {
        return new ElasticJob(
                namespace,
                name,
                createdAt,
                priority,
                min,
                max,
                target,
                member,
                members,
                smallest,
                shrunkAt,
                newHandover);
    }
}
