package io.sluice.pressure.core;

import static io.sluice.pressure.Given.cpu;
import static io.sluice.pressure.Given.migration;
import static io.sluice.pressure.Given.node;
import static io.sluice.pressure.Given.pod;
import static io.sluice.pressure.Given.reservation;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.messages.ledger.permit.RefusalCause;
import io.sluice.messages.pressure.PressureDecision.Kind;
import io.sluice.pressure.Given;
import io.sluice.pressure.core.actions.MigrationReply;
import io.sluice.pressure.core.actions.MigrationRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Migrations that existed before, or that another party began, and what earlier processes left. */
class AdoptionTest {
    private final PressureRig rig = PressureRig.listed();

    private void known() {
        rig.observed(Given.vm("a", "n1", 1));
        rig.observed(pod("a", "a", "n1", ""));
    }

    private static MigrationObserved foreign(MigrationPhase phase, long version) {
        return migration("a", phase, version, "", false);
    }

    private MigrationObserved justMade(MigrationPhase phase, long version) {
        var made = migration("a", phase, version);
        return new MigrationObserved(
                made.driver(),
                made.namespace(),
                made.name(),
                made.uid(),
                made.version(),
                made.vmName(),
                made.phase(),
                made.sourcePod(),
                made.targetPod(),
                made.roomOn(),
                true,
                false,
                rig.now.getEpochSecond(),
                made.attempt());
    }

    @Test
    void anOrphanIsMarkedHasItsRoomHeldAgainAndIsWatchedToItsEnd() {
        known();
        rig.observed(justMade(MigrationPhase.PENDING, 2));
        assertThat(rig.reportedKinds()).containsExactly(Kind.ADOPTED);
        assertThat(rig.lastReported().reason()).isEqualTo("begun by an earlier process and followed from now on");
        assertThat(rig.lastReported().node()).isEqualTo("n1");
        assertThat(rig.request(MigrationRequest.Mark.class).message())
                .isEqualTo(new MarkMigrating(
                        "n1", "a", MarkMigrating.Cause.UNDER_WAY, io.sluice.units.Resources.NONE, Given.ATTEMPT));
        rig.marked(1_800);
        assertThat(rig.requests(MigrationRequest.Hold.class))
                .as("its pod may exist, and its observation may follow at once")
                .isFalse();
        rig.after(Duration.ofSeconds(5));
        assertThat(rig.request(MigrationRequest.Hold.class).message().amounts()).isEqualTo(cpu(1_800));
        rig.held();
        rig.observed(migration("a", MigrationPhase.SUCCEEDED, 3));

        assertThat(rig.reportedKinds()).containsExactly(Kind.ADOPTED, Kind.MOVED);
        assertThat(rig.requests(MigrationRequest.End.class)).isTrue();
    }

    @Test
    void anOrphanWithAPodThatHasArrivedHoldsNoRoomTwice() {
        known();
        rig.observed(pod("a", "a2", "n2", "schedplugin-a-pod"));
        rig.observed(justMade(MigrationPhase.PENDING, 2));
        rig.marked(2_000);
        rig.after(Duration.ofSeconds(6));

        assertThat(rig.requests(MigrationRequest.Hold.class)).isFalse();
    }

    @Test
    void theMarkOfTheOneThatEndedGoesWhateverOtherMigrationMayLeaveTheSamePod() {
        known();
        rig.observed(byHand());
        rig.marked(2_000);
        rig.observed(migration("a", MigrationPhase.FAILED, 2));

        assertThat(rig.request(MigrationRequest.Unmark.class).message())
                .isEqualTo(new UnmarkMigrating("n1", "a", Given.ATTEMPT));
    }

    @Test
    void eachMigrationHasAMarkOfItsOwn() {
        rig.underWay();
        rig.observed(migration("a", MigrationPhase.FAILED, 3));
        assertThat(rig.request(MigrationRequest.Unmark.class).message().attempt())
                .isEqualTo(Given.ATTEMPT);

        rig.observed(byHand());

        assertThat(rig.request(MigrationRequest.Mark.class).message().attempt())
                .as("whichever comes last")
                .isEqualTo("object-by-hand");
    }

    @Test
    void anOrphanThatIsTooOldIsGivenUpAtOnce() {
        known();
        rig.observed(migration("a", MigrationPhase.RUNNING, 2));

        assertThat(rig.requests(MigrationRequest.End.class)).isTrue();
    }

    @Test
    void anOrphanCountsAgainstTheBudgetAndItsVmIsNotMovedTwice() {
        known();
        rig.observed(justMade(MigrationPhase.RUNNING, 2));
        rig.marked(2_000);
        rig.pressed(node(
                "n1",
                reservation("a", 4_000).load(1).ledger(),
                reservation("rest", 4_500).fixed().ledger()));

        assertThat(rig.pressure.underWay()).isEqualTo(1);
        assertThat(rig.requests(MigrationRequest.Hold.class)).isFalse();
        assertThat(rig.reportedKinds()).containsExactly(Kind.ADOPTED);
    }

    @Test
    void theVmThatMovesMayBeKnownBeforeWhereItIs() {
        rig.observed(justMade(MigrationPhase.RUNNING, 2));
        assertThat(rig.requested).isEmpty();
        assertThat(rig.reported).isEmpty();
        rig.observed(pod("a", "a", "n1", ""));

        assertThat(rig.reportedKinds()).containsExactly(Kind.ADOPTED);
        assertThat(rig.requests(MigrationRequest.Mark.class)).isTrue();
    }

    @Test
    void whatHadEndedBeforeIsCleanedAwayAndItsMarkTakenBack() {
        known();
        rig.observed(migration("a", MigrationPhase.FAILED, 2));

        assertThat(rig.reported).isEmpty();
        rig.unmarked(2_000);
        rig.ended();
        rig.answer(
                MigrationRequest.Release.class,
                new MigrationReply.OfHold(new io.sluice.messages.ledger.HoldReply.NoSuchHold()));
        rig.migrationGone("a");
        assertThat(rig.pressure.view(rig.now).migrations()).isEmpty();
        assertThat(rig.pressure.resting()).as("its cooldown begins again").isEqualTo(1);
    }

    @Test
    void aForeignMigrationIsMarkedWatchedAndNeverEnded() {
        known();
        rig.observed(foreign(MigrationPhase.PENDING, 2));
        assertThat(rig.lastReported().reason()).isEqualTo("begun by another party and followed from now on");
        rig.marked(2_000);
        rig.after(Duration.ofHours(2));
        assertThat(rig.requested).isEmpty();
        rig.observed(foreign(MigrationPhase.FAILED, 3));
        assertThat(rig.reportedKinds()).containsExactly(Kind.ADOPTED, Kind.NOT_MOVED);
        rig.unmarked(2_000);

        assertThat(rig.requested).isEmpty();
        assertThat(rig.pressure.view(rig.now).migrations()).isEmpty();
        rig.observed(foreign(MigrationPhase.FAILED, 3));
        rig.observed(foreign(MigrationPhase.RUNNING, 2));
        assertThat(rig.pressure.view(rig.now).migrations())
                .as("an old observation")
                .isEmpty();
    }

    @Test
    void aMarkThatTheLedgerCannotPutOnYetIsTriedAgain() {
        known();
        rig.observed(justMade(MigrationPhase.RUNNING, 2));
        rig.answer(
                MigrationRequest.Mark.class,
                new MigrationReply.OfMark(new MarkReply.Refused(RefusalCause.POD_UNKNOWN)));
        assertThat(rig.requested).isEmpty();
        rig.after(Duration.ofSeconds(5));

        assertThat(rig.requests(MigrationRequest.Mark.class)).isTrue();
        assertThat(rig.reportedKinds()).containsExactly(Kind.ADOPTED);
    }

    @Test
    void oursGivesWayToAForeignOneAndTakesItsOwnMarkBack() {
        known();
        rig.pressed(node(
                "n1",
                reservation("a", 2_000).load(1).ledger(),
                reservation("rest", 7_000).fixed().ledger()));
        rig.held();
        var other = byHand();
        rig.observed(other);
        assertThat(rig.reported.getFirst().reason()).isEqualTo("its VM is in the migration prod/by-hand");
        rig.marked(2_000);
        rig.marked(2_000);
        rig.released();

        assertThat(rig.request(MigrationRequest.Unmark.class).message().attempt())
                .isEqualTo(Given.ATTEMPT);
        rig.unmarked(2_000);
        assertThat(rig.requests(MigrationRequest.Migrate.class)).isFalse();
        assertThat(rig.pressure.view(rig.now).migrations())
                .singleElement()
                .satisfies(left -> assertThat(left.migration()).isEqualTo("prod/by-hand"));
    }

    @Test
    void aMigrationWithAnUnreportedEndIsMissedByTheFirstListThatIsNewer() {
        known();
        rig.observed(foreign(MigrationPhase.RUNNING, 5));
        rig.marked(2_000);
        rig.fullList(4, "another");
        rig.fullList(9, "object-a");
        known();
        for (int i = 0; i < 5; i++) {
            rig.fullList();
            known();
        }
        assertThat(rig.requests(MigrationRequest.Unmark.class))
                .as("full lists that name no migrations prove nothing")
                .isFalse();
        rig.fullList(10, "another");

        assertThat(rig.requests(MigrationRequest.Unmark.class)).isTrue();
        assertThat(rig.lastReported().reason()).isEqualTo("its object was deleted");
    }

    @Test
    void anUnobservedObjectIsNotMissedByAListFromBeforeItWasMade() {
        rig.underWay();
        rig.fullList(0);
        assertThat(rig.pressure.underWay()).isEqualTo(1);

        rig.fullList(1);
        assertThat(rig.pressure.underWay()).isZero();
    }

    @Test
    void aForeignMigrationThatDoesNotEndHangs() {
        known();
        rig.observed(foreign(MigrationPhase.RUNNING, 2));
        rig.marked(2_000);
        assertThat(rig.pressure.hanging()).as("as old as its object").hasSize(1);
        rig.observed(foreign(MigrationPhase.FAILED, 3));
        assertThat(rig.pressure.hanging()).isEmpty();

        rig.observed(justMade(MigrationPhase.RUNNING, 4));
        rig.after(Duration.ofHours(2));
        assertThat(rig.pressure.hanging()).as("those of this role are ended").isEmpty();
    }

    @Test
    void aMigrationOfAnAttemptThatWasGivenUpBeforeIsEnded() {
        known();
        rig.observed(justMade(MigrationPhase.RUNNING, 2));
        rig.answer(
                MigrationRequest.Mark.class,
                new MigrationReply.OfMark(new MarkReply.Refused(RefusalCause.ATTEMPT_OVER)));

        assertThat(rig.request(MigrationRequest.End.class).message().uid()).isEqualTo("object-a");
        rig.ended();
        rig.migrationGone("a");
        assertThat(rig.lastReported().reason()).isEqualTo("it was given up before its object came");
    }

    @Test
    void podsAndVmsWithUnreportedEndsAreMissedToo() {
        known();
        rig.observed(justMade(MigrationPhase.RUNNING, 2));
        rig.marked(2_000);
        rig.fullList();
        rig.fullList();
        rig.observed(justMade(MigrationPhase.RUNNING, 2));
        rig.fullList();

        assertThat(rig.pressure.underWay()).as("there is no such VM").isZero();
    }

    @Test
    void anObjectOfTheSameNameAndAnotherUidMeansThatTheFirstIsGone() {
        known();
        rig.observed(foreign(MigrationPhase.RUNNING, 2));
        rig.marked(2_000);
        var second = new MigrationObserved(
                Given.DRIVER,
                Given.NAMESPACE,
                "schedplugin-a-pod",
                "another",
                9,
                "a",
                MigrationPhase.NEW,
                "",
                "",
                "",
                false,
                false,
                0,
                "another");
        rig.observed(second);
        rig.unmarked(2_000);

        assertThat(rig.reportedKinds()).containsExactly(Kind.ADOPTED, Kind.NOT_MOVED, Kind.ADOPTED);
        assertThat(rig.requests(MigrationRequest.Mark.class)).isTrue();
    }

    @Test
    void oneThatAnotherClientCallsOffIsOverOnceItIsGone() {
        known();
        rig.observed(justMade(MigrationPhase.RUNNING, 2));
        rig.marked(2_000);
        var observed = justMade(MigrationPhase.RUNNING, 3);
        rig.observed(new MigrationObserved(
                observed.driver(),
                observed.namespace(),
                observed.name(),
                observed.uid(),
                3,
                observed.vmName(),
                observed.phase(),
                observed.sourcePod(),
                "",
                "",
                true,
                true,
                observed.createdAtSeconds(),
                observed.attempt()));
        rig.migrationGone("a");

        assertThat(rig.lastReported().reason()).isEqualTo("another party cancelled it");
        assertThat(rig.requests(MigrationRequest.Unmark.class)).isTrue();
    }

    /** A migration of the same VM by another party. */
    private static MigrationObserved byHand() {
        return new MigrationObserved(
                Given.DRIVER,
                Given.NAMESPACE,
                "by-hand",
                "object-by-hand",
                7,
                "a",
                MigrationPhase.PENDING,
                "a-pod",
                "",
                "",
                false,
                false,
                0,
                "object-by-hand");
    }
}
