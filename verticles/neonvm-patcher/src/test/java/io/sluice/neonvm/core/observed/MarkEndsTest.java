package io.sluice.neonvm.core.observed;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.AgentContact;
import io.sluice.messages.ledger.MigrationMark;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.messages.ledger.ReservationTraits;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which marks from before a list of migrations are removed by it. */
class MarkEndsTest {
    private static final Resources NONE = Resources.NONE;

    @ParameterizedTest(name = "begun {0}, in the list {1}: goes {2}")
    @CsvSource({
        "true, '', true",
        "true, NEW, false",
        "true, RUNNING, false",
        "true, FAILED, true",
        "true, SUCCEEDED, false",
        "false, '', false",
        "false, PENDING, false",
        "false, FAILED, true"
    })
    void aMarkGoesByProofAlone(boolean begun, String phase, boolean goes) {
        var listed = new ArrayList<MigrationObserved>(List.of(migration("another", MigrationPhase.RUNNING)));
        if (!phase.isEmpty()) {
            listed.add(migration("move", MigrationPhase.valueOf(phase)));
        }

        assertThat(MarkEnds.of(marked(new MigrationMark("move", begun)), listed))
                .isEqualTo(goes ? List.of(new UnmarkMigrating("n1", "pod", "move")) : List.of());
    }

    @Test
    void ofTwoObjectsOfOneAttemptTheOneThatGoesOnCounts() {
        var before = marked(new MigrationMark("move", true));
        var failed = migration("move", MigrationPhase.FAILED);
        var running = migration("move", MigrationPhase.RUNNING);

        assertThat(MarkEnds.of(before, List.of(failed, running))).isEmpty();
        assertThat(MarkEnds.of(before, List.of(running, failed))).isEmpty();
    }

    @Test
    void eachMarkOfAVmIsLookedAtByItself() {
        var before = marked(new MigrationMark("gone", true), new MigrationMark("move", true));

        assertThat(MarkEnds.of(before, List.of(migration("move", MigrationPhase.RUNNING))))
                .containsExactly(new UnmarkMigrating("n1", "pod", "gone"));
    }

    private static Snapshot marked(MigrationMark... marks) {
        var some = new Resources(1000, 1);
        var traits = new ReservationTraits(
                some, Overcommit.OFF, some, Optional.empty(), 0, true, true, false, false, false, List.of(marks), "");
        var reservation = new ReservationView(
                "pod", "ns", "db-0", "db", some, some, NONE, NONE, some, true, AgentContact.REQUESTED, 1, 1, traits);
        return new Snapshot(List.of(new NodeLedgerView(
                "n1",
                true,
                some,
                some,
                some,
                some,
                NONE,
                NONE,
                NONE,
                some,
                some,
                false,
                0,
                List.of(reservation),
                NodeReadiness.READY,
                0)));
    }

    private static MigrationObserved migration(String attempt, MigrationPhase phase) {
        return new MigrationObserved(
                "neonvm", "ns", "m", "uid", 9, "db", phase, "db-0", "", "", true, false, 0, attempt);
    }
}
