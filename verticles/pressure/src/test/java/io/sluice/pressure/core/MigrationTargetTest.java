package io.sluice.pressure.core;

import static io.sluice.pressure.Given.migration;
import static io.sluice.pressure.Given.node;
import static io.sluice.pressure.Given.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.pressure.Given;
import io.sluice.pressure.core.actions.MigrationReply;
import io.sluice.pressure.core.actions.MigrationRequest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The room for a migration, and the pod that takes it over or is on another node. */
class MigrationTargetTest {
    private final PressureRig rig = PressureRig.listed();

    @Test
    void roomIsKeptUntilThePodHasLandedAndNoLonger() {
        rig.underWay();
        rig.observed(migration("a", MigrationPhase.NEW, 2));
        rig.after(Duration.ofSeconds(59));
        assertThat(rig.requests(MigrationRequest.Hold.class)).isFalse();
        rig.on(new PressureEvent.RulesChanged(PressureRig.patient()));
        rig.after(Duration.ofSeconds(1));
        rig.held();
        rig.observed(migration("a", MigrationPhase.RUNNING, 3));
        rig.after(Duration.ofMinutes(10));
        assertThat(rig.requests(MigrationRequest.Hold.class))
                .as("it runs, so its pod is on some node")
                .isFalse();
    }

    @Test
    void aPodThatLandsElsewhereFreesTheRoomOnceItIsCountedThere() {
        rig.underWay();
        rig.looks.clear();
        rig.observed(pod("a", "a2", "n3", "schedplugin-a-pod"));
        assertThat(rig.looks).extracting(look -> look.node()).contains("n3");
        rig.answerLooks(node("n3"));
        assertThat(rig.requests(MigrationRequest.Release.class)).isFalse();
        rig.after(Duration.ofSeconds(1));
        rig.answerLooks(node("n3", Given.reservation("a2", 2_000).target().ledger()));

        assertThat(rig.request(MigrationRequest.Release.class).message().node()).isEqualTo("n2");
        assertThat(rig.requests(MigrationRequest.End.class)).isFalse();
    }

    @Test
    void aVmThatMovedElsewhereFreesTheRoomOnceItIsCountedThere() {
        rig.underWay();
        rig.looks.clear();
        rig.observed(migration("a", MigrationPhase.SUCCEEDED, 3));
        rig.observed(Given.vm("a", "a2", "n3", 9, false));
        rig.migrationGone("a");
        assertThat(rig.requests(MigrationRequest.Release.class)).isFalse();
        rig.answerLooks(node("n3", Given.reservation("a2", 2_000).target().ledger()));

        assertThat(rig.request(MigrationRequest.Release.class).message().node()).isEqualTo("n2");
    }

    @Test
    void aLandingThatDoesNotFitCallsItOff() {
        rig.underWay();
        rig.looks.clear();
        rig.observed(pod("a", "a2", "n3", "schedplugin-a-pod"));
        rig.answerLooks(node(
                "n3",
                Given.reservation("a2", 2_000).target().ledger(),
                Given.reservation("x", 9_000).ledger()));

        assertThat(rig.requests(MigrationRequest.End.class)).isTrue();
        rig.migrationGone("a");
        assertThat(rig.lastReported().reason())
                .isEqualTo("its target is on n3, which cannot hold it: too much by 1/1000Mi");
    }

    @Test
    void aLandingWhereRoomWasHeldIsNeverCalledOff() {
        rig.underWay();
        rig.loseLooks();
        rig.observed(pod("a", "a2", "n2", "schedplugin-a-pod"));
        rig.after(Duration.ofSeconds(1));
        assertThat(rig.looks).extracting(look -> look.node()).contains("n2");
        rig.answerLooks(node(
                "n2",
                Given.reservation("a2", 2_000).tookOver(Given.ATTEMPT).ledger(),
                Given.reservation("x", 9_000).ledger()));

        assertThat(rig.requests(MigrationRequest.End.class)).isFalse();
    }

    @Test
    void aLandingWhereTheLedgerHadLostTheRoomIsCalledOff() {
        rig.underWay();
        rig.loseLooks();
        rig.observed(pod("a", "a2", "n2", "schedplugin-a-pod"));
        rig.after(Duration.ofSeconds(1));
        assertThat(rig.looks).extracting(look -> look.node()).contains("n2");
        rig.answerLooks(node(
                "n2",
                Given.reservation("a2", 2_000).target().ledger(),
                Given.reservation("x", 9_000).ledger()));

        assertThat(rig.requests(MigrationRequest.End.class)).isTrue();
        rig.migrationGone("a");
        assertThat(rig.lastReported().reason())
                .isEqualTo("its target is on n2, which cannot hold it: too much by 1/1000Mi");
    }

    @Test
    void roomThatTheLedgerLostWithItsStateIsRequestedAgainAtOnce() {
        rig.underWay();
        rig.loseLooks();
        rig.after(Duration.ofSeconds(15));
        assertThat(rig.requests(MigrationRequest.Hold.class)).isFalse();
        rig.answerLooks(Given.incomplete(node("n2")));
        assertThat(rig.requests(MigrationRequest.Hold.class))
                .as("no list has completed the ledger")
                .isFalse();
        rig.after(Duration.ofSeconds(15));
        rig.answerLooks(node("n2"));

        assertThat(rig.requests(MigrationRequest.Hold.class)).isTrue();
        rig.held();
        rig.loseLooks();
        rig.after(Duration.ofSeconds(15));
        rig.answerLooks(node("n2", room()));
        assertThat(rig.requests(MigrationRequest.Hold.class)).isFalse();
    }

    @Test
    void aLedgerThatWasReadBeforeTheRoomWasHeldShowsNoLoss() {
        rig.holding();
        rig.looks.clear();
        rig.after(Duration.ofSeconds(15));
        var before = List.copyOf(rig.looks);
        assertThat(before).isNotEmpty();
        rig.held();
        rig.looks.retainAll(before);
        rig.answerLooks(node("n2"));

        assertThat(rig.requests(MigrationRequest.Hold.class)).isFalse();
    }

    private static ReservationView room() {
        return Given.reservation(HoldRoom.forMigration(Given.NAMESPACE, "schedplugin-a-pod"), 2_000)
                .held()
                .ledger();
    }

    @Test
    void roomThatWasRequestedAgainJustBeforeThePodArrivedIsGivenBackOnceMore() {
        rig.underWay();
        rig.on(new PressureEvent.RulesChanged(PressureRig.patient()));
        rig.after(Duration.ofSeconds(60));
        assertThat(rig.requests(MigrationRequest.Hold.class)).isTrue();
        rig.observed(pod("a", "a2", "n2", "schedplugin-a-pod"));
        rig.answerLooks(node("n2", Given.reservation("a2", 2_000).target().ledger()));
        assertThat(rig.requests(MigrationRequest.Release.class))
                .as("one request at a time")
                .isFalse();
        rig.held();

        assertThat(rig.requests(MigrationRequest.Release.class)).isTrue();
        rig.released();
        assertThat(rig.requested).isEmpty();
    }

    @Test
    void roomThatThePodTookOverUnobservedIsNotRequestedAgainAndAgain() {
        rig.underWay();
        rig.on(new PressureEvent.RulesChanged(PressureRig.patient()));
        rig.after(Duration.ofSeconds(60));
        rig.answer(MigrationRequest.Hold.class, new MigrationReply.OfHold(new HoldReply.Bound()));
        rig.loseLooks();
        rig.after(Duration.ofSeconds(15));
        rig.answerLooks(node(
                "n2", Given.reservation("a2", 2_000).tookOver(Given.ATTEMPT).ledger()));

        assertThat(rig.requested).isEmpty();
    }
}
