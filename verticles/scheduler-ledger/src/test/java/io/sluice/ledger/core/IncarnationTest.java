package io.sluice.ledger.core;

import static io.sluice.ledger.core.Scene.cpu;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.core.state.NodeState;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.messages.ledger.permit.NotReadyCause;
import io.sluice.messages.ledger.permit.OpenReply;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Only a list that was requested after the node's incarnation was replied completes the node. */
class IncarnationTest {
    private final Scene scene = Scene.withRules(0.8);

    @Test
    @DisplayName("F11: a list that was requested before the loss does not complete the node")
    void aListThatWasRequestedBeforeTheLossDoesNotCompleteALostLedger() {
        var vm = Vm.of("A", 1000, 4000);
        var pod = scene.podObservation("A", "A", cpu(1000));
        var beforeAnything = new LoadNode(scene.node(10_000), scene.nextVersion(), List.of(), List.of());
        var list = new LoadNode(
                        scene.node(10_000), scene.nextVersion(), List.of(pod), List.of(vm.at(scene.nextVersion())))
                .relist(scene.relist());
        scene.run(new LedgerCommand.Load(list));
        scene.state = NodeState.blank(Scene.NODE);

        var late = scene.run(new LedgerCommand.Load(list));
        var older = scene.run(new LedgerCommand.Load(beforeAnything));

        assertThat(late.relist()).isPresent().isNotEqualTo(list.relist());
        assertThat(older).as("it has one incarnation only").isEqualTo(late);
        assertThat(scene.state.notReady()).contains(NotReadyCause.NODE_UNKNOWN);
        assertThat(scene.state.reservations().size()).isZero();

        assertThat(scene.run(new LedgerCommand.Load(list.relist(late.relist().orElseThrow()))))
                .as("requested after that was received")
                .isEqualTo(new LoadReply(1, 1));
        assertThat(scene.state.fullList().incarnation()).isEmpty();
    }

    @Test
    void whatIsObservedBeforeTheListLeavesTheIncarnationAsItIs() {
        long relist = scene.relist();
        scene.arrive(Vm.of("A", 1000, 4000));
        scene.run(new LedgerCommand.ObserveNode(scene.node(10_000)));
        assertThat(scene.open("A", "one", 0)).isInstanceOf(OpenReply.NotReady.class);

        assertThat(scene.relist()).isEqualTo(relist);
        assertThat(scene.state.notReady()).contains(NotReadyCause.NODE_INCOMPLETE);
    }

    @Test
    void aNodeOfWhichNothingButItsIncarnationIsKnownIsForgottenLikeOneThatIsGone() {
        scene.relist();
        scene.after(Duration.ofMinutes(9)).run(new LedgerCommand.Tick());
        assertThat(scene.state.isBlank()).isFalse();

        scene.after(Duration.ofMinutes(1)).run(new LedgerCommand.Tick());
        assertThat(scene.state.isBlank()).isTrue();
    }

    @Test
    void aPodThatEndsBetweenTheReplyAndItsListStaysGone() {
        var pod = scene.podObservation("P", "", cpu(100));
        var listed = scene.nextVersion();
        long relist = scene.relist();
        scene.podGone("P");

        scene.run(new LedgerCommand.Load(
                new LoadNode(scene.node(10_000), listed, List.of(pod), List.of()).relist(relist)));

        assertThat(scene.state.reservations().size()).isZero();
    }

    @Test
    void anAheadOfAListChangesNothingOfACompleteNode() {
        scene.load(
                List.of(scene.podObservation("A", "A", cpu(1000))),
                List.of(Vm.of("A", 1000, 4000).at(scene.nextVersion())));
        var before = scene.state;

        assertThat(scene.relist()).isEqualTo(before.fullList().version());
        assertThat(scene.state).isSameAs(before);
    }
}
