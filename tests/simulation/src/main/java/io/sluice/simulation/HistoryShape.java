package io.sluice.simulation;

import io.sluice.agent.core.scaling.PermitSafety;

/**
 * The size of a history and the upper limits of its faults; the values for one history are drawn from its seed.
 *
 * @param vms number of VMs
 * @param nodes number of nodes
 * @param faultSeconds how long faults are injected, in virtual time
 * @param quietSeconds how long everything may then take to come to rest, in virtual time
 * @param lossPercent upper limit of messages that are lost, in percent
 * @param twicePercent upper limit of messages that arrive twice, in percent
 * @param slowPercent upper limit of messages that take seconds, in percent
 * @param mischiefMillis average time between faults such as crashes
 * @param permitSafety the permit rules that the agents follow
 * @param pods the most pods at once that come and go through placement
 * @param gangs the most gangs at once that come and go
 * @param scaledPods number of pods that are resized in place
 * @param gatewayPauseMillis average time between pauses of the gateway, which agents of the reference use; 0 if it has
 *     none
 */
public record HistoryShape(
        int vms,
        int nodes,
        int faultSeconds,
        int quietSeconds,
        int lossPercent,
        int twicePercent,
        int slowPercent,
        int faultMillis,
        PermitSafety permitSafety,
        int pods,
        int gangs,
        int scaledPods,
        int gatewayPauseMillis) {
    private static final int QUIET_SECONDS_WITH_PODS = 180;
    private static final int VMS_BESIDE_PODS = 2;
    private static final int GATEWAY_PAUSE_MILLIS = 12_000;

    /** The shape that every build plays. */
    public static HistoryShape standard() {
        return new HistoryShape(4, 3, 75, 60, 12, 12, 30, 4_000, PermitSafety.STRICT, 0, 0, 0, 0);
    }

    /** The same shape with agents that follow other permit rules. */
    public HistoryShape with(PermitSafety other) {
        return with(vms, quietSeconds, other, pods, gangs, scaledPods, gatewayPauseMillis);
    }

    /** The same shape with pods that come and go. Holds that were left over end two minutes after the last fault. */
    public HistoryShape withPods(int most) {
        return withPods(most, gangs);
    }

    /** The same shape with gangs, beside pods that have none. */
    public HistoryShape withGangs(int most) {
        return withPods(pods, most);
    }

    private HistoryShape withPods(int mostPods, int mostGangs) {
        int quiet = mostPods + mostGangs > 0 ? QUIET_SECONDS_WITH_PODS : quietSeconds;
        return with(vms, quiet, permitSafety, mostPods, mostGangs, scaledPods, gatewayPauseMillis);
    }

    /** The same shape with pods that are resized in place, and fewer other VMs. */
    public HistoryShape withScaledPods(int number) {
        int others = number > 0 ? VMS_BESIDE_PODS : vms;
        return with(others, quietSeconds, permitSafety, pods, gangs, number, gatewayPauseMillis);
    }

    /** The same shape with a gateway that stands still now and then, and agents of the reference alone. */
    public HistoryShape withGatewayPauses() {
        return with(vms, quietSeconds, permitSafety, pods, gangs, scaledPods, GATEWAY_PAUSE_MILLIS);
    }

    private HistoryShape with(
            int vmCount, int quiet, PermitSafety safety, int mostPods, int mostGangs, int scaled, int pauseMillis) {
        return new HistoryShape(
                vmCount,
                nodes,
                faultSeconds,
                quiet,
                lossPercent,
                twicePercent,
                slowPercent,
                faultMillis,
                safety,
                mostPods,
                mostGangs,
                scaled,
                pauseMillis);
    }
}
