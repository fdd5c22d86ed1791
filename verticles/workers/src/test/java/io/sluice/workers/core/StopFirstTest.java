package io.sluice.workers.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.units.Resources;
import io.sluice.workers.core.InstanceReport.Observed;
import io.sluice.workers.core.InstanceSpec.Restart;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: the room of an instance that is stopped for its failure is free once its worker reports its end, not before.
 */
class StopFirstTest {
    private final FleetRig rig = new FleetRig();
    private long w1;

    private void failsToResize(boolean exclusive, Restart restart) {
        w1 = rig.open("w1");
        var runs = rig.runOn("w1", w1, FleetRig.spec("a", exclusive, restart));
        rig.fleet.resized("a", runs.numbers().generation(), new Resources(500, FleetRig.GIB), rig.now);
        rig.step();
        var resize = rig.orders("w1").getFirst();
        rig.actions.clear();
        rig.fleet.acknowledged("w1", w1, resize.seq(), false, "its limits could not be changed", rig.now);
        rig.step();
    }

    private void stopsAndHoldsItsRoom() {
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.DESTROYING);
        assertThat(rig.sent())
                .singleElement()
                .satisfies(order -> assertThat(order.kind()).isEqualTo(Order.Kind.STOP));
        rig.acknowledgeAll("w1", w1);
        assertThat(rig.actions).noneMatch(FleetAction.ObserveGone.class::isInstance);
    }

    private void ends() {
        rig.report("w1", w1, "a", Observed.TERMINATED);
        assertThat(rig.actions).anyMatch(FleetAction.ObserveGone.class::isInstance);
    }

    @ParameterizedTest
    @EnumSource(names = {"ON_FAILURE", "ALWAYS"})
    void anInstanceThatIsNotResizedStartsAgainAfterItsEnd(Restart restart) {
        failsToResize(false, restart);
        stopsAndHoldsItsRoom();
        ends();
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.PENDING);
        assertThat(rig.instance("a").status().reason()).isEqualTo("it could not be resized");
        assertThat(rig.instance("a").retry().notBefore()).isEqualTo(rig.now.plusSeconds(1));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void oneThatIsNeverRestartedFails(boolean exclusive) {
        failsToResize(exclusive, Restart.NEVER);
        stopsAndHoldsItsRoom();
        rig.restart();
        w1 = rig.open("w1", new InstanceReport("a", rig.instance("a").numbers().generation(), Observed.RUNNING, "", 0));
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.DESTROYING);
        ends();
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.FAILED);
        assertThat(rig.instance("a").status().reason()).isEqualTo("it could not be resized");
    }

    @Test
    void oneThatDoesNotStartInTimeIsStoppedFirst() {
        w1 = rig.open("w1");
        rig.submitTo("w1", FleetRig.spec("a"));
        rig.acknowledgeAll("w1", w1);
        rig.actions.clear();
        rig.pass(Duration.ofSeconds(300), Map.of("w1", w1));
        stopsAndHoldsItsRoom();
        ends();
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.PENDING);
    }

    @Test
    void aStopThatHasNoEffectIsRepeated() {
        failsToResize(false, Restart.ON_FAILURE);
        stopsAndHoldsItsRoom();
        rig.actions.clear();
        rig.pass(Duration.ofSeconds(40), Map.of("w1", w1));
        assertThat(rig.sent()).hasSize(1);
        assertThat(rig.actions).noneMatch(FleetAction.ObserveGone.class::isInstance);
        ends();
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.PENDING);
    }

    @Test
    void anExclusiveOneThatIsMovedStartsAgainEvenIfItIsNeverRestarted() {
        w1 = rig.open("w1");
        rig.runOn("w1", w1, FleetRig.spec("a", true, Restart.NEVER));
        // Its worker was away for a while.
        rig.pass(Duration.ofSeconds(20), Map.of());
        w1 = rig.open("w1", rig.running("a"));
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.RUNNING);
        rig.fleet.drain("w1", Worker.Drain.until(rig.now.plusSeconds(60)));
        rig.pass(Duration.ofSeconds(1), Map.of("w1", w1));
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.DESTROYING);
        ends();
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.PENDING);
    }
}
