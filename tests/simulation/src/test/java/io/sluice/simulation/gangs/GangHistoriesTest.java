package io.sluice.simulation.gangs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.placement.core.gangs.GangMember;
import io.sluice.placement.core.gangs.GangSpec;
import io.sluice.simulation.engine.Chance;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Seeded histories of gangs: messages are lost and late, nodes vanish, pods are deleted, ledgers lose their state, and
 * the process ends between holds and binds, while its successor takes over. Gangs start whole or not at all, no bind is
 * sent whose hold the ledger lacks, and at the end nothing is held.
 */
class GangHistoriesTest {
    private static final int HISTORIES = Integer.getInteger("sluice.gangs.histories", 8);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    @DisplayName("Gangs of up to 16 start whole or not at all, whatever fails")
    void allOrNothing(long range) {
        int started = 0;
        int takeovers = 0;
        for (long seed = range * 1_000_000; seed < range * 1_000_000 + HISTORIES; seed++) {
            var history = new History(seed);
            try {
                history.play();
            } catch (AssertionError broken) {
                throw new AssertionError(
                        "seed " + seed + ": " + broken.getMessage() + "\n" + history.world.journalOf(""), broken);
            }
            started += history.started();
            takeovers += history.takeovers;
        }
        assertThat(started).isPositive();
        assertThat(takeovers).isPositive();
    }

    @ParameterizedTest
    @EnumSource(
            value = GangWorld.Mistake.class,
            names = {"BINDS_EACH", "LEAVES_HOLDS", "BINDS_UNREPEATED"})
    @DisplayName("Mistakes that are planted are found")
    void findsMistakes(GangWorld.Mistake mistake) {
        boolean found = false;
        for (long seed = 1; !found && seed < 30; seed++) {
            var history = new History(seed);
            history.world.mistake = mistake;
            try {
                history.play();
            } catch (AssertionError broken) {
                found = true;
            }
        }
        assertThat(found).isTrue();
    }

    /** One history. */
    static final class History {
        final GangWorld world;
        private final Chance chance;
        private int takeovers;
        private int pods;
        private int names;

        History(long seed) {
            chance = new Chance(seed, "gangs");
            world = new GangWorld(new GangWorld.Faults(new Chance(seed, "faults"), true));
            world.lead();
            IntStream.range(0, 4 + chance.below(5)).forEach(i -> world.node("n" + i, 8_000));
        }

        void play() {
            for (int event = 0; event < 30; event++) {
                happen();
                world.play(Duration.ofMillis(chance.below(2_000)));
            }
            world.faults.end();
            world.play(Duration.ofSeconds(60));
            assertThat(world.leftOver()).as("holds at rest").isEmpty();
        }

        private void happen() {
            switch (chance.below(12)) {
                case 0, 1, 2, 3 -> gang();
                case 4 -> takeover();
                case 5 -> world.nodeGone(nodeName());
                case 6 -> world.node("m" + ++names, 8_000);
                case 7, 8 -> end();
                case 9, 10 -> startAnew();
                default -> single();
            }
        }

        private String nodeName() {
            return world.nodes.size() < 3
                    ? "none"
                    : List.copyOf(world.nodes.keySet()).get(chance.below(world.nodes.size()));
        }

        private void gang() {
            var name = "g" + ++names;
            int min = 1 + chance.below(16);
            int more = chance.below(3);
            boolean waits = chance.oneIn(4);
            world.gang(new GangSpec(
                    GangWorld.key(name),
                    min,
                    Duration.ofSeconds(10),
                    waits ? GangSpec.Mode.NON_STRICT : GangSpec.Mode.STRICT,
                    GangSpec.MatchPolicy.values()[chance.below(3)],
                    List.of(),
                    world.now(),
                    false,
                    GangSpec.Source.NONE,
                    Map.of()));
            long size = 500L * (1 + chance.below(6));
            for (int member = 0; member < min + more; member++) {
                world.pod("p" + ++pods, name, size);
            }
        }

        /** A pod of a gang of one is placed alone, as any other. */
        private void single() {
            var name = "s" + ++names;
            world.gang(name, 1);
            world.pod("p" + ++pods, name, 500L * (1 + chance.below(8)));
        }

        private void takeover() {
            takeovers++;
            world.leader.die();
            world.play(Duration.ofMillis(chance.below(3_000)));
            world.lead();
        }

        private void startAnew() {
            if (!world.nodes.isEmpty()) {
                world.lostLedgers.startAnew(List.copyOf(world.nodes.keySet()).get(chance.below(world.nodes.size())));
            }
        }

        private void end() {
            if (!world.pods.isEmpty()) {
                var pod = List.copyOf(world.pods.values()).get(chance.below(world.pods.size()));
                if (pod.end != GangMember.End.NONE) {
                    return;
                }
                if (!pod.node.isEmpty() && chance.oneIn(2)) {
                    world.succeed(pod);
                } else {
                    world.delete(pod);
                }
            }
        }

        int started() {
            return (int) world.pods.values().stream()
                    .filter(pod -> !pod.node.isEmpty())
                    .count();
        }
    }
}
