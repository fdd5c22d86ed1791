package io.sluice.simulation.gangs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.placement.core.PlacementAttempt;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Seconds;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Room that is kept for gangs that wait long: the real rules and ledgers, in virtual time. */
class GangRoomsTest {
    @Test
    @DisplayName("room is kept: a gang of four starts though small pods take all that becomes free")
    void isNotStarvedBySmallPods() {
        var small = new SmallPods();
        waits(small.world, "g");
        small.world.playTo(90);
        assertThat(small.world.bound("g")).hasSize(4);
        assertThat(small.denied).isPositive();
        assertThat(small.world.claims()).isZero();

        var starving = new SmallPods();
        starving.world.keepsRoom = false;
        waits(starving.world, "g");
        starving.world.playTo(900);
        assertThat(starving.world.bound("g")).isEmpty();
    }

    @Test
    @DisplayName("room is kept for one gang at a time, and two that wait do not block each other")
    void twoGangsThatWaitStartInTurn() {
        var small = new SmallPods();
        waits(small.world, "a");
        waits(small.world, "b");
        small.world.playTo(120);
        assertThat(small.world.bound("a")).hasSize(4);
        assertThat(small.world.bound("b")).isEmpty();
        small.world.pods.values().stream()
                .filter(pod -> !pod.node.isEmpty())
                .toList()
                .forEach(small.world::succeed);
        small.world.playTo(450);
        assertThat(small.world.bound("b")).hasSize(4);
    }

    @Test
    @DisplayName("room is kept no longer than its gang waits, and for a gang of a higher priority first")
    void roomEndsWithItsGang() {
        var world = GangWorld.withoutFaults();
        List.of("n1", "n2", "n3", "n4").forEach(node -> GangAcceptanceTest.used(world.node(node, 4_000), node, 4_000));
        waits(world, "g");
        world.playTo(9);
        assertThat(world.claims()).as("it does not wait long yet").isZero();
        world.playTo(20);
        assertThat(world.claims()).isEqualTo(4);
        assertThat(world.reason("g")).endsWith("room is kept for it on nodes: 4");

        world.gang("high", 2);
        List.of("high-1", "high-2").forEach(pod -> world.pod(pod, "high", 3_000, 10));
        world.playTo(35);
        assertThat(world.claims()).isEqualTo(2);
        List.of("high-1", "high-2").forEach(pod -> world.delete(world.pods.get(pod)));
        world.playTo(37);
        assertThat(world.claims()).as("the turn of the other one is over").isZero();
        world.playTo(330);
        assertThat(world.claims()).as("after a pause").isEqualTo(4);
        world.playTo(400);
        assertThat(world.claims()).as("a minute at most").isZero();
    }

    private static void waits(GangWorld world, String gang) {
        world.gang(gang, 4);
        IntStream.range(0, 4).forEach(i -> world.pod(gang + "-" + i, gang, 3_000));
    }

    /** Four nodes of 4 CPUs, and small pods that take each CPU that becomes free, before any gang is tried. */
    private static final class SmallPods {
        private static final long EVERY = Seconds.ofMillis(50);
        private static final long LIFE_MAX = Seconds.of(15);

        final GangWorld world = GangWorld.withoutFaults();
        private final Chance chance = new Chance(7, "small pods");
        private int pods;
        int denied;

        SmallPods() {
            List.of("n1", "n2", "n3", "n4").forEach(node -> world.node(node, 4_000));
            come();
        }

        private void come() {
            world.nodes.keySet().forEach(node -> {
                while (comes(node)) {
                    pods++;
                }
            });
            world.time.in(EVERY, this::come);
        }

        private boolean comes(String node) {
            var name = "small-" + pods;
            var observed = new PodObserved(name, "ns", name, "", "", 1, new Resources(1_000, GangWorld.MEMORY), 0);
            var attempt = new PlacementAttempt(new PodToPlace(observed, Overcommit.OFF), node, Optional.of(name));
            if (!(attempt.begin() instanceof PlacementAttempt.Hold(var hold))) {
                throw new AssertionError("an attempt begins with a hold");
            }
            var reply = world.run(node, new LedgerCommand.Hold(hold));
            denied += reply instanceof HoldReply.RoomKept ? 1 : 0;
            boolean held = reply instanceof HoldReply.Held || reply instanceof HoldReply.Bound;
            if (held) {
                world.time.in(
                        Seconds.of(1) + chance.below(LIFE_MAX),
                        () -> world.run(node, new LedgerCommand.Release(new ReleaseHold(node, name, name))));
            }
            return held;
        }
    }
}
