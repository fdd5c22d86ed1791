package io.sluice.messages.vm;

import java.util.Objects;

/**
 * Evicts a pod, so that another one of higher priority gets its room, or so that it is made anew where it has more. The
 * API server refuses it where a disruption budget does not allow it.
 *
 * @param uid the pod's uid; another pod of that name stays
 * @param namespace the pod's namespace
 * @param name the pod's name
 * @param node on which it is
 * @param preemptor for which pod it is evicted; the pod itself, if for no other one
 * @param scheduler the name of that pod's scheduler, or of whoever evicts it
 */
public record EvictPod(String uid, String namespace, String name, String node, Preemptor preemptor, String scheduler) {
    /** The pod that gets the room. */
    public record Preemptor(String uid, String namespace, String name) {
        public Preemptor {
            Objects.requireNonNull(uid, "uid");
            Objects.requireNonNull(namespace, "namespace");
            Objects.requireNonNull(name, "name");
        }

        /** The pod, as {@code namespace/name}. */
        public String label() {
            return namespace + "/" + name;
        }
    }

    public EvictPod {
        Objects.requireNonNull(uid, "uid");
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(preemptor, "preemptor");
        Objects.requireNonNull(scheduler, "scheduler");
    }

    /** Whether it is evicted for no other pod. */
    public boolean isForItself() {
        return preemptor.uid().equals(uid);
    }

    /** The pod, as {@code namespace/name}. */
    public String label() {
        return namespace + "/" + name;
    }
}
