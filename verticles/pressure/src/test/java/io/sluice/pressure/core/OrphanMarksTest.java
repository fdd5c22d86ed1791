package io.sluice.pressure.core;

import static io.sluice.pressure.Given.node;
import static io.sluice.pressure.Given.pod;
import static io.sluice.pressure.Given.reservation;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.pressure.Given;
import io.sluice.pressure.core.actions.MigrationRequest;
import io.sluice.pressure.core.actions.PressureNotice;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Marks whose attempt no process arranges any more. */
class OrphanMarksTest {
    private static final NodeLedgerView LONE_MARK = node(
            "n1",
            reservation("a", 2_000).marked("left", false).ledger(),
            reservation("rest", 5_000).fixed().ledger());

    private final PressureRig rig = PressureRig.listed();

    private void known() {
        rig.observed(Given.vm("a", "n1", 1));
        rig.observed(pod("a", "a", "n1", ""));
    }

    @Test
    void aMarkOfAnAttemptThatIsNotArrangedIsTakenBackAfterAWhileAndTwoFullLists() {
        known();
        rig.after(Duration.ofSeconds(15));
        rig.answerLooks(LONE_MARK, node("n2"));
        rig.fullList();
        rig.after(Duration.ofSeconds(30));
        rig.answerLooks(LONE_MARK, node("n2"));
        assertThat(rig.requested)
                .as("that full list may have begun before the mark was set")
                .isEmpty();
        rig.fullList();
        rig.after(Duration.ofSeconds(15));
        rig.answerLooks(LONE_MARK, node("n2"));

        assertThat(rig.request(MigrationRequest.Unmark.class).message())
                .isEqualTo(new UnmarkMigrating("n1", "a", "left"));
        assertThat(rig.recorded).contains(new PressureNotice.OrphanMarkFound("n1", Given.NAMESPACE, "a"));
        rig.unmarked(2_000);
        assertThat(rig.pressure.view(rig.now).migrations()).isEmpty();
    }

    @Test
    void aMarkIsGivenTimeHoweverManyFullListsThereAre() {
        known();
        rig.after(Duration.ofSeconds(15));
        rig.answerLooks(LONE_MARK, node("n2"));
        rig.fullList();
        rig.fullList();
        rig.after(Duration.ofSeconds(29));
        rig.answerLooks(LONE_MARK, node("n2"));

        assertThat(rig.requested).as("its driver may just have got the request").isEmpty();
        assertThat(rig.relists).as("full lists are requested").isEqualTo(0);
        rig.after(Duration.ofSeconds(16));
        assertThat(rig.relists).isEqualTo(1);
    }

    @Test
    void aMarkStaysWhileTheMigrationsHaveNotBeenListed() {
        var deaf = new PressureRig();
        deaf.observed(Given.vm("a", "n1", 1));
        for (int i = 0; i < 10; i++) {
            deaf.after(Duration.ofSeconds(15));
            deaf.answerLooks(LONE_MARK);
        }
        assertThat(deaf.requested).isEmpty();
        assertThat(deaf.relists).as("a full list is requested again").isEqualTo(2);
    }

    @Test
    void theMarkOfAMigrationThatHasBegunIsLeftToTheObserverOfMigrations() {
        known();
        var begun = node("n1", reservation("a", 2_000).marked("left", true).ledger());
        for (int i = 0; i < 5; i++) {
            rig.after(Duration.ofSeconds(15));
            rig.answerLooks(begun, node("n2"));
            rig.fullList();
            known();
        }
        assertThat(rig.requested).isEmpty();
    }
}
