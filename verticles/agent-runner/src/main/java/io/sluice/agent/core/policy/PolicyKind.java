package io.sluice.agent.core.policy;

/** The kinds of policies. */
public enum PolicyKind {
    /** The size follows load averages and memory in use, as production's core computes it. */
    AGENT,
    /** One size for ever: a quantile of the VM's own samples before the replay, and a share on top. */
    QUANTILE,
    /** Each sample has the least size that it needs: no policy that does not cause incidents grants less. */
    HINDSIGHT,
    /**
     * The size follows the demand of seconds, held for a while, above what was usual lately and at this time of day.
     */
    DEMAND
}
