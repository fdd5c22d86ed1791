package io.sluice.pressure.core.migrations;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.messages.vm.EndMigration;
import io.sluice.messages.vm.MigrateVm;
import io.sluice.pressure.core.actions.ActionQueue;
import io.sluice.pressure.core.actions.MigrationRequest;
import io.sluice.pressure.core.choice.KnownVm;
import io.sluice.pressure.core.choice.NodeRooms;
import io.sluice.pressure.core.choice.Pick;
import io.sluice.pressure.core.choice.PressureRules;
import io.sluice.pressure.core.choice.RoomAmounts;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Sends requests until a migration's hold, mark and object are as they should be: one request for each of them at a
 * time.
 */
final class RemoteRequests {
    /** A request for a hold arrives within this time or never. */
    private static final Duration REPLY_WITHIN = Duration.ofSeconds(60);

    private final Migration migration;
    private final PressureRules rules;
    private final NodeRooms rooms;
    private final ActionQueue out;

    private RemoteRequests(Migration migration, PressureRules rules, NodeRooms rooms, ActionQueue out) {
        this.migration = migration;
        this.rules = rules;
        this.rooms = rooms;
        this.out = out;
    }

    /** Sends the requests that are due. */
    static void run(Migration migration, PressureRules rules, NodeRooms rooms, ActionQueue out) {
        var requests = new RemoteRequests(migration, rules, rooms, out);
        requests.hold();
        requests.mark();
        requests.driver();
    }

    /** What a migration's target takes. */
    static RoomAmounts amounts(Migration migration) {
        var charge = overcommit(migration).charge(migration.room().orElse(Resources.NONE));
        return new RoomAmounts(charge, fixed(migration));
    }

    private static Overcommit overcommit(Migration migration) {
        return migration
                .about()
                .pick()
                .map(pick -> pick.reservation().traits().overcommit())
                .or(() -> migration.vm().map(KnownVm::overcommit))
                .orElse(Overcommit.OFF);
    }

    private Instant now() {
        return out.now();
    }

    private void hold() {
        var line = migration.hold();
        if (!line.idle(now())) {
            return;
        }
        switch (DesiredStateRules.hold(migration)) {
            case KEEP -> {
                // A request that names no state could arrive after its release is lost with the state.
                if ((!line.there() || line.due(now()))
                        && rooms.isComplete(migration.about().to())) {
                    migration.room().ifPresent(amounts -> {
                        request(line, new MigrationRequest.Hold(holdRoom(amounts)));
                        line.endsBy(now().plus(rules.holdFor()).plus(REPLY_WITHIN));
                    });
                }
            }
            case NONE -> {
                if (line.mayBeThere() && line.hasEnded(now())) {
                    line.isGone();
                } else if (line.mayBeThere()) {
                    request(
                            line,
                            new MigrationRequest.Release(new ReleaseHold(
                                    migration.about().to(), migration.about().holder(), attempt())));
                }
            }
            case LEAVE -> {}
        }
    }

    private HoldRoom holdRoom(Resources amounts) {
        var about = migration.about();
        return new HoldRoom(
                        about.to(),
                        about.holder(),
                        about.key().namespace(),
                        about.key().name(),
                        about.vmName(),
                        amounts,
                        overcommit(migration),
                        rules.holdFor(),
                        attempt(),
                        fixed(migration))
                .knowing(rooms.stateOf(about.to()));
    }

    /** What the ledger has for the source. A process that found the migration does not know it, and need not. */
    private static FixedAmounts fixed(Migration migration) {
        return migration
                .about()
                .pick()
                .map(pick -> pick.reservation().traits().fixed())
                .orElse(FixedAmounts.NONE);
    }

    private String attempt() {
        return migration.about().key().attempt();
    }

    private void mark() {
        var line = migration.mark();
        if (!line.idle(now()) || migration.source().isEmpty()) {
            return;
        }
        var source = migration.source().get();
        switch (DesiredStateRules.mark(migration)) {
            case KEEP -> {
                if (!line.there()) {
                    request(line, new MigrationRequest.Mark(markMigrating(source)));
                }
            }
            case NONE -> {
                if (line.mayBeThere()) {
                    request(
                            line,
                            new MigrationRequest.Unmark(new UnmarkMigrating(source.node(), source.pod(), attempt())));
                }
            }
            case LEAVE -> {}
        }
    }

    /** The cause of the mark. The ledger checks the room only before the migration begins. */
    private MarkMigrating markMigrating(MigrationSource source) {
        Optional<Pick> weighed = migration.life() instanceof MigrationStage.Marking
                ? migration.about().pick()
                : Optional.empty();
        return new MarkMigrating(
                source.node(),
                source.pod(),
                weighed.map(Pick::cause).orElse(unweighed()),
                weighed.map(pick -> pick.reservation().reserved()).orElse(Resources.NONE),
                attempt());
    }

    private MarkMigrating.Cause unweighed() {
        return migration.object().known() ? MarkMigrating.Cause.UNDER_WAY : MarkMigrating.Cause.BEGINNING;
    }

    private void driver() {
        var line = migration.driver();
        if (!line.idle(now())) {
            return;
        }
        switch (migration.life()) {
            case MigrationStage.Beginning _ -> migration.about().pick().ifPresent(pick -> request(line, migrate(pick)));
            case MigrationStage.Ending _ -> end().ifPresent(end -> request(line, end));
            case MigrationStage.Holding _,
                    MigrationStage.Marking _,
                    MigrationStage.UnderWay _,
                    MigrationStage.Undoing _ -> {}
        }
    }

    private MigrationRequest migrate(Pick pick) {
        return new MigrationRequest.Migrate(new MigrateVm(
                pick.vm().id(), pick.reservation().name(), pick.to(), rules.completionTimeout(), attempt()));
    }

    private Optional<MigrationRequest> end() {
        var object = migration.object();
        if (!migration.about().origin().ours() || !object.known()) {
            return Optional.empty();
        }
        var key = migration.about().key();
        return Optional.of(
                new MigrationRequest.End(new EndMigration(object.driver(), key.namespace(), key.name(), object.uid())));
    }

    private void request(RemoteState line, MigrationRequest request) {
        line.requested(out.request(migration.about().key(), request), request);
    }
}
