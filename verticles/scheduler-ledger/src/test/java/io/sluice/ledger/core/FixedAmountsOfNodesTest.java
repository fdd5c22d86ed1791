package io.sluice.ledger.core;

import static io.sluice.ledger.core.Scene.cpu;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.core.state.LedgerView;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.AttemptId;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Places for pods, extended resources and the like: of no kind the ledger holds more than the node has. */
class FixedAmountsOfNodesTest {
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final String GPU = "nvidia.com/gpu";

    private final Scene scene = Scene.loaded();

    @BeforeEach
    void aNodeForThreePodsWithTwoGpus() {
        resized(fixed(3, 2));
    }

    private void resized(FixedAmounts fixed) {
        scene.run(new LedgerCommand.ObserveNode(new NodeObserved(
                Scene.NODE,
                scene.nextVersion(),
                new Resources(10_000, Scene.MEMORY_TOTAL),
                "",
                List.of(),
                true,
                fixed)));
    }

    private static FixedAmounts fixed(long pods, long gpus) {
        return FixedAmounts.of(Map.of(FixedAmounts.PODS, pods, GPU, gpus));
    }

    private HoldReply hold(String holder, FixedAmounts fixed) {
        return scene.run(new LedgerCommand.Hold(new HoldRoom(
                Scene.NODE, holder, "ns", holder, "", cpu(100), Overcommit.OFF, TTL, AttemptId.NONE, fixed)));
    }

    private void bound(String id, FixedAmounts fixed) {
        scene.run(new LedgerCommand.ObservePod(
                new PodObserved(id, "ns", id, Scene.NODE, "", scene.nextVersion(), cpu(100), 0, "", fixed)));
    }

    private static FixedAmounts shortOf(HoldReply reply) {
        return ((HoldReply.NoRoom) reply).shortOf();
    }

    private FixedAmounts reserved() {
        return scene.state.sums().fixed();
    }

    @Test
    void holdsNoMoreThanTheNodeHas() {
        assertThat(hold("A", fixed(1, 2))).isInstanceOf(HoldReply.Held.class);
        assertThat(shortOf(hold("B", fixed(1, 1)))).isEqualTo(FixedAmounts.of(Map.of(GPU, 1L)));
        assertThat(hold("B", fixed(1, 0))).isInstanceOf(HoldReply.Held.class);
        assertThat(hold("C", fixed(1, 0))).isInstanceOf(HoldReply.Held.class);

        assertThat(shortOf(hold("D", fixed(1, 0)))).isEqualTo(FixedAmounts.of(Map.of(FixedAmounts.PODS, 1L)));
        assertThat(reserved()).isEqualTo(fixed(3, 2));
    }

    @Test
    void hasNothingOfAKindThatTheNodeDoesNotName() {
        var fpga = FixedAmounts.of(Map.of("example.com/fpga", 1L));

        assertThat(shortOf(hold("A", fpga))).isEqualTo(fpga);
    }

    @Test
    void countsAPodOnceFromItsHoldToItsEnd() {
        hold("A", fixed(1, 2));
        assertThat(hold("A", fixed(1, 2))).as("a repeat").isInstanceOf(HoldReply.Held.class);
        bound("A", fixed(1, 2));
        assertThat(reserved()).isEqualTo(fixed(1, 2));
        bound("A", fixed(1, 2));
        assertThat(reserved()).as("observed again").isEqualTo(fixed(1, 2));

        scene.podGone("A");
        assertThat(reserved()).isEqualTo(FixedAmounts.NONE);
    }

    @Test
    void aRepeatWithoutThemLowersNothing() {
        hold("A", fixed(1, 2));

        assertThat(hold("A", FixedAmounts.NONE)).isInstanceOf(HoldReply.Held.class);
        assertThat(reserved()).isEqualTo(fixed(1, 2));
    }

    @Test
    void aHoldThatEndsFreesThem() {
        hold("A", fixed(1, 2));

        scene.after(TTL).run(new LedgerCommand.Tick());
        assertThat(reserved()).isEqualTo(FixedAmounts.NONE);
    }

    /** Another scheduler bound it: it counts, also above the total, and then nothing more is held. */
    @Test
    void countsPodsThatCameWithoutAHold() {
        bound("A", fixed(1, 2));
        bound("B", fixed(1, 1));
        assertThat(reserved()).isEqualTo(fixed(2, 3));

        assertThat(shortOf(hold("C", fixed(1, 1)))).isEqualTo(FixedAmounts.of(Map.of(GPU, 2L)));
        assertThat(hold("C", fixed(1, 0)))
                .as("what is over in one kind is no obstacle for a pod without it")
                .isInstanceOf(HoldReply.Held.class);
    }

    @Test
    void aNodeThatShrinksTakesNothingAway() {
        bound("A", fixed(1, 2));
        resized(fixed(3, 0));

        assertThat(reserved()).isEqualTo(fixed(1, 2));
        assertThat(hold("B", fixed(1, 1))).isInstanceOf(HoldReply.NoRoom.class);
    }

    @Test
    void permitsDoNotChangeThem() {
        scene.run(new LedgerCommand.ObservePod(
                new PodObserved("V", "ns", "V", Scene.NODE, "V", scene.nextVersion(), cpu(1000), 0, "", fixed(1, 1))));
        scene.vm(Vm.of("V", 1000, 4000));
        long session = scene.session("V", "runner");
        scene.request(Scene.request("V", session, 1, cpu(3000)));
        scene.request(Scene.request("V", session, 2, cpu(500)));

        assertThat(reserved()).isEqualTo(fixed(1, 1));
    }

    @Test
    void theTargetOfAMigrationTakesOverWhatIsHeldForIt() {
        var holder = HoldRoom.forMigration("ns", "move");
        scene.run(new LedgerCommand.Hold(new HoldRoom(
                Scene.NODE, holder, "ns", "move", "V", cpu(1000), Overcommit.OFF, TTL, Scene.MOVE, fixed(1, 1))));
        assertThat(reserved()).isEqualTo(fixed(1, 1));

        scene.run(new LedgerCommand.ObservePod(new PodObserved(
                "T", "ns", "T", Scene.NODE, "V", scene.nextVersion(), cpu(1000), 0, "move", fixed(1, 1))));
        assertThat(reserved()).isEqualTo(fixed(1, 1));
    }

    @Test
    void aNewListCountsThem() {
        var pod = new PodObserved("A", "ns", "A", Scene.NODE, "", scene.nextVersion(), cpu(100), 0, "", fixed(1, 1));
        scene.load(List.of(pod), List.of());

        assertThat(reserved()).isEqualTo(fixed(1, 1));
        scene.load(List.of(), List.of());
        assertThat(reserved()).isEqualTo(FixedAmounts.NONE);
    }

    /** A pod without requests holds no CPU or memory, and its hold may be left over like any other. */
    @Test
    void showsAHoldOfOtherKindsAlone() {
        scene.run(new LedgerCommand.Hold(new HoldRoom(
                Scene.NODE, "A", "ns", "A", "", Resources.NONE, Overcommit.OFF, TTL, AttemptId.NONE, fixed(1, 0))));
        assertThat(LedgerView.summary(scene.state, 0).hasHolds()).isTrue();

        bound("A", fixed(1, 0));
        assertThat(LedgerView.summary(scene.state, 0).hasHolds()).isFalse();
        assertThat(reserved()).isEqualTo(fixed(1, 0));
    }
}
