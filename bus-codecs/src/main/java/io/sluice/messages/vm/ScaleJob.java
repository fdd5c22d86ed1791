package io.sluice.messages.vm;

import io.sluice.units.Resources;
import java.util.List;
import java.util.Objects;

/**
 * Writes the status of an elastic job, then how many members what it scales has, and then sizes of members. Nothing is
 * written if the job has changed; the number is not if what it scales has.
 *
 * @param namespace of both
 * @param name of the job
 * @param version of the job's object
 * @param status its new status, as JSON
 * @param target what it scales
 * @param replicas the number of members; below zero to leave it
 * @param resizes the members that get another size where they run
 */
public record ScaleJob(
        String namespace,
        String name,
        String version,
        String status,
        Target target,
        int replicas,
        List<Resize> resizes) {
    public ScaleJob {
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(version, "version");
        Objects.requireNonNull(status, "status");
        Objects.requireNonNull(target, "target");
        resizes = List.copyOf(resizes);
    }

    /**
     * Another size of a pod.
     *
     * @param pod its name
     * @param size what it requests, by the first of its containers
     */
    public record Resize(String pod, Resources size) {
        public Resize {
            Objects.requireNonNull(pod, "pod");
            Objects.requireNonNull(size, "size");
        }
    }

    /**
     * An object with the subresource {@code scale}.
     *
     * @param version of its scale
     */
    public record Target(String apiVersion, String kind, String name, String version) {
        public Target {
            Objects.requireNonNull(apiVersion, "apiVersion");
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(version, "version");
        }
    }
}
