package io.sluice.placement.core.devices;

/** By what nodes with GPUs are scored for a pod that requests some, as it is written in the config. */
public enum DevicePolicy {
    /** By how little what is left of them becomes useless for pods like those that came before. */
    FRAGMENTS,
    /** By how full the pod's devices would be. */
    FILL;

    /**
     * The score.
     *
     * @param typical the pods that came before
     */
    public DeviceScore score(TypicalPods typical) {
        return switch (this) {
            case FRAGMENTS -> new LeastFragments(typical);
            case FILL -> DeviceFill.DEFAULT;
        };
    }
}
