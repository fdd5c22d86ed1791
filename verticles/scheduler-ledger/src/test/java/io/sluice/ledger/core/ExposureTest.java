package io.sluice.ledger.core;

import static io.sluice.ledger.core.Scene.cpu;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.ledger.ReclaimReply;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.ReportedUse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * What a VM may come to use stays reserved until its agent reports less, and is no permit. P and Q use 4 of a node's 10
 * cores and may have 8 each; the node's state was lost.
 */
class ExposureTest {
    private final Scene scene = Scene.withRules(0.8);
    private final Vm p = Vm.of("P", 4000, 8000);
    private final Vm q = Vm.of("Q", 4000, 8000);

    private void stateWasLost() {
        scene.load(
                List.of(scene.podObservation("P", "P", p.use()), scene.podObservation("Q", "Q", q.use())),
                List.of(p.at(scene.nextVersion()), q.at(scene.nextVersion())));
        assertThat(scene.nodeReserved()).isEqualTo(16_000);
    }

    @Test
    void afterALossARunnerOfABusyVmIsPermittedItsUseAndTheRoomThereIs() {
        stateWasLost();
        assertThat(scene.ruled("P", 4000, 4000, 4000).permit()).isEqualTo(cpu(4000));

        var permit = scene.ruled("Q", 8000, 4000, 8000).permit();

        assertThat(permit.milliCpu())
                .as("4 in use, and 2 that are not reserved")
                .isEqualTo(6000);
        assertThat(scene.reserved("Q")).as("its driver may bring it to 8").isEqualTo(8000);
        assertThat(scene.buffer("Q")).isEqualTo(2000);
        assertThat(scene.ruled("P", 8000, 4000, 4000).permit()).isEqualTo(cpu(4000));
    }

    @Test
    void theBufferFallsWithTheExposureNotWithTheRequest() {
        stateWasLost();
        scene.ruled("P", 4000, 4000, 4000);
        scene.ruled("Q", 8000, 4000, 8000);

        assertThat(scene.ruled("Q", 8000, 4000, 5000).permit().milliCpu()).isEqualTo(6000);
        assertThat(scene.reserved("Q")).isEqualTo(6000);
        assertThat(scene.buffer("Q")).isZero();
        assertThat(scene.nodeReserved()).isEqualTo(10_000);
    }

    @Test
    void noPermitIsBelowWhatTheVmUses() {
        stateWasLost();
        scene.ruled("P", 7000, 4000, 8000);

        assertThat(scene.ruled("Q", 8000, 7000, 8000).permit().milliCpu()).isEqualTo(7000);
    }

    @Test
    void theNextAgentLearnsOfAllThatIsReserved() {
        stateWasLost();
        scene.ruled("P", 4000, 4000, 4000);
        scene.ruled("Q", 8000, 4000, 8000);

        assertThat(scene.open("Q", "another", 0))
                .as("a patch of the agent before it may still bring 8")
                .isInstanceOfSatisfying(
                        OpenReply.Opened.class,
                        opened -> assertThat(opened.reserved()).isEqualTo(cpu(8000)));
    }

    @Test
    void whatMayStillBeUsedIsNotGivenBackByAMarkNorByALowerMaximum() {
        stateWasLost();
        scene.ruled("P", 4000, 4000, 4000);
        scene.ruled("Q", 8000, 4000, 8000);

        scene.vm(q.limited(5000));
        assertThat(scene.reserved("Q")).as("its driver may be applying 8").isEqualTo(8000);
        scene.mark("Q");
        assertThat(scene.reserved("Q")).isEqualTo(8000);
    }

    @Test
    void anExposureAboveWhatIsReservedIsNotTrusted() {
        stateWasLost();
        scene.ruled("P", 4000, 4000, 4000);

        scene.ruled("P", 5000, 4000, 9_000);

        assertThat(scene.reserved("P")).isEqualTo(4000);
    }

    @Test
    void anAgentThatReportsNoExposureKeepsTheBufferUntilItRequestsLess() {
        stateWasLost();
        scene.ruled("P", 4000, 4000, 4000);

        assertThat(scene.ruledBlind("Q", 8000, Optional.empty()).permit()).isEqualTo(cpu(6000));
        assertThat(scene.reserved("Q")).isEqualTo(8000);
        assertThat(scene.ruledBlind("Q", 8000, Optional.of(cpu(6000))).permit()).isEqualTo(cpu(6000));
        assertThat(scene.reserved("Q")).isEqualTo(8000);

        assertThat(scene.ruledBlind("Q", 4000, Optional.of(cpu(6000))).permit()).isEqualTo(cpu(4000));
        assertThat(scene.reserved("Q"))
                .as("what it may use if this reply is lost")
                .isEqualTo(6000);
        scene.vm(q.using(4000));
        assertThat(scene.ruledBlind("Q", 4000, Optional.of(cpu(4000))).permit()).isEqualTo(cpu(4000));
        assertThat(scene.reserved("Q")).isEqualTo(4000);
    }

    @Test
    void afterALossADecreaseBeforeTheGrowthWasObservedKeepsWhatWasPermitted() {
        stateWasLost();
        scene.ruled("P", 4000, 4000, 4000);
        scene.ruledBlind("Q", 6000, Optional.empty());

        scene.ruledBlind("Q", 4000, Optional.empty());

        assertThat(scene.reserved("Q"))
                .as("a patch to 6 may be under way, and the newest observation is older")
                .isEqualTo(6000);
        scene.vm(q.using(4000));
        assertThat(scene.reserved("Q")).isEqualTo(4000);
    }

    @Test
    void aLastPermitThatIsNamedAfterTheVmWasReclaimedStaysReserved() {
        stateWasLost();
        scene.ruled("P", 4000, 4000, 4000);
        scene.after(Duration.ofSeconds(11));
        assertThat(scene.settle("Q", cpu(4000))).isEqualTo(new ReclaimReply.Settled(cpu(4000)));

        assertThat(scene.ruledBlind("Q", 4000, Optional.of(cpu(7000))).permit()).isEqualTo(cpu(4000));

        assertThat(scene.reserved("Q"))
                .as("it goes on using that permit if this reply is lost")
                .isEqualTo(7000);
        scene.ruledBlind("Q", 4000, Optional.of(cpu(4000)));
        assertThat(scene.reserved("Q")).isEqualTo(4000);
    }

    @Test
    void aLastPermitThatIsNamedWhileTheVmMigratesStaysReserved() {
        stateWasLost();
        scene.ruled("P", 4000, 4000, 4000);
        scene.after(Duration.ofSeconds(11));
        scene.settle("Q", cpu(4000));
        scene.mark("Q");

        assertThat(scene.ruledBlind("Q", 9000, Optional.of(cpu(9000))).permit()).isEqualTo(cpu(4000));

        assertThat(scene.reserved("Q")).as("up to its maximum").isEqualTo(8000);
    }

    @Test
    void anAgentThatGoesOnRequestingMoreKeepsTheBufferUntilNoOldPermitCanBeUsed() {
        stateWasLost();
        scene.ruled("P", 4000, 4000, 4000);
        for (int requested = 0; requested < 14; requested++) {
            assertThat(scene.ruledBlind("Q", 8000, Optional.empty()).permit()).isEqualTo(cpu(6000));
            assertThat(scene.settle("Q", cpu(4000)))
                    .as("after %d s", requested * 5)
                    .isInstanceOf(ReclaimReply.TooEarly.class);
            assertThat(scene.reserved("Q")).isEqualTo(8000);
            scene.after(Duration.ofSeconds(5));
        }
        scene.after(Duration.ofSeconds(1));

        assertThat(scene.settle("Q", cpu(4000)))
                .as("71 s after the first request; it continues to use its permit")
                .isEqualTo(new ReclaimReply.Settled(cpu(6000)));
        assertThat(scene.nodeReserved()).isEqualTo(10_000);
        assertThat(scene.ruledBlind("Q", 8000, Optional.of(cpu(6000))).permit()).isEqualTo(cpu(6000));
    }

    @Test
    void aDecreaseByAnAgentThatReportsNoExposureKeepsTheObservedUse() {
        var scene = Scene.loaded();
        var a = Vm.of("A", 1000, 8000);
        scene.arrive(a);
        scene.ruledBlind("A", 8000, Optional.of(cpu(1000)));
        scene.vm(a.using(8000));

        assertThat(scene.ruledBlind("A", 2000, Optional.of(cpu(8000))).permit()).isEqualTo(cpu(2000));
        assertThat(scene.reserved("A")).as("not unplugged yet").isEqualTo(8000);
        assertThat(scene.buffer("A")).isEqualTo(6000);

        scene.vm(a.using(5000));
        assertThat(scene.reserved("A"))
                .as("its last permit, if this reply is lost")
                .isEqualTo(8000);
        scene.ruledBlind("A", 2000, Optional.of(cpu(2000)));
        assertThat(scene.reserved("A")).as("by the newest observation").isEqualTo(5000);
        scene.vm(a.using(2000));
        assertThat(scene.reserved("A")).isEqualTo(2000);
        assertThat(scene.buffer("A")).isZero();
    }

    @Test
    void anAgentThatReportsNoExposureKeepsItsLastPermitUntilItNamesASmallerOne() {
        var scene = Scene.loaded();
        var a = Vm.of("A", 4000, 8000);
        scene.arrive(a);
        scene.ruledBlind("A", 4000, Optional.of(cpu(4000)));
        scene.vm(a.using(2000));

        scene.ruledBlind("A", 2000, Optional.of(cpu(4000)));
        scene.vm(a.using(2000));
        assertThat(scene.reserved("A")).as("the reply may have been lost").isEqualTo(4000);

        scene.ruledBlind("A", 3000, Optional.of(cpu(4000)));
        assertThat(scene.reserved("A")).as("the reply was lost").isEqualTo(4000);
        scene.ruledBlind("A", 2000, Optional.of(cpu(3000)));
        scene.vm(a.using(2000));
        assertThat(scene.reserved("A")).isEqualTo(3000);
        scene.ruledBlind("A", 2000, Optional.of(cpu(2000)));
        assertThat(scene.reserved("A")).isEqualTo(2000);
    }

    @Test
    void theNextRequestTakesTheNewestObservation() {
        var scene = Scene.loaded();
        var a = Vm.of("A", 1000, 8000);
        scene.arrive(a);
        scene.ruledBlind("A", 8000, Optional.of(cpu(1000)));
        scene.vm(a.using(8000));
        scene.ruledBlind("A", 2000, Optional.of(cpu(8000)));

        assertThat(scene.ruledBlind("A", 3000, Optional.of(cpu(2000))).permit()).isEqualTo(cpu(3000));
        assertThat(scene.reserved("A")).isEqualTo(8000);
        scene.vm(a.using(3000));
        assertThat(scene.reserved("A")).isEqualTo(3000);
    }

    @Test
    void aDecreaseBeforeTheGrowthWasObservedKeepsAllThatWasPermitted() {
        var scene = Scene.loaded();
        var a = Vm.of("A", 1000, 8000);
        scene.arrive(a);
        scene.ruledBlind("A", 8000, Optional.of(cpu(1000)));

        scene.ruledBlind("A", 2000, Optional.empty());

        assertThat(scene.reserved("A"))
                .as("the newest observation is older than the permit")
                .isEqualTo(8000);
        scene.vm(a.using(2000));
        assertThat(scene.reserved("A")).isEqualTo(2000);
    }

    @Test
    void aLatePatchThatNoFenceShutsOutCountsAtOnceAndStopsGrowth() {
        var scene = Scene.loaded();
        var a = Vm.of("A", 4000, 8000);
        var b = Vm.of("B", 4000, 8000);
        scene.arrive(a);
        scene.arrive(b);
        scene.ruledBlind("A", 2000, Optional.of(cpu(4000)));
        scene.vm(a.using(2000));
        scene.ruledBlind("A", 2000, Optional.of(cpu(2000)));
        assertThat(scene.ruled("B", 8000, 4000, 4000).permit()).isEqualTo(cpu(8000));

        scene.vm(a.using(4000));

        assertThat(scene.reserved("A")).isEqualTo(4000);
        assertThat(scene.ruled("B", 9000, 8000, 8000).permit())
                .as("12 of 10 are reserved")
                .isEqualTo(cpu(8000));
        assertThat(scene.ruled("B", 5000, 5000, 5000).permit()).isEqualTo(cpu(5000));
    }

    @Test
    void whatWasPermittedByAnAnswerThatWasLostIsNoPermitOnANodeThatShrank() {
        var scene = Scene.loaded();
        scene.arrive(Vm.of("A", 1000, 8000));
        scene.ruled("A", 4000, 1000, 1000);
        scene.run(new LedgerCommand.ObserveNode(scene.node(2000)));

        assertThat(scene.ruled("A", 4000, 1000, 1000).permit().milliCpu()).isEqualTo(2000);
        assertThat(scene.reserved("A")).isEqualTo(2000);
    }

    @Test
    void aRepeatedAnswerAllowsNoGrowthOnANodeThatShrank() {
        var scene = Scene.loaded();
        scene.arrive(Vm.of("A", 1000, 8000));
        var session = scene.session("A", "runner-1");
        var use = Optional.of(new ReportedUse(cpu(1000), cpu(1000)));
        var request = Scene.request("A", session, 1, cpu(4000), Optional.empty(), use);
        assertThat(((PermitReply.Ruled) scene.request(request)).permit()).isEqualTo(cpu(4000));

        scene.run(new LedgerCommand.ObserveNode(scene.node(2000)));

        assertThat(((PermitReply.Ruled) scene.request(request)).permit()).isEqualTo(cpu(1000));
        assertThat(scene.reserved("A")).as("the first reply may have arrived").isEqualTo(4000);
    }

    @Test
    void anAgentThatReportsItsExposureIsNotLedByObservations() {
        var scene = Scene.loaded();
        var a = Vm.of("A", 1000, 8000);
        scene.arrive(a);
        scene.ruled("A", 8000, 1000, 1000);
        scene.vm(a.using(8000));

        scene.ruled("A", 2000, 2000, 2000);
        assertThat(scene.reserved("A")).isEqualTo(2000);
        scene.vm(a.using(2000));
        assertThat(scene.reserved("A")).isEqualTo(2000);
    }
}
