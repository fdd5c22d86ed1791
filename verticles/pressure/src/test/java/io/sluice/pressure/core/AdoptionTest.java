package io.sluice.pressure.core;

import static io.sluice.pressure.Given.cpu;
import static io.sluice.pressure.Given.member;
import static io.sluice.pressure.Given.migration;
import static io.sluice.pressure.Given.node;
import static io.sluice.pressure.Given.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.RefusalCause;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.messages.pressure.PressureDecision.Kind;
import io.sluice.pressure.Given;
import io.sluice.pressure.core.migrations.MigrationReply;
import io.sluice.pressure.core.migrations.MigrationRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Migrations that were there before, or that somebody else began, and what earlier processes left behind. */
class AdoptionTest {
    private final PressureRig rig = PressureRig.listed();

    private void known() {
        rig.seen(Given.vm("a", "n1", 1));
        rig.seen(pod("a", "a", "n1", ""));
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
        rig.seen(justMade(MigrationPhase.PENDING, 2));
        assertThat(rig.toldKinds()).containsExactly(Kind.ADOPTED);
        assertThat(rig.lastTold().reason()).isEqualTo("begun by an earlier process and watched from now on");
        assertThat(rig.lastTold().node()).isEqualTo("n1");
        assertThat(rig.question(MigrationRequest.Mark.class).message())
                .isEqualTo(new MarkMigrating(
                        "n1", "a", MarkMigrating.Cause.UNDER_WAY, io.sluice.units.Resources.NONE, Given.ATTEMPT));
        rig.marked(1_800);
        assertThat(rig.asks(MigrationRequest.Hold.class))
                .as("its pod may be there, and be told of in a moment")
                .isFalse();
        rig.after(Duration.ofSeconds(5));
        assertThat(rig.question(MigrationRequest.Hold.class).message().amounts())
                .isEqualTo(cpu(1_800));
        rig.held();
        rig.seen(migration("a", MigrationPhase.SUCCEEDED, 3));

        assertThat(rig.toldKinds()).containsExactly(Kind.ADOPTED, Kind.MOVED);
        assertThat(rig.asks(MigrationRequest.End.class)).isTrue();
    }

    @Test
    void anOrphanWhosePodHasLandedHoldsNoRoomTwice() {
        known();
        rig.seen(pod("a", "a2", "n2", "schedplugin-a-pod"));
        rig.seen(justMade(MigrationPhase.PENDING, 2));
        rig.marked(2_000);
        rig.after(Duration.ofSeconds(6));

        assertThat(rig.asks(MigrationRequest.Hold.class)).isFalse();
    }

    @Test
    void theMarkOfTheOneThatEndedGoesWhateverOtherMigrationMayLeaveTheSameMember() {
        known();
        rig.seen(byHand());
        rig.marked(2_000);
        rig.seen(migration("a", MigrationPhase.FAILED, 2));

        assertThat(rig.question(MigrationRequest.Unmark.class).message())
                .isEqualTo(new UnmarkMigrating("n1", "a", Given.ATTEMPT));
    }

    @Test
    void eachMigrationHasAMarkOfItsOwn() {
        rig.underWay();
        rig.seen(migration("a", MigrationPhase.FAILED, 3));
        assertThat(rig.question(MigrationRequest.Unmark.class).message().attempt())
                .isEqualTo(Given.ATTEMPT);

        rig.seen(byHand());

        assertThat(rig.question(MigrationRequest.Mark.class).message().attempt())
                .as("whichever is heard last")
                .isEqualTo("object-by-hand");
    }

    @Test
    void anOrphanThatIsTooOldIsGivenUpAtOnce() {
        known();
        rig.seen(migration("a", MigrationPhase.RUNNING, 2));

        assertThat(rig.asks(MigrationRequest.End.class)).isTrue();
    }

    @Test
    void anOrphanCountsAgainstTheBudgetAndItsVmIsNotMovedTwice() {
        known();
        rig.seen(justMade(MigrationPhase.RUNNING, 2));
        rig.marked(2_000);
        rig.pressed(node(
                "n1",
                member("a", 4_000).load(1).books(),
                member("rest", 4_500).fixed().books()));

        assertThat(rig.pressure.underWay()).isEqualTo(1);
        assertThat(rig.asks(MigrationRequest.Hold.class)).isFalse();
        assertThat(rig.toldKinds()).containsExactly(Kind.ADOPTED);
    }

    @Test
    void whoMovesMayBeKnownBeforeWhereItIs() {
        rig.seen(justMade(MigrationPhase.RUNNING, 2));
        assertThat(rig.asked).isEmpty();
        assertThat(rig.told).isEmpty();
        rig.seen(pod("a", "a", "n1", ""));

        assertThat(rig.toldKinds()).containsExactly(Kind.ADOPTED);
        assertThat(rig.asks(MigrationRequest.Mark.class)).isTrue();
    }

    @Test
    void whatHadEndedBeforeIsCleanedAwayAndItsMarkTakenBack() {
        known();
        rig.seen(migration("a", MigrationPhase.FAILED, 2));

        assertThat(rig.told).isEmpty();
        rig.unmarked(2_000);
        rig.ended();
        rig.answer(
                MigrationRequest.Release.class,
                new MigrationReply.OfHold(new io.sluice.messages.ledger.HoldReply.NoSuchHold()));
        rig.migrationGone("a");
        assertThat(rig.pressure.view(rig.now).migrations()).isEmpty();
        assertThat(rig.pressure.resting()).as("its cool-down begins anew").isEqualTo(1);
    }

    @Test
    void somebodyElsesMigrationIsMarkedWatchedAndNeverEnded() {
        known();
        rig.seen(foreign(MigrationPhase.PENDING, 2));
        assertThat(rig.lastTold().reason()).isEqualTo("begun by somebody else and watched from now on");
        rig.marked(2_000);
        rig.after(Duration.ofHours(2));
        assertThat(rig.asked).isEmpty();
        rig.seen(foreign(MigrationPhase.FAILED, 3));
        assertThat(rig.toldKinds()).containsExactly(Kind.ADOPTED, Kind.NOT_MOVED);
        rig.unmarked(2_000);

        assertThat(rig.asked).isEmpty();
        assertThat(rig.pressure.view(rig.now).migrations()).isEmpty();
        rig.seen(foreign(MigrationPhase.FAILED, 3));
        rig.seen(foreign(MigrationPhase.RUNNING, 2));
        assertThat(rig.pressure.view(rig.now).migrations()).as("old news").isEmpty();
    }

    @Test
    void aMarkThatTheLedgerCannotPutOnYetIsTriedAgain() {
        known();
        rig.seen(justMade(MigrationPhase.RUNNING, 2));
        rig.answer(
                MigrationRequest.Mark.class,
                new MigrationReply.OfMark(new MarkReply.Refused(RefusalCause.MEMBER_UNKNOWN)));
        assertThat(rig.asked).isEmpty();
        rig.after(Duration.ofSeconds(5));

        assertThat(rig.asks(MigrationRequest.Mark.class)).isTrue();
        assertThat(rig.toldKinds()).containsExactly(Kind.ADOPTED);
    }

    @Test
    void oursGivesWayToSomebodyElsesAndTakesItsOwnMarkBack() {
        known();
        rig.pressed(node(
                "n1",
                member("a", 2_000).load(1).books(),
                member("rest", 7_000).fixed().books()));
        rig.held();
        var other = byHand();
        rig.seen(other);
        assertThat(rig.told.getFirst().reason()).isEqualTo("its VM is being moved by prod/by-hand");
        rig.marked(2_000);
        rig.marked(2_000);
        rig.released();

        assertThat(rig.question(MigrationRequest.Unmark.class).message().attempt())
                .isEqualTo(Given.ATTEMPT);
        rig.unmarked(2_000);
        assertThat(rig.asks(MigrationRequest.Migrate.class)).isFalse();
        assertThat(rig.pressure.view(rig.now).migrations())
                .singleElement()
                .satisfies(left -> assertThat(left.migration()).isEqualTo("prod/by-hand"));
    }

    @Test
    void aMigrationWhoseEndNobodyToldIsMissedByTheFirstListThatIsNewer() {
        known();
        rig.seen(foreign(MigrationPhase.RUNNING, 5));
        rig.marked(2_000);
        rig.listing(4, "another");
        rig.listing(9, "object-a");
        known();
        for (int i = 0; i < 5; i++) {
            rig.listing();
            known();
        }
        assertThat(rig.asks(MigrationRequest.Unmark.class))
                .as("listings that do not say so, however many, prove nothing")
                .isFalse();
        rig.listing(10, "another");

        assertThat(rig.asks(MigrationRequest.Unmark.class)).isTrue();
        assertThat(rig.lastTold().reason()).isEqualTo("its object was deleted");
    }

    @Test
    void anObjectOfWhichNoFactWasHeardIsNotMissedByAListFromBeforeItWasMade() {
        rig.underWay();
        rig.listing(0);
        assertThat(rig.pressure.underWay()).isEqualTo(1);

        rig.listing(1);
        assertThat(rig.pressure.underWay()).isZero();
    }

    @Test
    void aMigrationOfSomebodyElseThatDoesNotEndHangs() {
        known();
        rig.seen(foreign(MigrationPhase.RUNNING, 2));
        rig.marked(2_000);
        assertThat(rig.pressure.hanging()).as("as old as its object").isEqualTo(1);
        rig.seen(foreign(MigrationPhase.FAILED, 3));
        assertThat(rig.pressure.hanging()).isZero();

        rig.seen(justMade(MigrationPhase.RUNNING, 4));
        rig.after(Duration.ofHours(2));
        assertThat(rig.pressure.hanging()).as("ours are ended").isZero();
    }

    @Test
    void aMigrationWhoseAttemptWasGivenUpBeforeIsEnded() {
        known();
        rig.seen(justMade(MigrationPhase.RUNNING, 2));
        rig.answer(
                MigrationRequest.Mark.class,
                new MigrationReply.OfMark(new MarkReply.Refused(RefusalCause.ATTEMPT_OVER)));

        assertThat(rig.question(MigrationRequest.End.class).message().uid()).isEqualTo("object-a");
        rig.ended();
        rig.migrationGone("a");
        assertThat(rig.lastTold().reason()).isEqualTo("it was given up before its object came");
    }

    @Test
    void podsAndVmsWhoseEndNobodyToldAreMissedToo() {
        known();
        rig.seen(justMade(MigrationPhase.RUNNING, 2));
        rig.marked(2_000);
        rig.listing();
        rig.listing();
        rig.seen(justMade(MigrationPhase.RUNNING, 2));
        rig.listing();

        assertThat(rig.pressure.underWay()).as("there is no such VM").isZero();
    }

    @Test
    void anObjectOfTheSameNameAndAnotherUidMeansThatTheFirstIsGone() {
        known();
        rig.seen(foreign(MigrationPhase.RUNNING, 2));
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
        rig.seen(second);
        rig.unmarked(2_000);

        assertThat(rig.toldKinds()).containsExactly(Kind.ADOPTED, Kind.NOT_MOVED, Kind.ADOPTED);
        assertThat(rig.asks(MigrationRequest.Mark.class)).isTrue();
    }

    @Test
    void oneThatSomebodyElseCallsOffIsOverOnceItIsGone() {
        known();
        rig.seen(justMade(MigrationPhase.RUNNING, 2));
        rig.marked(2_000);
        var seen = justMade(MigrationPhase.RUNNING, 3);
        rig.seen(new MigrationObserved(
                seen.driver(),
                seen.namespace(),
                seen.name(),
                seen.uid(),
                3,
                seen.vmName(),
                seen.phase(),
                seen.sourcePod(),
                "",
                "",
                true,
                true,
                seen.createdAtSeconds(),
                seen.attempt()));
        rig.migrationGone("a");

        assertThat(rig.lastTold().reason()).isEqualTo("somebody else called it off");
        assertThat(rig.asks(MigrationRequest.Unmark.class)).isTrue();
    }

    /** Somebody moves the same VM. */
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
