package io.sluice.pressure.core.migrations;

import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.messages.pressure.PressureDecision.Kind;
import io.sluice.pressure.core.actions.MigrationOutcome;
import io.sluice.pressure.core.actions.PressureNotice;
import io.sluice.pressure.core.choice.ChoiceText;
import io.sluice.pressure.core.choice.KnownVm;
import io.sluice.pressure.core.choice.Pick;
import java.time.Duration;
import java.util.Optional;

/** Publishes and counts the outcome of a migration. */
final class MigrationReports {
    private final Migration migration;
    private final MigrationContext context;
    private boolean adopted;
    private boolean concluded;

    MigrationReports(Migration migration, MigrationContext context) {
        this.migration = migration;
        this.context = context;
    }

    /** It began. */
    void moving() {
        migration.about().pick().ifPresent(pick -> context.out().publish(decision(Kind.MOVING, pick.reason())));
    }

    /** It was found, with the pod that it takes the VM away from. */
    void adopted() {
        if (!adopted) {
            adopted = true;
            var begunBy = migration.about().origin().ours() ? "an earlier process" : "another party";
            context.out().publish(decision(Kind.ADOPTED, "begun by " + begunBy + " and followed from now on"));
        }
    }

    /** Nothing more is published of it. */
    void nothingMore() {
        concluded = true;
    }

    /** It ended. This is published once; without a reason nothing is published. */
    void concluded(MigrationOutcome outcome, String reason) {
        if (concluded) {
            return;
        }
        concluded = true;
        var out = context.out();
        out.record(new PressureNotice.Ended(migration.about().key(), outcome));
        if (outcome.rests()) {
            context.rests().begin(migration.about().label(), migration.moved(), out.now());
        }
        switch (outcome) {
            case MOVED -> out.publish(decision(Kind.MOVED, "runs there after " + age()));
            case FAILED, NOT_STARTED, TOO_LONG, CANCELLED, REFUSED -> out.publish(decision(Kind.NOT_MOVED, reason));
            case DROPPED -> {
                if (!reason.isEmpty()) {
                    out.publishNews("not moved " + migration.about().label(), reason, decision(Kind.NOT_MOVED, reason));
                }
            }
            case FOUND_ENDED -> {}
        }
    }

    private String age() {
        return ChoiceText.seconds(
                Duration.between(migration.about().since(), context.out().now()));
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
