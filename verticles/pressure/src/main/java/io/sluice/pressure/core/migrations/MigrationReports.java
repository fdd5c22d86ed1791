package io.sluice.pressure.core.migrations;

import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.messages.pressure.PressureDecision.Kind;
import io.sluice.pressure.core.choice.ChoiceText;
import io.sluice.pressure.core.choice.KnownVm;
import io.sluice.pressure.core.choice.Pick;
import java.time.Duration;
import java.util.Optional;

/** Says what became of a migration, to those who listen and to those who count. */
final class MigrationReports {
    private final Migration migration;
    private final MigrationContext desk;
    private boolean adopted;
    private boolean concluded;

    MigrationReports(Migration migration, MigrationContext desk) {
        this.migration = migration;
        this.desk = desk;
    }

    /** It was begun. */
    void moving() {
        migration.about().pick().ifPresent(pick -> desk.out().tell(decision(Kind.MOVING, pick.reason())));
    }

    /** It was found, and so was the member that it takes away. */
    void adopted() {
        if (!adopted) {
            adopted = true;
            var begunBy = migration.about().origin().ours() ? "an earlier process" : "somebody else";
            desk.out().tell(decision(Kind.ADOPTED, "begun by " + begunBy + " and watched from now on"));
        }
    }

    /** Nothing more is to be said of it. */
    void nothingMore() {
        concluded = true;
    }

    /** It has ended; said once, and nobody is told where there is no reason. */
    void concluded(MigrationOutcome outcome, String reason) {
        if (concluded) {
            return;
        }
        concluded = true;
        var out = desk.out();
        out.note(new PressureNotice.Ended(migration.about().key(), outcome));
        if (outcome.rests()) {
            desk.rests().begin(migration.about().label(), migration.moved(), out.now());
        }
        switch (outcome) {
            case MOVED -> out.tell(decision(Kind.MOVED, "runs there after " + age()));
            case FAILED, NOT_STARTED, TOO_LONG, CANCELLED, REFUSED -> out.tell(decision(Kind.NOT_MOVED, reason));
            case DROPPED -> {
                if (!reason.isEmpty()) {
                    out.tellNews("not moved " + migration.about().label(), reason, decision(Kind.NOT_MOVED, reason));
                }
            }
            case FOUND_ENDED -> {}
        }
    }

    private String age() {
        return ChoiceText.seconds(
                Duration.between(migration.about().since(), desk.out().now()));
    }

    private PressureDecision decision(Kind kind, String reason) {
        Optional<PressureNumbers> numbers = migration.about().pick().flatMap(Pick::numbers);
        return new PressureDecision(
                kind,
                migration.source().map(MigrationSource::node).orElse(""),
                migration.vm().map(KnownVm::id),
                migration.arrival().node().orElse(migration.about().to()),
                numbers,
                reason);
    }
}
