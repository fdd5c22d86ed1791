package io.sluice.pressure.core.migrations;

import java.time.Instant;
import java.util.Objects;

/**
 * A migration in the dump.
 *
 * @param migration its namespace and name
 * @param vm the VM's namespace and name
 * @param origin the party that began it
 * @param from the node that it leaves; empty while that is unknown
 * @param to the target node, or the node that it has reached; empty where there is neither
 * @param life its stage
 * @param since when that stage began
 * @param phase the phase that its driver reports
 * @param hold the last state of its hold
 * @param mark the last state of its mark
 * @param target the last state of its target pod
 * @param live whether it counts as under way
 */
public record MigrationView(
        String migration,
        String vm,
        MigrationOrigin origin,
        String from,
        String to,
        String life,
        Instant since,
        String phase,
        String hold,
        String mark,
        String target,
        boolean live) {
    public MigrationView {
        Objects.requireNonNull(migration, "migration");
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(origin, "origin");
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(to, "to");
        Objects.requireNonNull(life, "life");
        Objects.requireNonNull(since, "since");
        Objects.requireNonNull(phase, "phase");
        Objects.requireNonNull(hold, "hold");
        Objects.requireNonNull(mark, "mark");
        Objects.requireNonNull(target, "target");
    }

    static MigrationView of(Migration migration) {
        var about = migration.about();
        return new MigrationView(
                about.key().toString(),
                about.label(),
                about.origin(),
                migration.source().map(MigrationSource::node).orElse(""),
                migration.arrival().node().orElse(about.to()),
                migration.life().word(),
                migration.turnedAt(),
                migration.object().known() ? migration.object().phase().name() : "NO_OBJECT",
                migration.hold().toString(),
                migration.mark().toString(),
                migration.arrival().toString(),
                migration.live());
    }
}
