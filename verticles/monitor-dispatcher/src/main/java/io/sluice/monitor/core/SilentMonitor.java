package io.sluice.monitor.core;

import io.sluice.shell.explain.NameList;
import io.sluice.units.VmId;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A monitor that has answered no health check for long.
 *
 * @param vm its VM
 * @param silence since its last answer, or since the session was requested
 * @param reason why there is no session with it; empty while there is one
 */
public record SilentMonitor(VmId vm, Duration silence, String reason) {
    private static final int NAMED_MAX = 3;

    /** All of them in one sentence, the longest silence first; empty if there are none. */
    public static Optional<String> sentence(List<SilentMonitor> monitors) {
        var sorted = monitors.stream()
                .sorted(Comparator.comparing(SilentMonitor::silence).reversed())
                .toList();
        return sorted.stream()
                .findFirst()
                .map(first -> "no answer from the monitor of "
                        + NameList.text(
                                sorted.stream()
                                        .map(silent -> silent.vm().label())
                                        .toList(),
                                NAMED_MAX) + " for "
                        + first.silence().toSeconds() + " s"
                        + (first.reason().isEmpty() ? "" : ": " + first.reason()));
    }
}
