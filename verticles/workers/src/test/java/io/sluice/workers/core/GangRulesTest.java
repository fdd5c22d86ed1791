package io.sluice.workers.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.units.WorkerNames;
import io.sluice.workers.core.InstanceReport.Observed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Gangs over workers, with a ledger of the test in which each worker has room for one member. */
class GangRulesTest {
    private final FleetRig rig = new FleetRig();
    private final Map<String, Long> sessions = new HashMap<>();
    private final Set<String> full = new TreeSet<>();
    private final Map<String, String> held = new HashMap<>();

    @BeforeEach
    void twoWorkers() {
        come("w1");
        come("w2");
    }

    private void come(String worker) {
        sessions.put(worker, rig.open(worker));
        rig.fleet.roomCame();
    }

    private void submitThree() {
        for (var id : List.of("a", "b", "c")) {
            rig.fleet.submit(FleetRig.member(id, "gang", 3), rig.now);
        }
        rig.step();
    }

    /** Places what waits, as placement does: room is held, then the bind is sent, and refusals end the hold. */
    private void place() {
        rig.fleet.place(10, rig.now);
        var open = new ArrayList<>(rig.step());
        while (!open.isEmpty()) {
            switch (open.removeFirst()) {
                case FleetAction.Place(var instance) -> open.addAll(hold(instance));
                case FleetAction.Decided(var uid, var refusal) -> {
                    refusal.ifPresent(reason -> {
                        full.remove(held.remove(uid));
                        rig.fleet.notPlaced(uid, reason, rig.now);
                    });
                    open.addAll(rig.step());
                }
                case FleetAction.ObserveGone(var _, var worker, var _) -> full.remove(worker);
                default -> {
                    // Of no concern to placement.
                }
            }
        }
    }

    private List<FleetAction> hold(Instance instance) {
        var free = rig.fleet.candidates(instance, rig.now).stream()
                .filter(worker -> !full.contains(worker))
                .findFirst();
        if (free.isEmpty()) {
            rig.fleet.notPlaced(instance.uid(), "no room", rig.now);
            return rig.step();
        }
        full.add(free.get());
        held.put(instance.uid(), free.get());
        var refused =
                rig.fleet.bind(instance.uid(), instance.numbers().version(), WorkerNames.node(free.get()), rig.now);
        assertThat(refused).isEmpty();
        return rig.step();
    }

    private void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            rig.pass(Duration.ofSeconds(1), sessions);
            release();
            place();
        }
    }

    private void release() {
        rig.actions.removeIf(action -> {
            if (action instanceof FleetAction.ObserveGone(var _, var worker, var _)) {
                full.remove(worker);
            }
            return action instanceof FleetAction.ObserveGone;
        });
    }

    private void answer(String worker, boolean accepted) {
        rig.orders(worker)
                .forEach(order -> rig.fleet.acknowledged(
                        worker, sessions.get(worker), order.seq(), accepted, accepted ? "" : "no", rig.now));
        rig.step();
        release();
    }

    private List<String> sent(Order.Kind kind) {
        return rig.sent().stream()
                .filter(order -> order.kind() == kind)
                .map(Order::worker)
                .sorted()
                .toList();
    }

    @Test
    @DisplayName("AT-W20 without room for all no order is sent and no room stays held; with a third worker all start")
    void startsTogether() {
        submitThree();
        place();
        assertThat(sent(Order.Kind.ASSIGN)).isEmpty();
        assertThat(full).isEmpty();
        assertThat(rig.instance("a").status().reason()).startsWith("GANG_NO_ROOM(2/3): no room");

        come("w3");
        place();
        assertThat(sent(Order.Kind.ASSIGN)).containsExactly("w1", "w2", "w3");
    }

    @Test
    @DisplayName("AT-W20 a worker that refuses every attempt before any member runs has all of them stopped")
    void refusals() {
        come("w3");
        submitThree();
        place();
        answer("w1", true);
        answer("w2", true);
        for (int wait : List.of(1, 2, 4)) {
            answer("w3", false);
            assertThat(sent(Order.Kind.STOP)).isEmpty();
            pass(wait);
            assertThat(rig.orders("w3")).hasSize(1);
        }
        answer("w3", false);
        assertThat(sent(Order.Kind.STOP)).containsExactly("w1", "w2");

        for (var worker : List.of("w1", "w2")) {
            for (var instance : rig.fleet.instancesOn(worker)) {
                rig.report(worker, sessions.get(worker), instance.id(), Observed.TERMINATED);
            }
            answer(worker, true);
        }
        release();
        assertThat(full).isEmpty();
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.PENDING);
    }

    @Test
    void oneThatIsRefusedAfterAnotherRunsIsPlacedAlone() {
        come("w3");
        submitThree();
        place();
        answer("w1", true);
        var first = rig.fleet.instancesOn("w1").getFirst().id();
        rig.report("w1", sessions.get("w1"), first, Observed.RUNNING);
        answer("w2", true);
        answer("w3", false);
        come("w4");
        pass(2);
        assertThat(sent(Order.Kind.STOP)).isEmpty();
        assertThat(rig.orders("w4")).hasSize(1);
    }

    @Test
    void twoOfThreeThatAreSubmittedWaitForTheThird() {
        rig.fleet.submit(FleetRig.member("a", "gang", 3), rig.now);
        rig.fleet.submit(FleetRig.member("b", "gang", 3), rig.now);
        rig.step();
        place();
        assertThat(rig.instance("a").status().reason()).startsWith("GANG_TOO_FEW_MEMBERS(2/3)");
        come("w3");
        rig.fleet.submit(FleetRig.member("c", "gang", 3), rig.now);
        rig.step();
        pass(1);
        assertThat(sent(Order.Kind.ASSIGN)).hasSize(3);
    }

    @Test
    void anAttemptWithoutAnEndDelaysNoOtherGangForLong() {
        come("w3");
        submitThree();
        rig.fleet.place(10, rig.now);
        rig.step();
        rig.fleet.submit(FleetRig.member("x", "other", 2), rig.now);
        rig.fleet.submit(FleetRig.member("y", "other", 2), rig.now);
        rig.step();
        pass(6);
        assertThat(rig.sent()).extracting(Order::instance).contains("x", "y");
    }

    @Test
    void aBindThatComesAfterItsAttemptIsRefused() {
        submitThree();
        rig.fleet.place(10, rig.now);
        var tried = rig.step().stream()
                .filter(FleetAction.Place.class::isInstance)
                .map(action -> ((FleetAction.Place) action).instance())
                .findFirst()
                .orElseThrow();
        rig.pass(Duration.ofSeconds(6), sessions);
        assertThat(rig.fleet.bind(tried.uid(), tried.numbers().version(), WorkerNames.node("w1"), rig.now))
                .isPresent();
        assertThat(sent(Order.Kind.ASSIGN)).isEmpty();
    }
}
