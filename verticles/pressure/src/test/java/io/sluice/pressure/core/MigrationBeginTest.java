package io.sluice.pressure.core;

import static io.sluice.pressure.Given.cpu;
import static io.sluice.pressure.Given.migration;
import static io.sluice.pressure.Given.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.messages.ledger.permit.RefusalCause;
import io.sluice.messages.pressure.PressureDecision.Kind;
import io.sluice.messages.vm.MigrateReply;
import io.sluice.pressure.Given;
import io.sluice.pressure.core.actions.MigrationReply;
import io.sluice.pressure.core.actions.MigrationRequest;
import io.sluice.units.Resources;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** From the choice to the object: each step with success and with a failure. */
class MigrationBeginTest {
    private final PressureRig rig = PressureRig.listed();

    @Test
    void roomIsHeldBeforeTheMarkAndTheMarkIsSetBeforeTheRequestToTheDriver() {
        rig.holding();
        assertThat(rig.requested).hasSize(1);
        var hold = rig.request(MigrationRequest.Hold.class).message();
        assertThat(hold.node()).isEqualTo("n2");
        assertThat(hold.holder()).isEqualTo(HoldRoom.forMigration(Given.NAMESPACE, "schedplugin-a-pod"));
        assertThat(hold.amounts()).isEqualTo(cpu(2_000));
        assertThat(hold.ttl()).isEqualTo(Duration.ofSeconds(120));
        assertThat(hold.knownState()).contains(Given.COMPLETED_AT);

        rig.held();
        assertThat(rig.requested).hasSize(1);
        assertThat(rig.request(MigrationRequest.Mark.class).message())
                .isEqualTo(new MarkMigrating("n1", "a", MarkMigrating.Cause.PRESSURE, cpu(2_000), Given.ATTEMPT));

        rig.marked(2_000);
        assertThat(rig.requested).hasSize(1);
        var migrate = rig.request(MigrationRequest.Migrate.class).message();
        assertThat(migrate.vm()).isEqualTo(Given.id("a"));
        assertThat(migrate.podName()).isEqualTo("a-pod");
        assertThat(migrate.roomOn()).isEqualTo("n2");
        assertThat(migrate.completionTimeout()).isEqualTo(Duration.ofHours(1));
        assertThat(rig.reported).isEmpty();

        rig.begun("a");
        assertThat(rig.requested).isEmpty();
        assertThat(rig.reportedKinds()).containsExactly(Kind.MOVING);
        assertThat(rig.lastReported().node()).isEqualTo("n1");
        assertThat(rig.lastReported().to()).isEqualTo("n2");
        assertThat(rig.lastReported().vm()).contains(Given.id("a"));
        assertThat(rig.lastReported().numbers()).contains(PressureNumbers.of(PressureRig.FULL));
        assertThat(rig.lastReported().reason())
                .isEqualTo("the node's excess is cpu 1, memory 1000Mi; load 1.00, the only one that could leave; "
                        + "n2 would then have 2/2000Mi reserved, its watermark is 8/8000Mi");
        assertThat(rig.pressure.underWay()).isEqualTo(1);
    }

    @Test
    void nothingIsHeldWhereTheLedgerStateWasLost() {
        rig.holding();
        rig.answer(
                MigrationRequest.Hold.class,
                new MigrationReply.OfHold(new HoldReply.StateReplaced(Given.COMPLETED_AT.plusSeconds(9))));

        rig.released();
        assertThat(rig.lastReported().reason()).isEqualTo("the ledger of n2 has lost its state since it was observed");
        rig.after(Duration.ofSeconds(1));
        rig.pressed(PressureRig.FULL);
        assertThat(rig.requests(MigrationRequest.Hold.class)).isFalse();
    }

    @Test
    void withoutRoomNothingIsMarkedAndTheNodeIsNotTriedAgainUntilMoreIsKnown() {
        rig.holding();
        rig.answer(
                MigrationRequest.Hold.class,
                new MigrationReply.OfHold(new HoldReply.NoRoom(cpu(500), cpu(9_500), cpu(10_000))));

        // A late copy of the request must not hold room.
        rig.released();
        rig.quiet();
        assertThat(rig.lastReported().kind()).isEqualTo(Kind.NOT_MOVED);
        assertThat(rig.lastReported().reason())
                .isEqualTo("n2 is short of CPU by 500m and memory by 500Mi: 9500m/9500Mi of 10/10000Mi is reserved");
        rig.after(Duration.ofSeconds(1));
        rig.pressed(PressureRig.FULL);
        assertThat(rig.requests(MigrationRequest.Hold.class)).isFalse();
        assertThat(rig.lastReported().kind()).isEqualTo(Kind.NONE_MOVES);

        rig.on(new PressureEvent.NodeChanged(node("n2")));
        rig.after(Duration.ofSeconds(1));
        rig.pressed(PressureRig.FULL);
        assertThat(rig.requests(MigrationRequest.Hold.class)).isTrue();
    }

    @Test
    void aNodeThatRefusedForWhatItsSumsDoNotShowIsLeftOutForAMinute() {
        rig.on(new PressureEvent.NodeChanged(
                node("n3", Given.reservation("x", 5_000).fixed().ledger())));
        rig.holding();
        refused("n2", new HoldReply.RoomKept("prod/large"));
        rig.on(new PressureEvent.NodeChanged(node("n2")));
        rig.after(Duration.ofSeconds(1));
        rig.pressed(PressureRig.FULL);

        refused("n3", new HoldReply.NoRoom(Resources.NONE, cpu(5_000), cpu(10_000), Given.pods(1)));
        rig.on(new PressureEvent.NodeChanged(node("n2")));
        rig.after(Duration.ofSeconds(1));
        rig.pressed(PressureRig.FULL);
        assertThat(rig.lastReported().kind()).isEqualTo(Kind.NONE_MOVES);
        assertThat(rig.lastReported().reason())
                .contains("n2 is left out for 58 s more, as it refused a hold: "
                        + "n2 is left with room that is kept for prod/large, which waits longer");

        rig.after(Duration.ofSeconds(58));
        rig.pressed(PressureRig.FULL);
        assertThat(rig.request(MigrationRequest.Hold.class).message().node()).isEqualTo("n2");
    }

    private void refused(String node, HoldReply reply) {
        assertThat(rig.request(MigrationRequest.Hold.class).message().node()).isEqualTo(node);
        rig.answer(MigrationRequest.Hold.class, new MigrationReply.OfHold(reply));
        rig.released();
    }

    @Test
    void aLostHoldIsRequestedAgainAndARefusalOfTheMarkGivesTheRoomBack() {
        rig.holding();
        rig.lose(MigrationRequest.Hold.class);
        assertThat(rig.requested).isEmpty();
        rig.after(Duration.ofSeconds(1));
        rig.held();

        rig.answer(
                MigrationRequest.Mark.class,
                new MigrationReply.OfMark(new MarkReply.NotPressed(PressureNumbers.of(node("n1")))));

        assertThat(rig.reported)
                .as("that the pressure has ended is not published")
                .isEmpty();
        rig.released();
        rig.unmarked(2_000);
        rig.quiet();
    }

    @Test
    void oneThatOutgrewItsRoomIsReportedAndTriedAgainAtOnce() {
        rig.marking();
        rig.answer(MigrationRequest.Mark.class, new MigrationReply.OfMark(new MarkReply.Outgrown(cpu(2_500))));
        rig.released();
        // A late copy of the request must not leave a mark.
        rig.unmarked(2_500);

        rig.quiet();
        assertThat(rig.lastReported().kind()).isEqualTo(Kind.NOT_MOVED);
        assertThat(rig.lastReported().reason()).contains("it grew to 2500m/2500Mi");
        rig.after(Duration.ofSeconds(1));
        rig.pressed(PressureRig.FULL);
        assertThat(rig.requests(MigrationRequest.Hold.class)).isTrue();
    }

    @Test
    void oneThatTheLedgerDoesNotLetGoIsNotTriedAgainAtOnce() {
        rig.marking();
        rig.answer(
                MigrationRequest.Mark.class, new MigrationReply.OfMark(new MarkReply.Refused(RefusalCause.RECOVERED)));
        rig.released();
        rig.unmarked(2_000);
        rig.after(Duration.ofSeconds(1));
        rig.pressed(PressureRig.FULL);

        assertThat(rig.requested).isEmpty();
        assertThat(rig.lastReported().reason())
                .contains("in cooldown for 9 s more, after the ledger refused its migration");
        rig.after(Duration.ofSeconds(10));
        rig.pressed(PressureRig.FULL);
        assertThat(rig.requests(MigrationRequest.Hold.class)).isTrue();
    }

    @Test
    void aMarkThatMayStandIsTakenBackEvenIfTheSecondTryWasRefused() {
        rig.marking();
        rig.lose(MigrationRequest.Mark.class);
        rig.after(Duration.ofSeconds(1));
        rig.answer(MigrationRequest.Mark.class, new MigrationReply.OfMark(new MarkReply.Outgrown(cpu(2_500))));

        assertThat(rig.requests(MigrationRequest.Unmark.class)).isTrue();
        assertThat(rig.requests(MigrationRequest.Release.class)).isTrue();
    }

    @Test
    void aLedgerThatStaysSilentEndsTheAttemptAndIsRequestedToForgetIt() {
        rig.marking();
        rig.lose(MigrationRequest.Mark.class);
        rig.now = rig.now.plus(Duration.ofSeconds(60));
        rig.after(Duration.ZERO);

        assertThat(rig.lastReported().reason()).isEqualTo("the ledger did not reply within 1m");
        assertThat(rig.requests(MigrationRequest.Unmark.class)).isTrue();
        rig.lose(MigrationRequest.Unmark.class);
        rig.released();
        assertThat(rig.pressure.view(rig.now).migrations())
                .as("until it certainly is not marked")
                .hasSize(1);
        rig.after(Duration.ofSeconds(30));
        rig.unmarked(2_000);
        rig.quiet();
    }

    @Test
    void thePauseStopsWhatHasNotBegun() {
        rig.marking();
        rig.on(new PressureEvent.RulesChanged(PressureRig.paused()));
        assertThat(rig.lastReported().reason()).isEqualTo("migrations are paused");
        assertThat(rig.requests(MigrationRequest.Release.class)).isTrue();
        rig.marked(2_000);
        rig.unmarked(2_000);
        rig.released();
        rig.quiet();
    }

    @Test
    void thePauseLeavesAloneWhatHasBegun() {
        rig.underWay();
        rig.on(new PressureEvent.RulesChanged(PressureRig.paused()));
        rig.after(Duration.ofSeconds(5));
        assertThat(rig.requested).isEmpty();
        assertThat(rig.pressure.underWay()).isEqualTo(1);
    }

    @Test
    void aRequestToADriverInDoubtIsRepeatedAndTheMarkStaysMeanwhile() {
        rig.beginning();
        rig.answer(
                MigrationRequest.Migrate.class,
                new MigrationReply.OfMigrate(new MigrateReply.InDoubt("the API server is down")));
        for (int i = 0; i < 20; i++) {
            rig.after(Duration.ofSeconds(30));
            if (rig.requests(MigrationRequest.Hold.class)) {
                rig.held();
            }
            rig.lose(MigrationRequest.Migrate.class);
            assertThat(rig.requests(MigrationRequest.Unmark.class)).isFalse();
        }
        rig.after(Duration.ofSeconds(30));
        assertThat(rig.relists).as("observations may show the object").isPositive();
        rig.begun("a");

        assertThat(rig.requests(MigrationRequest.End.class))
                .as("it should have been running for some time")
                .isTrue();
    }

    @Test
    void aDriverThatCertainlyDidNotBeginItHasMarkAndRoomTakenBack() {
        rig.beginning();
        rig.answer(
                MigrationRequest.Migrate.class, new MigrationReply.OfMigrate(new MigrateReply.Refused("no such VM")));

        assertThat(rig.lastReported().kind()).isEqualTo(Kind.NOT_MOVED);
        assertThat(rig.lastReported().reason()).isEqualTo("its driver did not begin it: no such VM");
        rig.unmarked(2_000);
        rig.released();
        rig.quiet();
        rig.after(Duration.ofSeconds(1));
        rig.pressed(PressureRig.FULL);
        assertThat(rig.requested).as("not within its cooldown").isEmpty();
    }

    @Test
    void theObservationMayOvertakeTheReply() {
        rig.beginning();
        rig.observed(migration("a", MigrationPhase.PENDING, 2));
        assertThat(rig.reportedKinds()).containsExactly(Kind.MOVING);
        rig.begun("a");

        assertThat(rig.reportedKinds()).containsExactly(Kind.MOVING);
        assertThat(rig.requested).isEmpty();
    }

    @Test
    void evenTheObservationOfItsEndMayOvertakeTheReply() {
        rig.beginning();
        rig.migrationGone("a");
        assertThat(rig.requests(MigrationRequest.Unmark.class))
                .as("the object of that request is not known")
                .isFalse();
        rig.begun("a");

        assertThat(rig.reportedKinds()).containsExactly(Kind.MOVING, Kind.NOT_MOVED);
        rig.unmarked(2_000);
        rig.released();
        rig.quiet();
    }

    @Test
    void whenThePodEndsBeforeTheBeginThereIsNothingLeftToUnmark() {
        rig.marking();
        rig.podGone("a", "n1");
        rig.marked(2_000);
        rig.released();

        rig.quiet();
        assertThat(rig.lastReported().reason()).isEqualTo("its pod ended");
    }

    @Test
    void anAnswerThatComesTwiceCountsOnce() {
        rig.holding();
        var request = rig.requested.getFirst();
        rig.held();
        rig.on(new PressureEvent.Answered(
                request.number(),
                request.migration(),
                new MigrationReply.OfHold(new HoldReply.NoRoom(cpu(1), cpu(1), cpu(1)))));

        assertThat(rig.requests(MigrationRequest.Mark.class)).isTrue();
        assertThat(rig.reported).isEmpty();
    }
}
