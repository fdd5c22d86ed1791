package io.sluice.simulation;

import io.sluice.agent.core.scaling.PermitSafety;

/**
 * How large a history is and how unkind its world may be; what of it a history meets is drawn from its seed.
 *
 * @param vms how many VMs there are
 * @param nodes how many nodes there are
 * @param faultSeconds for how long faults are done, in virtual time
 * @param quietSeconds how long everything then has to come to rest, in virtual time
 * @param lossPercent of a hundred messages at most so many are lost
 * @param twicePercent of a hundred messages at most so many are heard twice
 * @param slowPercent of a hundred messages at most so many take seconds
 * @param mischiefMillis how far apart deeds such as crashes are, on average
 * @param permitSafety by which rules the agents keep
 */
public record HistoryShape(
        int vms,
        int nodes,
        int faultSeconds,
        int quietSeconds,
        int lossPercent,
        int twicePercent,
        int slowPercent,
        int mischiefMillis,
        PermitSafety permitSafety) {
    /** What every build plays. */
    public static HistoryShape standard() {
        return new HistoryShape(4, 3, 75, 60, 12, 12, 30, 4_000, PermitSafety.STRICT);
    }

    /** The same with agents that keep to other rules. */
    public HistoryShape with(PermitSafety other) {
        return new HistoryShape(
                vms, nodes, faultSeconds, quietSeconds, lossPercent, twicePercent, slowPercent, mischiefMillis, other);
    }
}
