package io.sluice.monitor.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.units.VmId;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SilentMonitorTest {
    @Test
    void namesTheLongestSilenceFirstAndItsReason() {
        assertThat(SilentMonitor.sentence(List.of(silent("a", 21, ""), silent("b", 40, "refused"))))
                .hasValue("no answer from the monitor of default/b, default/a for 40 s: refused");
        assertThat(SilentMonitor.sentence(List.of(silent("a", 21, ""))))
                .hasValue("no answer from the monitor of default/a for 21 s");
    }

    @Test
    void countsOthersBeyondThree() {
        var five = IntStream.range(0, 5)
                .mapToObj(i -> silent("vm-" + i, 60 - i, "refused"))
                .toList();

        assertThat(SilentMonitor.sentence(five))
                .hasValue("no answer from the monitor of default/vm-0, default/vm-1, default/vm-2 and 2 more"
                        + " for 60 s: refused");
    }

    @Test
    void isSilentItselfWithoutSilentMonitors() {
        assertThat(SilentMonitor.sentence(List.of())).isEmpty();
    }

    private static SilentMonitor silent(String name, int seconds, String reason) {
        return new SilentMonitor(
                new VmId("neonvm", "default", name, "uid-" + name), Duration.ofSeconds(seconds), reason);
    }
}
