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
import io.sluice.messages.ledger.RefusalCause;
import io.sluice.messages.pressure.PressureDecision.Kind;
import io.sluice.messages.vm.MigrateReply;
import io.sluice.pressure.Given;
import io.sluice.pressure.core.migrations.MigrationReply;
import io.sluice.pressure.core.migrations.MigrationRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** From the choice to the object: each step as it should go and as it should not. */
class MigrationBeginTest {
    private final PressureRig rig = PressureRig.listed();

    @Test
    void roomIsHeldBeforeTheMarkAndTheMarkStandsBeforeTheDriverIsAsked() {
        rig.holding();
        assertThat(rig.asked).hasSize(1);
        var hold = rig.question(MigrationRequest.Hold.class).message();
        assertThat(hold.node()).isEqualTo("n2");
        assertThat(hold.holder()).isEqualTo(HoldRoom.forMigration(Given.NAMESPACE, "schedplugin-a-pod"));
        assertThat(hold.amounts()).isEqualTo(cpu(2_000));
        assertThat(hold.ttl()).isEqualTo(Duration.ofSeconds(120));

        rig.held();
        assertThat(rig.asked).hasSize(1);
        assertThat(rig.question(MigrationRequest.Mark.class).message())
                .isEqualTo(new MarkMigrating("n1", "a", MarkMigrating.Cause.PRESSURE, cpu(2_000), Given.ATTEMPT));

        rig.marked(2_000);
        assertThat(rig.asked).hasSize(1);
        var migrate = rig.question(MigrationRequest.Migrate.class).message();
        assertThat(migrate.vm()).isEqualTo(Given.id("a"));
        assertThat(migrate.podName()).isEqualTo("a-pod");
        assertThat(migrate.roomOn()).isEqualTo("n2");
        assertThat(migrate.completionTimeout()).isEqualTo(Duration.ofHours(1));
        assertThat(rig.told).isEmpty();

        rig.begun("a");
        assertThat(rig.asked).isEmpty();
        assertThat(rig.toldKinds()).containsExactly(Kind.MOVING);
        assertThat(rig.lastTold().node()).isEqualTo("n1");
        assertThat(rig.lastTold().to()).isEqualTo("n2");
        assertThat(rig.lastTold().vm()).contains(Given.id("a"));
        assertThat(rig.lastTold().numbers()).contains(PressureNumbers.of(PressureRig.FULL));
        assertThat(rig.lastTold().reason())
                .isEqualTo("too much by cpu 1, memory 1000Mi; load 1.00, the only one that could leave; "
                        + "n2 would have reserved 2/2000Mi of its watermark 8/8000Mi");
        assertThat(rig.pressure.underWay()).isEqualTo(1);
    }

    @Test
    void withoutRoomNothingIsMarkedAndTheNodeIsNotTriedAgainUntilMoreIsKnown() {
        rig.holding();
        rig.answer(
                MigrationRequest.Hold.class,
                new MigrationReply.OfHold(new HoldReply.NoRoom(cpu(500), cpu(9_500), cpu(10_000))));

        // A copy of the question that comes late is to hold nothing.
        rig.released();
        rig.quiet();
        assertThat(rig.lastTold().kind()).isEqualTo(Kind.NOT_MOVED);
        assertThat(rig.lastTold().reason())
                .isEqualTo("n2 is short of cpu 500m, memory 500Mi: 9500m/9500Mi of 10/10000Mi is reserved");
        rig.after(Duration.ofSeconds(1));
        rig.pressed(PressureRig.FULL);
        assertThat(rig.asks(MigrationRequest.Hold.class)).isFalse();
        assertThat(rig.lastTold().kind()).isEqualTo(Kind.NOBODY_MOVES);

        rig.on(new PressureEvent.NodeChanged(node("n2")));
        rig.after(Duration.ofSeconds(1));
        rig.pressed(PressureRig.FULL);
        assertThat(rig.asks(MigrationRequest.Hold.class)).isTrue();
    }

    @Test
    void aLostHoldIsAskedForAgainAndARefusalOfTheMarkGivesTheRoomBack() {
        rig.holding();
        rig.lose(MigrationRequest.Hold.class);
        assertThat(rig.asked).isEmpty();
        rig.after(Duration.ofSeconds(1));
        rig.held();

        rig.answer(
                MigrationRequest.Mark.class,
                new MigrationReply.OfMark(new MarkReply.NotPressed(PressureNumbers.of(node("n1")))));

        assertThat(rig.told).as("that the pressure went by itself is no news").isEmpty();
        rig.released();
        rig.unmarked(2_000);
        rig.quiet();
    }

    @Test
    void oneThatOutgrewItsRoomIsToldAndTriedAgainAtOnce() {
        rig.marking();
        rig.answer(MigrationRequest.Mark.class, new MigrationReply.OfMark(new MarkReply.Outgrown(cpu(2_500))));
        rig.released();
        // A copy of the question that comes late is to mark nobody.
        rig.unmarked(2_500);

        rig.quiet();
        assertThat(rig.lastTold().kind()).isEqualTo(Kind.NOT_MOVED);
        assertThat(rig.lastTold().reason()).contains("it grew to 2500m/2500Mi");
        rig.after(Duration.ofSeconds(1));
        rig.pressed(PressureRig.FULL);
        assertThat(rig.asks(MigrationRequest.Hold.class)).isTrue();
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

        assertThat(rig.asked).isEmpty();
        assertThat(rig.lastTold().reason()).contains("in cool-down for 9 s more, after the ledger did not let it go");
        rig.after(Duration.ofSeconds(10));
        rig.pressed(PressureRig.FULL);
        assertThat(rig.asks(MigrationRequest.Hold.class)).isTrue();
    }

    @Test
    void aMarkThatMayStandIsTakenBackEvenIfTheSecondTryWasRefused() {
        rig.marking();
        rig.lose(MigrationRequest.Mark.class);
        rig.after(Duration.ofSeconds(1));
        rig.answer(MigrationRequest.Mark.class, new MigrationReply.OfMark(new MarkReply.Outgrown(cpu(2_500))));

        assertThat(rig.asks(MigrationRequest.Unmark.class)).isTrue();
        assertThat(rig.asks(MigrationRequest.Release.class)).isTrue();
    }

    @Test
    void aLedgerThatStaysSilentEndsTheAttemptAndIsToldToForgetIt() {
        rig.marking();
        rig.lose(MigrationRequest.Mark.class);
        rig.now = rig.now.plus(Duration.ofSeconds(60));
        rig.after(Duration.ZERO);

        assertThat(rig.lastTold().reason()).isEqualTo("the ledger did not answer within 1m");
        assertThat(rig.asks(MigrationRequest.Unmark.class)).isTrue();
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
    void theBrakeStopsWhatHasNotBegun() {
        rig.marking();
        rig.on(new PressureEvent.RulesChanged(PressureRig.paused()));
        assertThat(rig.lastTold().reason()).isEqualTo("migrations were paused");
        assertThat(rig.asks(MigrationRequest.Release.class)).isTrue();
        rig.marked(2_000);
        rig.unmarked(2_000);
        rig.released();
        rig.quiet();
    }

    @Test
    void theBrakeLeavesAloneWhatHasBegun() {
        rig.underWay();
        rig.on(new PressureEvent.RulesChanged(PressureRig.paused()));
        rig.after(Duration.ofSeconds(5));
        assertThat(rig.asked).isEmpty();
        assertThat(rig.pressure.underWay()).isEqualTo(1);
    }

    @Test
    void aDriverInDoubtIsAskedAgainAndTheMarkStaysMeanwhile() {
        rig.beginning();
        rig.answer(
                MigrationRequest.Migrate.class,
                new MigrationReply.OfMigrate(new MigrateReply.InDoubt("the API server is silent")));
        for (int i = 0; i < 20; i++) {
            rig.after(Duration.ofSeconds(30));
            if (rig.asks(MigrationRequest.Hold.class)) {
                rig.held();
            }
            rig.lose(MigrationRequest.Migrate.class);
            assertThat(rig.asks(MigrationRequest.Unmark.class)).isFalse();
        }
        rig.after(Duration.ofSeconds(30));
        assertThat(rig.resyncs).as("facts might tell").isPositive();
        rig.begun("a");

        assertThat(rig.asks(MigrationRequest.End.class))
                .as("it should be running for long")
                .isTrue();
    }

    @Test
    void aDriverThatCertainlyDidNotBeginItHasMarkAndRoomTakenBack() {
        rig.beginning();
        rig.answer(
                MigrationRequest.Migrate.class, new MigrationReply.OfMigrate(new MigrateReply.Refused("no such VM")));

        assertThat(rig.lastTold().kind()).isEqualTo(Kind.NOT_MOVED);
        assertThat(rig.lastTold().reason()).isEqualTo("its driver did not begin it: no such VM");
        rig.unmarked(2_000);
        rig.released();
        rig.quiet();
        rig.after(Duration.ofSeconds(1));
        rig.pressed(PressureRig.FULL);
        assertThat(rig.asked).as("not within its cool-down").isEmpty();
    }

    @Test
    void theFactMayOvertakeTheAnswer() {
        rig.beginning();
        rig.seen(migration("a", MigrationPhase.PENDING, 2));
        assertThat(rig.toldKinds()).containsExactly(Kind.MOVING);
        rig.begun("a");

        assertThat(rig.toldKinds()).containsExactly(Kind.MOVING);
        assertThat(rig.asked).isEmpty();
    }

    @Test
    void evenTheFactOfItsEndMayOvertakeTheAnswer() {
        rig.beginning();
        rig.migrationGone("a");
        assertThat(rig.asks(MigrationRequest.Unmark.class))
                .as("which object that was is not known")
                .isFalse();
        rig.begun("a");

        assertThat(rig.toldKinds()).containsExactly(Kind.MOVING, Kind.NOT_MOVED);
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
        assertThat(rig.lastTold().reason()).isEqualTo("its pod ended");
    }

    @Test
    void anAnswerThatComesTwiceCountsOnce() {
        rig.holding();
        var ask = rig.asked.getFirst();
        rig.held();
        rig.on(new PressureEvent.Answered(
                ask.number(),
                ask.migration(),
                new MigrationReply.OfHold(new HoldReply.NoRoom(cpu(1), cpu(1), cpu(1)))));

        assertThat(rig.asks(MigrationRequest.Mark.class)).isTrue();
        assertThat(rig.told).isEmpty();
    }
}
