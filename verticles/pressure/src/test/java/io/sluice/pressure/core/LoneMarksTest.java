package io.sluice.pressure.core;

import static io.sluice.pressure.Given.member;
import static io.sluice.pressure.Given.node;
import static io.sluice.pressure.Given.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.pressure.Given;
import io.sluice.pressure.core.migrations.MigrationRequest;
import io.sluice.pressure.core.migrations.PressureNotice;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Marks of attempts that nobody arranges any more. */
class LoneMarksTest {
    private static final NodeLedgerView LONE_MARK = node(
            "n1",
            member("a", 2_000).marked("left", false).books(),
            member("rest", 5_000).fixed().books());

    private final PressureRig rig = PressureRig.listed();

    private void known() {
        rig.seen(Given.vm("a", "n1", 1));
        rig.seen(pod("a", "a", "n1", ""));
    }

    @Test
    void aMarkOfAnAttemptThatNobodyArrangesIsTakenBackAfterAWhileAndTwoListings() {
        known();
        rig.after(Duration.ofSeconds(15));
        rig.answerLooks(LONE_MARK, node("n2"));
        rig.listing();
        rig.after(Duration.ofSeconds(30));
        rig.answerLooks(LONE_MARK, node("n2"));
        assertThat(rig.asked)
                .as("that listing may have been begun before the mark was put on")
                .isEmpty();
        rig.listing();
        rig.after(Duration.ofSeconds(15));
        rig.answerLooks(LONE_MARK, node("n2"));

        assertThat(rig.question(MigrationRequest.Unmark.class).message())
                .isEqualTo(new UnmarkMigrating("n1", "a", "left"));
        assertThat(rig.noted).contains(new PressureNotice.MarkFoundAlone("n1", Given.NAMESPACE, "a"));
        rig.unmarked(2_000);
        assertThat(rig.pressure.view(rig.now).migrations()).isEmpty();
    }

    @Test
    void aMarkIsGivenTimeHoweverManyListingsThereAre() {
        known();
        rig.after(Duration.ofSeconds(15));
        rig.answerLooks(LONE_MARK, node("n2"));
        rig.listing();
        rig.listing();
        rig.after(Duration.ofSeconds(29));
        rig.answerLooks(LONE_MARK, node("n2"));

        assertThat(rig.asked).as("its driver may just have been asked").isEmpty();
        assertThat(rig.resyncs).as("listings are asked for").isEqualTo(0);
        rig.after(Duration.ofSeconds(16));
        assertThat(rig.resyncs).isEqualTo(1);
    }

    @Test
    void aMarkStaysWhileWhatMigrationsThereAreWasNotHeard() {
        var deaf = new PressureRig();
        deaf.seen(Given.vm("a", "n1", 1));
        for (int i = 0; i < 10; i++) {
            deaf.after(Duration.ofSeconds(15));
            deaf.answerLooks(LONE_MARK);
        }
        assertThat(deaf.asked).isEmpty();
        assertThat(deaf.resyncs).as("facts are asked for again").isEqualTo(2);
    }

    @Test
    void theMarkOfAMigrationThatHasBegunIsLeftToWhoSeesMigrations() {
        known();
        var begun = node("n1", member("a", 2_000).marked("left", true).books());
        for (int i = 0; i < 5; i++) {
            rig.after(Duration.ofSeconds(15));
            rig.answerLooks(begun, node("n2"));
            rig.listing();
            known();
        }
        assertThat(rig.asked).isEmpty();
    }
}
