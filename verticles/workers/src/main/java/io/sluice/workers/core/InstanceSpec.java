package io.sluice.workers.core;

import io.sluice.units.Resources;
import java.util.Map;

/**
 * What is to run.
 *
 * @param workload the workload that it belongs to
 * @param id names it, for good
 * @param definition what its runtime starts, as JSON; may have secrets, so it is never logged
 * @param runtime the kind of its runtime
 * @param requests what it is to have
 * @param exclusive whether it must never run twice at a time
 * @param selector labels that its worker must have
 * @param gang with which others it starts
 * @param on where it may run
 */
public record InstanceSpec(
        String workload,
        String id,
        String definition,
        String runtime,
        Resources requests,
        boolean exclusive,
        Restart restart,
        Map<String, String> selector,
        Gang gang,
        Target on) {
    /** Where an instance may run. */
    public enum Target {
        /** On machines that register themselves. */
        WORKERS,
        /** There, or as a pod on a node of Kubernetes. */
        ANYWHERE,
        /** As a pod on a node of Kubernetes. */
        KUBERNETES
    }

    /**
     * Instances that start together or not at all.
     *
     * @param name of the gang; empty for an instance that starts alone
     * @param least how many of them start together at least
     */
    public record Gang(String name, int least) {
        /** Of an instance that starts alone. */
        public static final Gang NONE = new Gang("", 1);

        /** The most that one gang may require. */
        public static final int LEAST_MAX = 256;

        public boolean isNone() {
            return name.isEmpty();
        }
    }

    /** What happens after it has ended by itself. */
    public enum Restart {
        ON_FAILURE,
        ALWAYS,
        NEVER
    }

    public InstanceSpec {
        selector = Map.copyOf(selector);
    }

    /** One that runs on workers alone. */
    public InstanceSpec(
            String workload,
            String id,
            String definition,
            String runtime,
            Resources requests,
            boolean exclusive,
            Restart restart,
            Map<String, String> selector,
            Gang gang) {
        this(workload, id, definition, runtime, requests, exclusive, restart, selector, gang, Target.WORKERS);
    }

    /** With another size and another content; an empty definition stays as it is. */
    public InstanceSpec amended(String newDefinition, String newRuntime, Resources amounts) {
        boolean same = newDefinition.isEmpty();
        return new InstanceSpec(
                workload,
                id,
                same ? definition : newDefinition,
                same ? runtime : newRuntime,
                amounts,
                exclusive,
                restart,
                selector,
                gang,
                on);
    }

    InstanceSpec requesting(Resources amounts) {
        return new InstanceSpec(workload, id, definition, runtime, amounts, exclusive, restart, selector, gang, on);
    }

    /** Keeps the definition out of logs. */
    @Override
    public String toString() {
        return "instance " + id + " of " + workload;
    }
}
