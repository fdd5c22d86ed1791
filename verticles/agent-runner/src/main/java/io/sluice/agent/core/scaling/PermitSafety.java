package io.sluice.agent.core.scaling;

/** How carefully a core treats what the scheduler's books hold for its VM. */
public enum PermitSafety {
    /** The books are never told less than what the VM may still come to use, and a permit lapses. */
    STRICT,
    /** Answers exactly as Neon's agent does; loses the promise of {@link #STRICT}. For playing recordings. */
    REFERENCE
}
