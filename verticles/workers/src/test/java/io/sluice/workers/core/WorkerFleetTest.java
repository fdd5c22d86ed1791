package io.sluice.workers.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.units.Resources;
import io.sluice.units.WorkerNames;
import io.sluice.workers.core.InstanceReport.Observed;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WorkerFleetTest {
    private final FleetRig rig = new FleetRig();

    @Test
    @DisplayName("AT-W3 a first Hello makes the worker ready, with epoch 1 and a node of its capacity")
    void readyAtHello() {
        rig.open("w1");

        assertThat(rig.actions)
                .anyMatch(action -> action instanceof FleetAction.Welcome welcome && welcome.epoch() == 1)
                .anyMatch(action -> action instanceof FleetAction.ObserveNode node
                        && node.worker().hello().capacity().milliCpu() == 3_800);
        assertThat(rig.rows).containsKey("worker/w1");
    }

    @Test
    @DisplayName("AT-W4 what is larger than every worker is refused with the best, and not queued")
    void refusesWhatNeverFits() {
        rig.open("w1");
        var large = rig.fleet.submit(
                new InstanceSpec(
                        "work",
                        "large",
                        "{}",
                        "Process",
                        new Resources(5_000, FleetRig.GIB),
                        false,
                        InstanceSpec.Restart.NEVER,
                        Map.of(),
                        InstanceSpec.Gang.NONE),
                rig.now);

        assertThat(large.code()).isEqualTo(Outcome.Code.NEVER_FITS);
        assertThat(large.reason()).contains("3800m");
        assertThat(rig.fleet.instance("large")).isEmpty();
    }

    @Test
    @DisplayName("AT-W6 Remove sends exactly one Stop, to the worker that runs it, and its room is free at its end")
    void stopsWhereItRuns() {
        rig.open("w1");
        long w2 = rig.open("w2");
        rig.runOn("w2", w2, FleetRig.spec("a"));
        rig.actions.clear();

        rig.fleet.remove("a", rig.now);
        rig.step();
        assertThat(rig.sent()).singleElement().satisfies(order -> {
            assertThat(order.kind()).isEqualTo(Order.Kind.STOP);
            assertThat(order.worker()).isEqualTo("w2");
        });

        rig.acknowledgeAll("w2", w2);
        rig.report("w2", w2, "a", Observed.TERMINATED);
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.TERMINATED);
        assertThat(rig.actions).anyMatch(FleetAction.ObserveGone.class::isInstance);

        rig.pass(Duration.ofMinutes(10), Map.of("w2", w2));
        assertThat(rig.fleet.instance("a")).isEmpty();
        assertThat(rig.rows).doesNotContainKey("instance/a");
    }

    @Test
    @DisplayName("AT-W7 an order without an acknowledgement is stopped after 10 s, and goes to another worker")
    void lostAcknowledgement() {
        long w1 = rig.open("w1");
        long w2 = rig.open("w2");
        var first = rig.submitTo("w1", FleetRig.spec("a"));
        rig.actions.clear();

        rig.pass(Duration.ofSeconds(10), Map.of("w1", w1, "w2", w2));
        assertThat(rig.sent()).singleElement().satisfies(order -> {
            assertThat(order.kind()).isEqualTo(Order.Kind.STOP);
            assertThat(order.generation()).isEqualTo(first.numbers().generation());
        });
        var waits = rig.instance("a");
        assertThat(waits.state()).isEqualTo(InstanceState.PENDING);
        assertThat(waits.retry().notBefore()).isAfterOrEqualTo(rig.now.plusSeconds(1));
        assertThat(rig.fleet.candidates(waits, rig.now)).containsExactly("w2");

        rig.pass(Duration.ofSeconds(1), Map.of("w1", w1, "w2", w2));
        rig.bindTo("w2", "a");
        rig.acknowledgeAll("w1", w1);
        rig.actions.clear();
        rig.fleet.reported(
                "w1", w1, new InstanceReport("a", first.numbers().generation(), Observed.RUNNING, "", 0), rig.now);
        rig.step();
        assertThat(rig.sent()).singleElement().satisfies(order -> {
            assertThat(order.worker()).isEqualTo("w1");
            assertThat(order.reason()).isEqualTo("orphan");
        });
        assertThat(rig.instance("a").worker()).isEqualTo("w2");
    }

    @Test
    @DisplayName("AT-W8 silence: suspect at 15 s with its room held, lost at 75 s, and its instances go elsewhere")
    void silence() {
        long w1 = rig.open("w1");
        long w2 = rig.open("w2");
        rig.runOn("w1", w1, FleetRig.spec("a"));
        rig.actions.clear();

        rig.pass(Duration.ofSeconds(15), Map.of("w2", w2));
        assertThat(rig.fleet.worker("w1").orElseThrow().state()).isEqualTo(WorkerState.SUSPECT);
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.UNKNOWN);
        assertThat(rig.actions).noneMatch(FleetAction.ObserveGone.class::isInstance);

        rig.pass(Duration.ofSeconds(59), Map.of("w2", w2));
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.UNKNOWN);
        rig.pass(Duration.ofSeconds(1), Map.of("w2", w2));
        assertThat(rig.fleet.worker("w1").orElseThrow().state()).isEqualTo(WorkerState.LOST);
        assertThat(rig.actions)
                .anyMatch(action -> action instanceof FleetAction.InstanceEvent event
                        && event.instance().state() == InstanceState.FAILED
                        && event.instance().status().reason().contains("lost"))
                .anyMatch(FleetAction.ObserveGone.class::isInstance);

        rig.pass(Duration.ofSeconds(1), Map.of("w2", w2));
        assertThat(rig.bindTo("w2", "a").worker()).isEqualTo("w2");
    }

    @Test
    @DisplayName("AT-W9 a worker that is back after 40 s with its inventory goes on, without a restart")
    void isBack() {
        long w1 = rig.open("w1");
        var before = rig.runOn("w1", w1, FleetRig.spec("a"));
        rig.pass(Duration.ofSeconds(40), Map.of());
        rig.actions.clear();

        rig.open("w1", rig.running("a"));
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.RUNNING);
        assertThat(rig.instance("a").numbers().generation())
                .isEqualTo(before.numbers().generation());
        assertThat(rig.sent()).isEmpty();
    }

    @Test
    @DisplayName(
            "AT-W10 after a restart nothing stops, and nothing is placed before each worker is back or 30 s passed")
    void restartStopsNothing() {
        long w1 = rig.open("w1");
        rig.open("w2");
        rig.runOn("w1", w1, FleetRig.spec("a"));

        rig.restart();
        rig.fleet.submit(FleetRig.spec("b"), rig.now);
        rig.open("w1", rig.running("a"));
        rig.fleet.place(10, rig.now);
        assertThat(rig.step()).noneMatch(FleetAction.Place.class::isInstance);
        assertThat(rig.sent()).isEmpty();
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.RUNNING);

        rig.now = rig.now.plusSeconds(30);
        rig.fleet.place(10, rig.now);
        assertThat(rig.step()).anyMatch(FleetAction.Place.class::isInstance);
    }

    @Test
    @DisplayName("AT-W11 an assignment that was kept and not sent is sent once after a restart")
    void sendsWhatWasKept() {
        rig.open("w1");
        rig.submitTo("w1", FleetRig.spec("a"));

        rig.restart();
        long session = rig.open("w1", 1, 0, List.of());
        assertThat(rig.sent())
                .singleElement()
                .satisfies(order -> assertThat(order.kind()).isEqualTo(Order.Kind.ASSIGN));
        rig.acknowledgeAll("w1", session);
        rig.report("w1", session, "a", Observed.RUNNING);

        rig.actions.clear();
        rig.open("w1", 1, 1, List.of(rig.running("a")));
        assertThat(rig.sent()).isEmpty();
    }

    @Test
    @DisplayName("AT-W12 the same submission twice is one instance, and another content of its id is refused")
    void submitsOnce() {
        rig.open("w1");
        assertThat(rig.fleet.submit(FleetRig.spec("a"), rig.now).code()).isEqualTo(Outcome.Code.ACCEPTED);
        assertThat(rig.fleet.submit(FleetRig.spec("a"), rig.now)).isEqualTo(Outcome.accepted(rig.instance("a")));
        assertThat(rig.fleet
                        .submit(FleetRig.spec("a", true, InstanceSpec.Restart.NEVER), rig.now)
                        .code())
                .isEqualTo(Outcome.Code.ALREADY_EXISTS);
        assertThat(rig.fleet.instances()).hasSize(1);
    }

    @Test
    @DisplayName("a Hello that changes nothing is written and welcomed, and neither observed nor announced")
    void helloWithoutNews() {
        rig.open("w1");
        rig.actions.clear();
        rig.open("w1");
        assertThat(rig.actions)
                .anyMatch(FleetAction.Welcome.class::isInstance)
                .noneMatch(FleetAction.ObserveNode.class::isInstance)
                .noneMatch(FleetAction.WorkerEvent.class::isInstance);
        assertThat(rig.fleet.worker("w1").orElseThrow().epoch()).isEqualTo(2);

        // Another start of its program is news, and so is its return.
        rig.actions.clear();
        long session = rig.open("w1", 2, 0, List.of());
        assertThat(rig.actions).anyMatch(FleetAction.ObserveNode.class::isInstance);
        rig.fleet.closed("w1", session, rig.now);
        rig.step();
        rig.actions.clear();
        rig.open("w1", 2, 0, List.of());
        assertThat(rig.actions)
                .anyMatch(FleetAction.ObserveNode.class::isInstance)
                .anyMatch(FleetAction.WorkerEvent.class::isInstance);
    }

    @Test
    @DisplayName(
            "AT-W15 a second session of one key supersedes the first; another key is refused while it is connected")
    void supersedes() {
        long first = rig.open("w1");
        rig.submitTo("w1", FleetRig.spec("a"));
        rig.actions.clear();
        long second = rig.open("w1");
        assertThat(rig.actions)
                .anyMatch(action -> action instanceof FleetAction.Close close
                        && close.session() == first
                        && close.cause() == FleetAction.Cause.SUPERSEDED)
                .anyMatch(action -> action instanceof FleetAction.Welcome welcome && welcome.epoch() == 2);

        rig.fleet.acknowledged("w1", first, 1, true, "", rig.now);
        rig.step();
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.ASSIGNED);

        rig.actions.clear();
        rig.fleet.opened(FleetRig.hello("w1", "other", 1, 0, List.of()), 99, rig.now);
        rig.step();
        assertThat(rig.actions).singleElement().isInstanceOfSatisfying(FleetAction.Close.class, close -> {
            assertThat(close.cause()).isEqualTo(FleetAction.Cause.KEY_TAKEN);
            assertThat(close.session()).isEqualTo(99);
        });
        assertThat(rig.fleet.worker("w1").orElseThrow().session()).isEqualTo(second);
    }

    @Test
    @DisplayName("AT-W16 a report about another's instance changes nothing, and what runs there is stopped")
    void foreignReports() {
        long w1 = rig.open("w1");
        long w2 = rig.open("w2");
        rig.runOn("w1", w1, FleetRig.spec("a"));
        rig.actions.clear();

        rig.report("w2", w2, "a", Observed.FAILED);
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.RUNNING);
        assertThat(rig.fleet.reported("w2", w2, new InstanceReport("stray", 1, Observed.RUNNING, "", 0), rig.now))
                .isFalse();

        rig.pass(Duration.ofSeconds(60), Map.of("w1", w1, "w2", w2));
        assertThat(rig.sent())
                .singleElement()
                .satisfies(order -> assertThat(order.instance()).isEqualTo("stray"));
    }

    @Test
    void theManyUnknownInstancesOfOneWorkerHideNoneOfAnother() {
        long w1 = rig.open("w1");
        long w2 = rig.open("w2");
        var many = IntStream.range(0, 2_000)
                .mapToObj(i -> new InstanceReport("stray-" + i, 1, Observed.RUNNING, "", 0))
                .toList();
        rig.fleet.inventory("w1", w1, many, rig.now);
        rig.fleet.inventory("w2", w2, List.of(new InstanceReport("mine", 1, Observed.RUNNING, "", 0)), rig.now);
        rig.actions.clear();

        rig.pass(Duration.ofSeconds(60), Map.of("w1", w1, "w2", w2));
        assertThat(rig.sent()).hasSize(101).extracting(Order::instance).contains("mine");
    }

    @Test
    @DisplayName("AT-W18 an instance that ends unasked starts again after 1, 2 and 4 s")
    void restartsWithBackoff() {
        long w1 = rig.open("w1");
        rig.runOn("w1", w1, FleetRig.spec("a"));
        for (int wait : List.of(1, 2, 4)) {
            var instance = rig.instance("a");
            rig.actions.clear();
            rig.fleet.reported(
                    "w1",
                    w1,
                    new InstanceReport("a", instance.numbers().generation(), Observed.FAILED, "it exited", 137),
                    rig.now);
            rig.step();
            assertThat(rig.actions)
                    .anyMatch(action -> action instanceof FleetAction.InstanceEvent event
                            && event.instance().state() == InstanceState.FAILED
                            && event.instance().worker().equals("w1")
                            && event.instance().status().exitCode() == 137);
            assertThat(rig.instance("a").retry().notBefore()).isEqualTo(rig.now.plusSeconds(wait));
            rig.now = rig.now.plusSeconds(wait);
            rig.fleet.frame("w1", w1, rig.now);
            rig.bindTo("w1", "a");
            rig.acknowledgeAll("w1", w1);
            rig.report("w1", w1, "a", Observed.RUNNING);
        }
    }

    @Test
    void aPauseOfThisProcessMakesNoWorkerSuspect() {
        long w1 = rig.open("w1");
        rig.pass(Duration.ofSeconds(2), Map.of("w1", w1));

        rig.now = rig.now.plus(Duration.ofMinutes(10));
        rig.fleet.passed(rig.now);
        rig.step();
        assertThat(rig.fleet.worker("w1").orElseThrow().state()).isEqualTo(WorkerState.READY);
    }

    @Test
    void ordersGoInTheirOrderAfterAReconnect() {
        long w1 = rig.open("w1");
        rig.runOn("w1", w1, FleetRig.spec("a"));
        rig.submitTo("w1", FleetRig.spec("b"));
        rig.fleet.closed("w1", w1, rig.now);
        rig.fleet.remove("a", rig.now);
        rig.step();
        rig.actions.clear();

        rig.open("w1", 1, 1, List.of(new InstanceReport("a", 1, Observed.RUNNING, "", 0)));
        assertThat(rig.sent()).extracting(Order::seq).isSorted().doesNotHaveDuplicates();
        assertThat(rig.sent()).extracting(Order::kind).containsExactly(Order.Kind.ASSIGN, Order.Kind.STOP);
    }

    @Test
    void aBindOfAnEarlierVersionHasNoEffect() {
        rig.open("w1");
        rig.fleet.submit(FleetRig.spec("a"), rig.now);
        rig.step();
        var offered = rig.instance("a");
        rig.fleet.touch(offered.uid(), rig.now);
        rig.step();

        assertThat(rig.fleet.bind(offered.uid(), offered.numbers().version(), WorkerNames.node("w1"), rig.now))
                .isPresent();
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.PENDING);
    }

    @Test
    void aDecreaseIsGivenBackOnceTheWorkerHasAppliedIt() {
        long w1 = rig.open("w1");
        var runs = rig.runOn("w1", w1, FleetRig.spec("a"));
        rig.actions.clear();
        var smaller = new Resources(500, FleetRig.GIB);

        rig.fleet.resized("a", runs.numbers().generation(), smaller, rig.now);
        rig.step();
        rig.actions.clear();
        rig.acknowledgeAll("w1", w1);
        assertThat(rig.actions)
                .anyMatch(action -> action instanceof FleetAction.GiveBack back
                        && back.instance().granted().equals(smaller));
        assertThat(rig.instance("a").numbers().generation()).isEqualTo(2);
        assertThat(rig.instance("a").uid()).isEqualTo(runs.uid());
    }

    @Test
    void anEmptyInventoryOfAProgramThatStartedAnewEndsNoExclusiveInstance() {
        long w1 = rig.open("w1");
        rig.runOn("w1", w1, FleetRig.spec("a", true, InstanceSpec.Restart.ALWAYS));

        rig.open("w1", 2, 0, List.of());
        rig.open("w1", 2, 0, List.of());
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.UNKNOWN);
        rig.fleet.remove("a", rig.now);
        rig.step();
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.UNKNOWN);

        rig.pass(Duration.ofSeconds(60), Map.of("w1", 3L));
        assertThat(rig.instance("a").state()).isEqualTo(InstanceState.TERMINATED);
    }

    @Test
    void heartbeatsAndLeasesGrowWithTheFleet() {
        var second = Duration.ofSeconds(1);
        var timing = new FleetTiming(
                second.multipliedBy(15),
                second,
                second,
                second,
                second,
                second,
                second.multipliedBy(5),
                second.multipliedBy(15));
        assertThat(timing.heartbeat(20_000)).isEqualTo(second.multipliedBy(5));
        assertThat(timing.heartbeat(40_000)).isEqualTo(second.multipliedBy(10));
        assertThat(timing.heartbeat(1_000_000)).isEqualTo(second.multipliedBy(15));
        assertThat(timing.lease(second.multipliedBy(5))).isEqualTo(second.multipliedBy(15));
        assertThat(timing.lease(second.multipliedBy(10))).isEqualTo(second.multipliedBy(30));
    }

    @Test
    void offersSomeOfManyWorkersAndOthersEachTime() {
        var fleet = new WorkerFleet(FleetRig.TIMING, 1_000, 10);
        for (int i = 0; i < 250; i++) {
            fleet.opened(FleetRig.hello("w" + i, "", 1, 0, List.of()), i + 1, rig.now);
        }
        fleet.submit(FleetRig.spec("a"), rig.now);
        var instance = fleet.instance("a").orElseThrow();
        var offered = new HashSet<String>();
        for (int i = 0; i < 3; i++) {
            var candidates = fleet.candidates(instance, rig.now);
            assertThat(candidates).hasSize(100);
            offered.addAll(candidates);
        }
        assertThat(offered).hasSize(250);
    }
}
