package io.sluice.pressure.core;

import static io.sluice.pressure.Given.migration;
import static io.sluice.pressure.Given.node;
import static io.sluice.pressure.Given.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.pressure.PressureDecision.Kind;
import io.sluice.messages.vm.EndReply;
import io.sluice.pressure.Given;
import io.sluice.pressure.core.actions.MigrationKey;
import io.sluice.pressure.core.actions.MigrationOutcome;
import io.sluice.pressure.core.actions.MigrationReply;
import io.sluice.pressure.core.actions.MigrationRequest;
import io.sluice.pressure.core.actions.PressureNotice;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** From the object to its end, and what is removed then. */
class MigrationEndTest {
    private final PressureRig rig = PressureRig.listed();

    @Test
    void aVmThatMovedLeavesNothingBehind() {
        rig.underWay();
        rig.observed(migration("a", MigrationPhase.PENDING, 2));
        rig.observed(pod("a", "a2", "n2", "schedplugin-a-pod"));
        rig.answerLooks(
                PressureRig.MARKED,
                node("n2", Given.reservation("a2", 2_000).target().ledger()));
        assertThat(rig.request(MigrationRequest.Release.class).message().node())
                .as("only once the ledger counts the pod that the room was for")
                .isEqualTo("n2");
        rig.answer(MigrationRequest.Release.class, new MigrationReply.OfHold(new HoldReply.Bound()));
        rig.observed(migration("a", MigrationPhase.RUNNING, 3));
        rig.observed(migration("a", MigrationPhase.SUCCEEDED, 4));

        assertThat(rig.reportedKinds()).containsExactly(Kind.MOVING, Kind.MOVED);
        assertThat(rig.lastReported().to()).isEqualTo("n2");
        assertThat(rig.requests(MigrationRequest.Unmark.class))
                .as("the mark goes with the pod")
                .isFalse();
        assertThat(rig.request(MigrationRequest.End.class).message().uid()).isEqualTo("object-a");
        rig.ended();
        rig.podGone("a", "n1");
        rig.migrationGone("a");

        rig.quiet();
        assertThat(rig.recorded)
                .filteredOn(PressureNotice.Ended.class::isInstance)
                .extracting(notice -> ((PressureNotice.Ended) notice).outcome())
                .containsExactly(MigrationOutcome.MOVED);
    }

    @Test
    @DisplayName("F15: a failed migration's mark is removed")
    void aMigrationThatFailsHasTheMarkTakenBackAtOnceAndIsCleanedAway() {
        rig.underWay();
        rig.observed(migration("a", MigrationPhase.FAILED, 3));

        assertThat(rig.reportedKinds()).containsExactly(Kind.MOVING, Kind.NOT_MOVED);
        assertThat(rig.pressure.underWay()).isZero();
        rig.unmarked(2_000);
        rig.released();
        rig.ended();
        rig.migrationGone("a");
        rig.quiet();

        rig.after(Duration.ofSeconds(1));
        rig.pressed(PressureRig.FULL);
        assertThat(rig.lastReported().reason()).contains("in cooldown for 599 s more");
        rig.after(Duration.ofMinutes(10));
        rig.pressed(PressureRig.FULL);
        assertThat(rig.requests(MigrationRequest.Hold.class)).isTrue();
    }

    @Test
    void aMigrationThatDoesNotRunInTimeIsGivenUpAndTheMarkStaysUntilItIsGone() {
        rig.underWay();
        rig.observed(migration("a", MigrationPhase.PENDING, 2));
        rig.after(Duration.ofSeconds(59));
        assertThat(rig.requests(MigrationRequest.End.class)).isFalse();
        rig.after(Duration.ofSeconds(1));
        assertThat(rig.requests(MigrationRequest.End.class)).isTrue();
        rig.ended();
        assertThat(rig.requests(MigrationRequest.Unmark.class))
                .as("the object is still there")
                .isFalse();
        assertThat(rig.reportedKinds()).containsExactly(Kind.MOVING);

        rig.migrationGone("a");
        assertThat(rig.lastReported().reason()).isEqualTo("it was not running after 1m: no node has its new pod");
        rig.requested.removeIf(request -> request.request() instanceof MigrationRequest.Hold);
        rig.unmarked(2_000);
    }

    @Test
    @DisplayName("F15: a migration that hangs is given up")
    void aMigrationThatTakesTooLongIsGivenUp() {
        rig.underWay();
        rig.observed(migration("a", MigrationPhase.RUNNING, 2));
        rig.after(Duration.ofMinutes(59));
        assertThat(rig.requested).isEmpty();
        rig.after(Duration.ofMinutes(1));

        rig.answer(MigrationRequest.End.class, new MigrationReply.OfEnd(new EndReply.Failed("the API server is down")));
        rig.after(Duration.ofSeconds(1));
        rig.ended();
        rig.observed(migration("a", MigrationPhase.FAILED, 3));
        assertThat(rig.lastReported().reason()).isEqualTo("it was not complete after 1h");
        assertThat(rig.recorded)
                .contains(new PressureNotice.Ended(
                        new MigrationKey(Given.NAMESPACE, "schedplugin-a-pod", Given.ATTEMPT),
                        MigrationOutcome.TOO_LONG));
    }

    @Test
    void anObjectThatDoesNotGoIsRequestedToGoAgain() {
        rig.underWay();
        rig.observed(migration("a", MigrationPhase.FAILED, 2));
        rig.ended();
        rig.after(Duration.ofSeconds(29));
        assertThat(rig.requests(MigrationRequest.End.class)).isFalse();
        rig.after(Duration.ofSeconds(1));
        assertThat(rig.requests(MigrationRequest.End.class)).isTrue();
    }

    @Test
    void roomIsNotReleasedForAVmThatMovedUncounted() {
        rig.underWay();
        rig.observed(migration("a", MigrationPhase.SUCCEEDED, 2));
        rig.ended();
        rig.podGone("a", "n1");
        rig.migrationGone("a");

        assertThat(rig.requests(MigrationRequest.Release.class))
                .as("the ledger gives it to the target's pod, or ends it by itself")
                .isFalse();
        rig.quiet();
    }

    @Test
    void oneThatSucceedsWhileItIsCalledOffHasMoved() {
        rig.underWay();
        rig.after(Duration.ofSeconds(60));
        rig.ended();
        rig.observed(migration("a", MigrationPhase.SUCCEEDED, 5));

        assertThat(rig.reportedKinds()).containsExactly(Kind.MOVING, Kind.MOVED);
        rig.migrationGone("a");
        assertThat(rig.requests(MigrationRequest.Unmark.class)).isFalse();
    }

    @Test
    void whetherAVmMovedShowsInItsPodWhereTheObjectIsGoneUnobserved() {
        rig.underWay();
        rig.observed(pod("a", "a2", "n2", "schedplugin-a-pod"));
        rig.observed(Given.vm("a", "a2", "n2", 9, false));
        rig.migrationGone("a");

        assertThat(rig.lastReported().kind()).isEqualTo(Kind.MOVED);
        assertThat(rig.requests(MigrationRequest.Unmark.class)).isFalse();
    }

    @Test
    void aVmThatIsDeletedOnTheWayFreesTheBudgetAtOnce() {
        rig.underWay();
        rig.gone(new VmGone(Given.id("a"), 9));

        assertThat(rig.pressure.underWay()).isZero();
        assertThat(rig.requests(MigrationRequest.End.class)).isTrue();
    }

    @Test
    void aMarkThatTheLedgerForgotIsPutOnAgain() {
        rig.underWay();
        rig.after(Duration.ofSeconds(15));
        rig.answerLooks(PressureRig.FULL, node("n2"));

        assertThat(rig.request(MigrationRequest.Mark.class).message().cause()).isEqualTo(MarkMigrating.Cause.UNDER_WAY);
    }

    @Test
    void olderObservationsChangeNothing() {
        rig.underWay();
        rig.observed(migration("a", MigrationPhase.RUNNING, 5));
        rig.observed(migration("a", MigrationPhase.FAILED, 4));

        assertThat(rig.reportedKinds()).containsExactly(Kind.MOVING);
        assertThat(rig.pressure.underWay()).isEqualTo(1);
    }
}
