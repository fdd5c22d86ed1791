package io.sluice.ledger.core;

import static io.sluice.ledger.core.Scene.cpu;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A node that is registered, shrinks, grows, goes and comes back, and what its ledger shows meanwhile. */
class NodeLifeTest {
    private final Scene scene = Scene.loaded();

    private void observes(NodeObserved node) {
        scene.run(new LedgerCommand.ObserveNode(node));
    }

    private NodeObserved withNothing() {
        return new NodeObserved(Scene.NODE, scene.nextVersion(), Resources.NONE);
    }

    @Test
    @DisplayName("F13: a node that shrinks takes nothing back and grants nothing")
    void aNodeThatShrinksTakesNothingBackAndGrantsAgainOnceItHasGrown() {
        scene.bound(Vm.of("A", 1000, 8000));
        scene.ruled("A", 4000);

        observes(scene.node(3000));
        assertThat(scene.reserved("A")).isEqualTo(4000);
        assertThat(scene.ruled("A", 5000).permit()).isEqualTo(cpu(4000));
        scene.bound(Vm.of("B", 1, 4000));
        assertThat(scene.ruled("B", 300).permit()).isEqualTo(cpu(1));
        assertThat(scene.outcome().tooMuch()).as("2400 is its watermark").isTrue();

        observes(scene.node(10_000));
        assertThat(scene.outcome().tooMuch()).isFalse();
        assertThat(scene.ruled("A", 5000).permit()).isEqualTo(cpu(5000));
    }

    @Test
    void aReplyOnAShrunkNodeShowsWhatItHasAndWhatItPromised() {
        scene.bound(Vm.of("A", 1000, 8000));
        scene.ruled("A", 4000);
        observes(scene.node(3000));

        var ruling = scene.ruled("A", 5000).cpu();

        assertThat(ruling.remaining()).isZero();
        assertThat(ruling.nodeReserved()).isEqualTo(4000);
        assertThat(ruling.nodeTotal()).isEqualTo(3000);
    }

    @Test
    void aNodeWithoutReportedCapacityGrantsNothingAndHealsAtItsFirstReport() {
        var fresh = Scene.withRules(0.8);
        var unreported = new NodeObserved(Scene.NODE, fresh.nextVersion(), Resources.NONE);
        var daemon = fresh.podObservation("D", "", cpu(100));
        fresh.take(new LoadNode(unreported, fresh.nextVersion(), List.of(daemon), List.of()));
        fresh.bound(Vm.of("A", 1000, 4000));

        assertThat(fresh.ruled("A", 2000).permit()).isEqualTo(cpu(1000));
        assertThat(fresh.outcome().tooMuch())
                .as("its size is unknown, so it is not full")
                .isFalse();

        fresh.run(new LedgerCommand.ObserveNode(fresh.node(10_000)));
        assertThat(fresh.ruled("A", 2000).permit()).isEqualTo(cpu(2000));
    }

    @Test
    void aNodeThatIsGoneIsNotUnderPressureThoughReservationsAreLeft() {
        scene.fillTo(9_000);
        assertThat(scene.outcome().tooMuch()).isTrue();

        scene.run(new LedgerCommand.LoseNode(new NodeGone(Scene.NODE, scene.nextVersion())));

        assertThat(scene.nodeReserved()).isEqualTo(9_000);
        assertThat(scene.outcome().tooMuch()).isFalse();
    }

    @Test
    void aNodeOfTheSameNameKeepsThePodsOfTheOldOneUntilTheyAreGone() {
        scene.pod("old", cpu(6_000));
        scene.run(new LedgerCommand.LoseNode(new NodeGone(Scene.NODE, scene.nextVersion())));
        observes(withNothing());
        observes(scene.node(8_000));
        scene.bound(Vm.of("A", 1000, 8000));

        assertThat(scene.ruled("A", 4000).permit()).as("1000 are left").isEqualTo(cpu(2000));
        scene.podGone("old");
        assertThat(scene.ruled("A", 4000).permit()).isEqualTo(cpu(4000));
    }

    @Test
    void aNodeThatComesAgainAfterItWasForgottenGrantsOnceItIsListed() {
        scene.run(new LedgerCommand.LoseNode(new NodeGone(Scene.NODE, scene.nextVersion())));
        scene.after(Duration.ofMinutes(10)).run(new LedgerCommand.Tick());
        assertThat(scene.state.isBlank()).isTrue();

        observes(scene.node(8_000));
        assertThat(scene.state.notReady()).isPresent();
        scene.load(List.of(), List.of());
        assertThat(scene.state.notReady()).isEmpty();
    }
}
