package io.sluice.workers.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.units.Resources;
import io.sluice.workers.core.InstanceReport.Observed;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Instances that are started anew, here or elsewhere. */
class ReplacementTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final FleetRig rig = new FleetRig();
    private final long w1 = rig.open("w1");
    private final long w2 = rig.open("w2");

    private void pass(Duration time) {
        rig.pass(time, Map.of("w1", w1, "w2", w2));
    }

    private void drain(Instant until) {
        rig.fleet.drain("w1", Worker.Drain.until(until));
        rig.step();
        pass(SECOND);
    }

    private static Predicate<FleetAction> gone(String worker) {
        return action ->
                action instanceof FleetAction.ObserveGone gone && gone.worker().equals(worker);
    }

    private void reportOn(String worker, long session, String id, long generation, Observed state) {
        rig.fleet.reported(worker, session, new InstanceReport(id, generation, state, "", 0), rig.now);
        rig.step();
    }

    @Test
    @DisplayName("AT-W14 a drained worker's instance runs elsewhere before it stops there; then the worker is drained")
    void drains() {
        rig.runOn("w1", w1, FleetRig.spec("a"));
        drain(Instant.MAX);
        rig.actions.clear();

        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.PENDING);
        assertThat(rig.fleet.candidates(rig.instance("a"), rig.now)).containsExactly("w2");
        assertThat(rig.fleet.instancesOn("w1")).hasSize(1);
        rig.bindTo("w2", "a");
        rig.acknowledgeAll("w2", w2);
        assertThat(rig.sent()).noneMatch(order -> order.worker().equals("w1"));

        rig.report("w2", w2, "a", Observed.RUNNING);
        assertThat(rig.sent())
                .filteredOn(order -> order.worker().equals("w1"))
                .singleElement()
                .extracting(Order::kind, Order::generation)
                .containsExactly(Order.Kind.STOP, 1L);
        assertThat(rig.actions).noneMatch(gone("w1"));
        reportOn("w1", w1, "a", 1, Observed.TERMINATED);
        assertThat(rig.actions).anyMatch(gone("w1"));
        pass(SECOND);
        assertThat(rig.fleet.worker("w1").orElseThrow().drain().done()).isTrue();
        assertThat(rig.instance("a").worker()).isEqualTo("w2");
        assertThat(rig.rows).doesNotContainKey("replaced/a");
    }

    @Test
    void aMoveWithoutRoomIsTriedAgainWhileTheOldOneRuns() {
        rig.runOn("w1", w1, FleetRig.spec("a"));
        drain(Instant.MAX);
        rig.fleet.notPlaced(rig.instance("a").uid(), "no room", rig.now);
        rig.step();
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.PENDING);
        assertThat(rig.fleet.instancesOn("w1")).hasSize(1);

        rig.bindTo("w2", "a");
        rig.report("w2", w2, "a", Observed.FAILED);
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.PENDING);
        assertThat(rig.fleet.instancesOn("w1"))
                .singleElement()
                .extracting(Instance::state)
                .isEqualTo(InstanceState.REPLACED);
    }

    @Test
    void whatIsLeftAtTheDeadlineStopsAndSoDoesAnExclusiveOneAtOnce() {
        rig.runOn("w1", w1, FleetRig.spec("a"));
        rig.runOn("w1", w1, FleetRig.spec("x", true, InstanceSpec.Restart.ON_FAILURE));
        drain(rig.now.plusSeconds(30));
        assertThat(rig.instance("x").state()).isEqualTo(InstanceState.DESTROYING);
        reportOn("w1", w1, "x", 1, Observed.TERMINATED);
        assertThat(rig.instance("x").state()).isEqualTo(InstanceState.PENDING);

        rig.actions.clear();
        pass(Duration.ofSeconds(30));
        assertThat(rig.sent())
                .anyMatch(order ->
                        order.kind() == Order.Kind.STOP && order.instance().equals("a"));
        reportOn("w1", w1, "a", 1, Observed.TERMINATED);
        assertThat(rig.fleet.instancesOn("w1")).isEmpty();
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.PENDING);
    }

    @Test
    void bothStartsOutliveARestart() {
        rig.runOn("w1", w1, FleetRig.spec("a"));
        drain(Instant.MAX);
        rig.bindTo("w2", "a");
        rig.restart();

        assertThat(rig.fleet.instancesOn("w1")).hasSize(1);
        assertThat(rig.fleet.instancesOn("w2")).hasSize(1);
        long again = rig.open("w1", new InstanceReport("a", 1, Observed.RUNNING, "", 0));
        rig.open("w2", new InstanceReport("a", 2, Observed.RUNNING, "", 0));
        assertThat(rig.sent())
                .anyMatch(order ->
                        order.kind() == Order.Kind.STOP && order.worker().equals("w1"));
        reportOn("w1", again, "a", 1, Observed.TERMINATED);
        assertThat(rig.fleet.instancesOn("w1")).isEmpty();
        assertThat(rig.fleet.worker("w1").orElseThrow().drain().on()).isTrue();
    }

    @Test
    void aLostWorkerEndsWhatWasToBeReplacedAndARemovalEndsBoth() {
        rig.runOn("w1", w1, FleetRig.spec("a"));
        rig.runOn("w1", w1, FleetRig.spec("b"));
        drain(Instant.MAX);
        rig.bindTo("w2", "b");
        rig.acknowledgeAll("w2", w2);
        rig.actions.clear();
        rig.fleet.remove("b", rig.now);
        rig.step();
        assertThat(rig.sent()).extracting(Order::worker).containsExactlyInAnyOrder("w1", "w2");

        rig.pass(Duration.ofSeconds(80), Map.of("w2", w2));
        assertThat(rig.fleet.instancesOn("w1")).isEmpty();
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.PENDING);
    }

    private InstanceSpec amended(String id, String definition) {
        return rig.instance(id).spec().amended(definition, "Process", new Resources(1_000, FleetRig.GIB));
    }

    @Test
    @DisplayName("AT-W13 Recreate stops the instance and starts its next content in the room that it has")
    void recreates() {
        rig.runOn("w1", w1, FleetRig.spec("a"));
        rig.actions.clear();
        assertThat(rig.fleet
                        .recreated("a", 1, amended("a", "{\"kind\":\"Process\",\"args\":[]}"), rig.now)
                        .generation())
                .isEqualTo(2);
        rig.step();
        assertThat(rig.sent()).extracting(Order::kind).containsExactly(Order.Kind.STOP);

        reportOn("w1", w1, "a", 1, Observed.TERMINATED);
        assertThat(rig.sent()).extracting(Order::kind).containsExactly(Order.Kind.STOP, Order.Kind.ASSIGN);
        assertThat(rig.actions).noneMatch(gone("w1"));
        assertThat(rig.instance("a"))
                .extracting(Instance::worker, Instance::state)
                .containsExactly("w1", InstanceState.ASSIGNED);
        // A repeated report of the start before changes nothing.
        reportOn("w1", w1, "a", 1, Observed.TERMINATED);
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.ASSIGNED);
        rig.report("w1", w1, "a", Observed.RUNNING);
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.RUNNING);
    }

    @Test
    void recreateOutlivesASilentWorkerAndALostOneSendsItElsewhere() {
        rig.runOn("w1", w1, FleetRig.spec("a"));
        rig.fleet.recreated("a", 1, amended("a", "{\"kind\":\"Process\",\"args\":[]}"), rig.now);
        rig.step();
        rig.pass(Duration.ofSeconds(20), Map.of("w2", w2));
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.RECREATING);
        rig.pass(Duration.ofSeconds(60), Map.of("w2", w2));
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.PENDING);
        assertThat(rig.instance("a").spec().definition()).contains("args");
    }

    @Test
    @DisplayName("AT-W13 an update by Replace that has no room or does not start leaves the old generation running")
    void givesUp() {
        rig.runOn("w1", w1, FleetRig.spec("a"));
        for (boolean placed : List.of(false, true)) {
            long before = rig.instance("a").numbers().generation();
            rig.fleet.replaced("a", before, amended("a", "{\"kind\":\"Process\",\"args\":[]}"), rig.now);
            rig.step();
            if (placed) {
                rig.bindTo("w2", "a");
                rig.acknowledgeAll("w2", w2);
                rig.report("w2", w2, "a", Observed.FAILED);
            } else {
                rig.fleet.notPlaced(rig.instance("a").uid(), "no room", rig.now);
                rig.step();
            }
            var back = rig.instance("a");
            assertThat(back).extracting(Instance::worker, Instance::state).containsExactly("w1", InstanceState.RUNNING);
            assertThat(back.spec()).isEqualTo(FleetRig.spec("a"));
            assertThat(back.numbers().generation()).isGreaterThan(before + 1);
            assertThat(rig.rows).doesNotContainKey("replaced/a").containsKey("instance/a");
        }
        reportOn("w1", w1, "a", 1, Observed.TERMINATED);
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.TERMINATED);
    }

    @Test
    void anExclusiveInstanceIsNeverReplaced() {
        rig.runOn("w1", w1, FleetRig.spec("x", true, InstanceSpec.Restart.ON_FAILURE));
        assertThat(rig.fleet.mayAmend(rig.instance("x").spec(), true).reason()).contains("never runs twice");
        assertThat(rig.fleet.mayAmend(rig.instance("x").spec(), false).code()).isEqualTo(Outcome.Code.ACCEPTED);
    }

    @Test
    void aBanFailsInstancesAtOnceAndExclusiveOnesWhenTheyHaveEndedForSure() {
        rig.runOn("w1", w1, FleetRig.spec("a"));
        rig.runOn("w1", w1, FleetRig.spec("x", true, InstanceSpec.Restart.ON_FAILURE));
        rig.fleet.ban("w1", rig.now);
        rig.step();
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.PENDING);
        assertThat(rig.instance("x").state()).isEqualTo(InstanceState.UNKNOWN);

        rig.pass(FleetRig.TIMING.lost().minusSeconds(1), Map.of("w2", w2));
        assertThat(rig.instance("x").state()).isEqualTo(InstanceState.UNKNOWN);
        rig.pass(SECOND, Map.of("w2", w2));
        assertThat(rig.instance("x").state()).isEqualTo(InstanceState.PENDING);
    }
}
