package io.sluice.ledger.core;

import static io.sluice.ledger.core.Scene.cpu;
import static io.sluice.ledger.core.Scene.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.ledger.core.state.NodeState;
import io.sluice.messages.ledger.permit.NotReadyCause;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.ledger.permit.RefusalCause;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SessionsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private final Scene scene = Scene.loaded();

    @Test
    @DisplayName("F5: a second runner supersedes the first")
    void aSecondRunnerSupersedesTheFirst() {
        scene.bound(Vm.of("A", 1000, 4000));

        assertThat(scene.open("A", "one", 0)).isEqualTo(new OpenReply.Opened(1, cpu(1000), false));
        assertThat(scene.open("A", "two", 0)).isEqualTo(new OpenReply.Opened(2, cpu(1000), false));

        assertThat(scene.request(request("A", 1, 1, cpu(500)))).isEqualTo(new PermitReply.Superseded(2, "two"));
        assertThat(scene.request(request("A", 2, 1, cpu(500)))).isInstanceOf(PermitReply.Ruled.class);
    }

    @Test
    @DisplayName("F2: a late copy of an opening supersedes no session")
    void aLateDuplicateOfOpenSupersedesNoSession() {
        scene.bound(Vm.of("A", 1000, 4000));
        scene.open("A", "one", 0);
        scene.request(request("A", 1, 1, cpu(2000)));
        var before = scene.state;

        assertThat(scene.open("A", "one", 0)).isEqualTo(new OpenReply.Opened(1, cpu(2000), false));

        assertThat(scene.state).isSameAs(before);
    }

    @Test
    void aSessionIsNewerThanAnyKnownToEitherSide() {
        scene.bound(Vm.of("A", 1000, 4000));

        assertThat(((OpenReply.Opened) scene.open("A", "one", 41)).session()).isEqualTo(42);
        assertThat(((OpenReply.Opened) scene.open("A", "one", 50)).session())
                .as("older state came back: the runner's number is newer")
                .isEqualTo(51);
        assertThat(((OpenReply.Opened) scene.open("A", "two", 7)).session()).isEqualTo(52);
    }

    @Test
    void aSessionBeyondCountingIsRefused() {
        scene.bound(Vm.of("A", 1000, 4000));

        assertThat(scene.open("A", "one", Long.MAX_VALUE)).isEqualTo(new OpenReply.Refused(RefusalCause.OVERFLOW));
        assertThat(scene.open("A", "one", Long.MAX_VALUE - 1)).isEqualTo(new OpenReply.Refused(RefusalCause.OVERFLOW));
        assertThat(scene.open("A", "another", 0)).as("no runner is locked out").isInstanceOf(OpenReply.Opened.class);
    }

    @Test
    void aSeqUsedTwiceForDifferentRequestsIsNamed() {
        scene.bound(Vm.of("A", 1000, 4000));
        scene.open("A", "one", 0);
        scene.request(request("A", 1, 1, cpu(2000)));

        assertThat(scene.request(request("A", 1, 1, cpu(2001)))).isEqualTo(new PermitReply.SeqReused(1));

        assertThat(scene.reserved("A")).isEqualTo(2000);
    }

    @Test
    @DisplayName("F1, F2: a repeated request gets the stored reply and counts once")
    void aRepeatIsAnsweredFromMemoryAndCountsOnce() {
        scene.bound(Vm.of("A", 1000, 4000));
        scene.open("A", "one", 0);
        var first = scene.request(request("A", 1, 1, cpu(4000)));
        scene.fillTo(10_000);

        assertThat(scene.request(request("A", 1, 1, cpu(4000)))).isEqualTo(first);
        assertThat(scene.nodeReserved()).isEqualTo(10_000);
    }

    @Test
    void aRepeatIsCutToWhatIsReservedNow() {
        var vm = Vm.of("A", 1000, 4000);
        scene.bound(vm);
        scene.open("A", "one", 0);
        scene.request(request("A", 1, 1, cpu(4000)));
        scene.vm(vm.autoscaled(false));
        scene.after(Duration.ofSeconds(11)).settle("A", cpu(1000));
        assertThat(scene.reserved("A")).isEqualTo(1000);

        var repeat = (PermitReply.Ruled) scene.request(request("A", 1, 1, cpu(4000)));

        assertThat(repeat.permit()).isEqualTo(cpu(1000));
    }

    @Test
    void aRaisedMaximumIsNobodysPermit() {
        var vm = Vm.of("A", 1000, 2000);
        scene.bound(vm);
        scene.open("A", "one", 0);
        var reported = (PermitReply.Ruled) scene.request(request("A", 1, 1, cpu(2000)));
        scene.vm(vm.limited(6000));
        assertThat(scene.reserved("A")).isEqualTo(6000);

        assertThat(scene.request(request("A", 1, 1, cpu(2000)))).isEqualTo(reported);
        assertThat(scene.open("A", "one", 0))
                .as("it learns what is reserved, and is permitted nothing")
                .isEqualTo(new OpenReply.Opened(1, cpu(6000), false));
    }

    @Test
    @DisplayName("F11: an incomplete node opens no session and grants nothing")
    void nothingIsAnsweredBeforeTheNodeIsComplete() {
        var fresh = Scene.withRules(0.8);
        var unknown = new OpenReply.NotReady(NotReadyCause.NODE_UNKNOWN, SECOND);
        assertThat(fresh.open("A", "one", 0)).isEqualTo(unknown);

        fresh.run(new LedgerCommand.ObserveNode(fresh.node(10_000)));
        fresh.arrive(Vm.of("A", 1000, 4000));

        var incomplete = new OpenReply.NotReady(NotReadyCause.NODE_INCOMPLETE, SECOND);
        assertThat(fresh.open("A", "one", 0)).isEqualTo(incomplete);
        assertThat(fresh.request(request("A", 1, 1, cpu(1))))
                .isEqualTo(new PermitReply.NotReady(NotReadyCause.NODE_INCOMPLETE, SECOND));
    }

    @Test
    void aVmWithOnlyItsPodKnownCannotRequestYet() {
        scene.run(new LedgerCommand.ObservePod(scene.podObservation("A", "A", cpu(1000))));

        assertThat(scene.open("A", "one", 0)).isEqualTo(new OpenReply.NotReady(NotReadyCause.NODE_INCOMPLETE, SECOND));
    }

    @Test
    void aPodThatCannotRequestIsRefusedWithItsReason() {
        scene.pod("P", cpu(100));

        assertThat(scene.open("P", "one", 0)).isEqualTo(new OpenReply.Refused(RefusalCause.NOT_A_VM));
        assertThat(scene.open("absent", "one", 0)).isEqualTo(new OpenReply.Refused(RefusalCause.POD_UNKNOWN));
        assertThat(scene.request(request("P", 1, 1, cpu(1)))).isEqualTo(new PermitReply.Refused(RefusalCause.NOT_A_VM));
        assertThat(scene.request(request("absent", 1, 1, cpu(1))))
                .isEqualTo(new PermitReply.Refused(RefusalCause.POD_UNKNOWN));
    }

    @Test
    @DisplayName("F23: requests of zero are refused")
    void zeroesAreRefusedAndChangeNothing() {
        scene.bound(Vm.of("A", 1000, 4000));
        scene.open("A", "one", 0);
        var before = scene.state;

        for (var target : List.of(new Resources(0, 10), new Resources(10, 0), Resources.NONE)) {
            assertThat(scene.request(request("A", 1, 1, target)))
                    .isEqualTo(new PermitReply.Refused(RefusalCause.ZERO_TARGET));
        }
        assertThat(scene.request(new PermitRequest(
                        Scene.NODE,
                        "A",
                        "one",
                        1,
                        1,
                        new Resources(250, 0),
                        cpu(2000),
                        Optional.empty(),
                        Optional.empty())))
                .isEqualTo(new PermitReply.Refused(RefusalCause.ZERO_COMPUTE_UNIT));
        assertThat(scene.state).isSameAs(before);
    }

    @Test
    void aSessionOfALostLedgerIsNotTakenForOneOfTheSameNumber() {
        scene.bound(Vm.of("A", 1000, 4000));
        scene.open("A", "of the new state", 0);
        var before = scene.state;

        var late = new PermitRequest(
                Scene.NODE, "A", "of the lost state", 1, 7, Scene.UNIT, cpu(500), Optional.empty(), Optional.empty());
        assertThat(scene.request(late)).isEqualTo(new PermitReply.Superseded(1, "of the new state"));
        assertThat(scene.state).isSameAs(before);
    }

    /** The state is lost; then late copies of one runner's earlier requests arrive, the opening first. */
    @Test
    void aLateOpeningDoesNotReopenASessionOfALostLedger() {
        scene.bound(Vm.of("A", 1000, 4000));
        var before = (OpenReply.Opened) scene.open("A", "one", 0);
        var request = request("A", before.session(), 1, cpu(1200));
        scene.request(request);

        scene.state = NodeState.blank(Scene.NODE);
        scene.load(
                List.of(scene.podObservation("A", "A", cpu(3000))),
                List.of(Vm.of("A", 3000, 4000).at(scene.nextVersion())));
        var after = (OpenReply.Opened) scene.open("A", "one", 0);

        assertThat(after.session()).isGreaterThan(before.session());
        assertThat(scene.request(request)).isEqualTo(new PermitReply.Superseded(after.session(), "one"));
        assertThat(scene.reserved("A")).isEqualTo(4000);
    }

    @Test
    void afterALossARunnerOpensAgainAndGoesOn() {
        var lost = Scene.withRules(0.8);
        lost.load(
                List.of(lost.podObservation("A", "A", cpu(1000))),
                List.of(Vm.of("A", 1000, 4000).at(lost.nextVersion())));

        assertThat(lost.request(request("A", 30, 9, cpu(1500)))).isEqualTo(new PermitReply.OpenAgain(0));
        assertThat(lost.open("A", "one", 30)).isEqualTo(new OpenReply.Opened(31, cpu(4000), true));
        assertThat(lost.run(new LedgerCommand.Open(new OpenSession(Scene.NODE, "A", "one", 30))))
                .as("the reply was lost and requested again")
                .isEqualTo(new OpenReply.Opened(31, cpu(4000), true));
        assertThat(lost.reserved("A")).as("opening grants and takes nothing").isEqualTo(4000);
        assertThat(((PermitReply.Ruled) lost.request(request("A", 31, 1, cpu(1500)))).permit())
                .isEqualTo(cpu(1500));
    }

    /** Two losses of the state may give two runners the same number. */
    @Test
    void aNumberThatComesAgainIsDistinguishedByTheRunnersName() {
        scene.bound(Vm.of("A", 1000, 4000));
        scene.open("A", "two", 0);
        var before = scene.state;

        assertThat(scene.request(named("one", cpu(500)))).isEqualTo(new PermitReply.Superseded(1, "two"));
        assertThat(scene.state).isSameAs(before);
        assertThat(scene.request(named("two", cpu(500)))).isInstanceOf(PermitReply.Ruled.class);
    }

    private static PermitRequest named(String runner, Resources target) {
        return new PermitRequest(Scene.NODE, "A", runner, 1, 1, Scene.UNIT, target, Optional.empty(), Optional.empty());
    }

    @Test
    void noSessionIsOpenedWithoutARunnerName() {
        var scene = Scene.loaded();

        assertThatThrownBy(() -> scene.open("A", "", 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a session needs the id of its runner");
    }
}
