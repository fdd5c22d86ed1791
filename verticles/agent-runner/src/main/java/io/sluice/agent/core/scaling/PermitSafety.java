package io.sluice.agent.core.scaling;

/** How a core treats what the scheduler has reserved for its VM. */
public enum PermitSafety {
    /** The requested amount is never less than what the VM may still come to use, and a permit lapses. */
    STRICT,
    /** Behaves exactly as Neon's agent does, without the guarantee of {@link #STRICT}. For recordings. */
    REFERENCE
}
