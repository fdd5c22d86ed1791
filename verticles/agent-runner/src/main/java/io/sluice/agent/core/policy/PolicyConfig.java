package io.sluice.agent.core.policy;

import java.time.Duration;
import java.util.Objects;

/**
 * A policy: section {@code policy} of a policy's file, and {@code agent.policy} of production's config.
 *
 * @param name how reports name it
 * @param kind how it computes goals: {@code quantile} and {@code hindsight} are for {@code sluice replay} alone
 * @param quantile of {@code quantile}: which of the VM's samples before the replay
 * @param headroom of {@code quantile}: the share on top of it
 * @param targetUse of {@code demand}: the share of the size that CPU demand should fill
 * @param memoryTargetUse of {@code demand}: the share of the size that memory in use should fill
 * @param hold of {@code demand}: a size is kept until the demand has been lower for this long
 * @param recent of {@code demand}: how far back what was usual lately reaches
 * @param recentQuantile of {@code demand}: which of the highest demands of five minutes was usual lately; 0 for none
 * @param days of {@code demand}: how many days back what was usual at this time of day reaches
 * @param dailyWindow of {@code demand}: how far around this time of day it reaches
 * @param dailyQuantile of {@code demand}: which of those highest demands was usual at this time; 0 for none
 */
public record PolicyConfig(
        String name,
        PolicyKind kind,
        double quantile,
        double headroom,
        double targetUse,
        double memoryTargetUse,
        Duration hold,
        Duration recent,
        double recentQuantile,
        int days,
        Duration dailyWindow,
        double dailyQuantile) {
    /** Production as it is. */
    public static final PolicyConfig DEFAULTS = new PolicyConfig(
            "agent",
            PolicyKind.AGENT,
            0.995,
            0.2,
            0.95,
            0.95,
            Duration.ofSeconds(30),
            Duration.ofHours(1),
            0,
            7,
            Duration.ofMinutes(30),
            0);

    private static final int DAYS_MAX = 31;

    public PolicyConfig {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(kind, "kind");
        requireShare("quantile", quantile, 0);
        requireShare("targetUse", targetUse, 0.01);
        requireShare("memoryTargetUse", memoryTargetUse, 0.01);
        requireShare("recentQuantile", recentQuantile, 0);
        requireShare("dailyQuantile", dailyQuantile, 0);
        requireUpTo("hold", hold, Duration.ofHours(1));
        requireUpTo("recent", recent, Duration.ofDays(1));
        requireUpTo("dailyWindow", dailyWindow, Duration.ofHours(12));
        if (!(headroom >= 0 && headroom <= 10)) {
            throw new IllegalArgumentException("policy.headroom=" + headroom + " must be between 0 and 10");
        }
        if (days < 1 || days > DAYS_MAX) {
            throw new IllegalArgumentException("policy.days=" + days + " must be between 1 and " + DAYS_MAX);
        }
    }

    private static void requireShare(String key, double value, double least) {
        if (!(value >= least && value <= 1)) {
            throw new IllegalArgumentException("policy." + key + "=" + value + " must be between " + least + " and 1");
        }
    }

    private static void requireUpTo(String key, Duration value, Duration most) {
        if (value.isNegative() || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    "policy." + key + "=" + value.toSeconds() + "s must not exceed " + most.toSeconds() + "s");
        }
    }
}
