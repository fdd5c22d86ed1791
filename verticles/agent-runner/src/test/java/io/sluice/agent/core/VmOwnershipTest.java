package io.sluice.agent.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.shell.Assignment;
import io.sluice.shell.FakePeers;
import io.sluice.shell.Peer;
import io.sluice.shell.Peers;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VmOwnershipTest {
    @ParameterizedTest(name = "a VM on {0}, held so far: {1}")
    @CsvSource({
        "n1, true, true",
        "n1, false, true",
        "n2, true, false",
        "n2, false, false",
        "'', true, true",
        "'', false, false"
    })
    void ofANodeHoldsVmsThatRunThereAndKeepsThoseWithoutANode(String node, boolean heldSoFar, boolean holds) {
        assertThat(new VmOwnership.OfNode("n1").holds(vmOn("a", node), heldSoFar))
                .isEqualTo(holds);
    }

    @Test
    void ofAProcessHoldsWhatIsAssignedToIt() {
        var here = new FakePeers("p1", "agent");
        var there = new FakePeers("p2", "agent");
        here.observes(there.self());
        there.observes(here.self());

        for (int i = 0; i < 200; i++) {
            var vm = vmOn("vm-" + i, "n1");
            assertThat(new VmOwnership.OfProcess(new Assignment(here, "agent")).holds(vm, true))
                    .isNotEqualTo(new VmOwnership.OfProcess(new Assignment(there, "agent")).holds(vm, true));
        }
    }

    @Test
    void ofAProcessThatIsAloneHoldsAll() {
        var alone = new VmOwnership.OfProcess(new Assignment(Peers.ALONE, "agent"));
        assertThat(alone.holds(vmOn("a", "n1"), false)).isTrue();
    }

    @Test
    void ofAProcessHoldsNothingThatIsAssignedToAnother() {
        var here = new FakePeers("p1", "ledger");
        here.observes(new Peer("p2", Set.of("agent"), ""));
        assertThat(new VmOwnership.OfProcess(new Assignment(here, "agent")).holds(vmOn("a", "n1"), true))
                .isFalse();
    }

    private static VmObserved vmOn(String name, String node) {
        var unit = new Resources(250, 1L << 30);
        return new VmObserved(
                new VmId("neonvm", "default", name, "uid-" + name),
                1,
                "uid-pod-" + name,
                "pod-" + name,
                node,
                VmPhase.RUNNING,
                true,
                true,
                false,
                new VmSizes(unit, unit, unit, Optional.empty(), 1L << 27),
                Overcommit.OFF,
                ScalingOverrides.NONE,
                Optional.empty(),
                Optional.empty(),
                "",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                VmTraits.NONE);
    }
}
