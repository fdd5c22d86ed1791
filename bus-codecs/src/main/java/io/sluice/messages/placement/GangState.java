package io.sluice.messages.placement;

import java.util.List;
import java.util.Objects;

/**
 * A gang: what it requires, how far its members are, and why it waits.
 *
 * @param apiGroup of its object; empty where annotations of its members declare it
 * @param uid of its object
 * @param version of its object
 * @param phase as its object's status has it
 * @param reason why it waits; empty where it does not
 */
public record GangState(
        String apiGroup,
        String namespace,
        String name,
        String uid,
        long version,
        int minMember,
        String phase,
        String reason,
        List<Member> members) {
    public GangState {
        Objects.requireNonNull(apiGroup, "apiGroup");
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(uid, "uid");
        Objects.requireNonNull(phase, "phase");
        Objects.requireNonNull(reason, "reason");
        members = List.copyOf(members);
    }

    /** How far a member is. */
    public enum Step {
        PENDING,
        HELD,
        BINDING,
        BOUND,
        RUNNING,
        SUCCEEDED,
        FAILED
    }

    /**
     * A member.
     *
     * @param uid of the pod
     * @param name of the pod
     * @param node on which it is bound, or room for it is held; empty for none
     */
    public record Member(String uid, String name, String node, Step step) {
        public Member {
            Objects.requireNonNull(uid, "uid");
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(step, "step");
        }
    }

    /** How many members are so far. */
    public int count(Step... steps) {
        var counted = List.of(steps);
        return (int) members.stream()
                .filter(member -> counted.contains(member.step()))
                .count();
    }

    /** Namespace and name, as people read them. */
    public String label() {
        return namespace + "/" + name;
    }
}
