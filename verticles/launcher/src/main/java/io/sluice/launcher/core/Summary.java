package io.sluice.launcher.core;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a demo counted.
 *
 * @param scaleUps VMs patched to more
 * @param scaleDowns VMs patched to less
 * @param denials permit requests that were not granted in full
 * @param deniedDownscales downscales that a monitor denied
 * @param upscaleRequests upscale requests of monitors
 * @param migrations VMs that were migrated to another node
 * @param podsPlaced pods that were bound to a node that had room for them
 * @param podsWaited pods that no node could take at first
 * @param firstScaleUp since the JVM's start
 * @param reactionP50Ms half of the scale-ups took at most this
 * @param reactionP99Ms 99 of 100 took at most this
 * @param use of the fleet at the end
 */
public record Summary(
        long scaleUps,
        long scaleDowns,
        long denials,
        long deniedDownscales,
        long upscaleRequests,
        long migrations,
        long podsPlaced,
        long podsWaited,
        Optional<Duration> firstScaleUp,
        double reactionP50Ms,
        double reactionP99Ms,
        FleetUse use) {
    private static final double MILLIS_PER_SECOND = 1000;

    /** One {@code name: number} each. */
    public List<String> lines() {
        return List.of(
                "scale-ups: " + scaleUps,
                "scale-downs: " + scaleDowns,
                "denials: " + denials,
                "denied downscales: " + deniedDownscales,
                "upscale requests: " + upscaleRequests,
                "migrations: " + migrations,
                "pods placed: " + podsPlaced,
                "pods that waited: " + podsWaited,
                "first scale-up s: "
                        + tenths(firstScaleUp
                                .map(at -> at.toMillis() / MILLIS_PER_SECOND)
                                .orElse(0.0)),
                "reaction p50 ms: " + tenths(reactionP50Ms),
                "reaction p99 ms: " + tenths(reactionP99Ms),
                "reserved: " + tenths(use.reservedCores()),
                "used: " + tenths(use.usedCores()));
    }

    private static String tenths(double number) {
        return String.format(Locale.ROOT, "%.1f", number);
    }
}
