package io.sluice.workers.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FleetExplanationTest {
    private final FleetRig rig = new FleetRig();
    private final long w1 = rig.open("w1");

    private List<String> why(String id) {
        return FleetExplanation.instance(rig.fleet, id, FleetRig.TIMING, rig.now);
    }

    @Test
    void aPendingInstanceHasItsReason() {
        rig.fleet.submit(FleetRig.spec("a"), rig.now);
        rig.step();
        rig.fleet.notPlaced(rig.instance("a").uid(), "0 of 1 workers can take it", rig.now);
        assertThat(why("a"))
                .anyMatch(line -> line.contains("PENDING") && line.contains("0 of 1 workers can take it"))
                .anyMatch(line -> line.contains("1 of 1 workers may be given it"));
        assertThat(why("none")).isEmpty();
    }

    @Test
    void anInstanceOfASuspectWorkerMayRunTwiceUnlessItIsExclusive() {
        rig.runOn("w1", w1, FleetRig.spec("a"));
        rig.runOn("w1", w1, FleetRig.spec("x", true, InstanceSpec.Restart.ON_FAILURE));
        rig.pass(Duration.ofSeconds(20), Map.of());
        assertThat(why("a")).anyMatch(line -> line.contains("may run twice"));
        assertThat(why("x")).noneMatch(line -> line.contains("may run twice")).anyMatch(line -> line.contains("fence"));
        assertThat(why("a")).anyMatch(line -> line.startsWith("Worker w1 is SUSPECT"));
    }

    @Test
    void aDrainNamesWhatIsReplaced() {
        rig.runOn("w1", w1, FleetRig.spec("a"));
        rig.fleet.drain("w1", Worker.Drain.until(Instant.MAX));
        rig.pass(Duration.ofSeconds(1), Map.of("w1", w1));
        assertThat(why("a")).anyMatch(line -> line.contains("replaces one on worker w1, which is REPLACED"));
        assertThat(FleetExplanation.worker(rig.fleet, "w1")).anyMatch(line -> line.contains("drained"));
    }
}
