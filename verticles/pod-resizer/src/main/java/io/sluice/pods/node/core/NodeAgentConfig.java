package io.sluice.pods.node.core;

import io.sluice.shell.config.Durations;
import java.time.Duration;
import java.util.Objects;

/**
 * Section {@code pods.nodeAgent}: which control groups the role {@code node-agent} watches, and what it reports.
 *
 * @param node the node it runs on; the role needs it
 * @param cgroupRoot where the hierarchy of control groups, version 2, is mounted
 * @param window the time over which the kernel adds up how long a pod waits; without CAP_SYS_RESOURCE a multiple of 2 s
 * @param cpuStalled a pod that waits for CPU for this much of a window is read at once
 * @param memoryStalled the same for memory
 * @param limitsDifferAfter limits of a control group that are not those of the pod's status for this long are reported
 */
public record NodeAgentConfig(
        String node,
        String cgroupRoot,
        Duration window,
        Duration cpuStalled,
        Duration memoryStalled,
        Duration limitsDifferAfter) {
    private static final Duration WINDOW_MIN = Duration.ofMillis(500);
    private static final Duration WINDOW_MAX = Duration.ofSeconds(10);
    private static final long MICROS = 1_000;

    /** In a pod that has the node's control groups at their usual place. */
    public static final NodeAgentConfig DEFAULTS = new NodeAgentConfig(
            "",
            "/sys/fs/cgroup",
            Duration.ofSeconds(2),
            Duration.ofMillis(200),
            Duration.ofMillis(100),
            Duration.ofSeconds(30));

    public NodeAgentConfig {
        Objects.requireNonNull(node, "pods.nodeAgent.node");
        if (cgroupRoot.isBlank()) {
            throw new IllegalArgumentException("pods.nodeAgent.cgroupRoot must be a directory, not blank");
        }
        if (window.compareTo(WINDOW_MIN) < 0 || window.compareTo(WINDOW_MAX) > 0) {
            throw new IllegalArgumentException("pods.nodeAgent.window=" + Durations.text(window) + " must be "
                    + Durations.text(WINDOW_MIN) + " to " + Durations.text(WINDOW_MAX));
        }
        within("cpuStalled", cpuStalled, window);
        within("memoryStalled", memoryStalled, window);
        Durations.requirePositive("pods.nodeAgent.limitsDifferAfter", limitsDifferAfter);
    }

    private static void within(String key, Duration stalled, Duration window) {
        Durations.requirePositive("pods.nodeAgent." + key, stalled);
        if (stalled.compareTo(window) > 0) {
            throw new IllegalArgumentException("pods.nodeAgent." + key + "=" + Durations.text(stalled)
                    + " must not exceed pods.nodeAgent.window=" + Durations.text(window));
        }
    }

    /** What is written to a file {@code cpu.pressure}, so that the kernel reports. */
    public String cpuTrigger() {
        return trigger(cpuStalled);
    }

    /** What is written to a file {@code memory.pressure}. */
    public String memoryTrigger() {
        return trigger(memoryStalled);
    }

    private String trigger(Duration stalled) {
        return "some " + stalled.toNanos() / MICROS + " " + window.toNanos() / MICROS;
    }
}
