package io.sluice.pressure.core.migrations;

import io.sluice.messages.ledger.HoldRoom;
import io.sluice.pressure.core.actions.MigrationKey;
import io.sluice.pressure.core.choice.Pick;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * What never changes about a migration.
 *
 * @param key its key
 * @param origin the party that began it
 * @param vmName the VM that migrates, in the same namespace
 * @param to the node on which room is held for it; empty where there is none
 * @param pick the choice, if this process made it
 * @param since when it was chosen or found
 */
record MigrationIdentity(
        MigrationKey key, MigrationOrigin origin, String vmName, String to, Optional<Pick> pick, Instant since) {
    MigrationIdentity {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(origin, "origin");
        Objects.requireNonNull(vmName, "vmName");
        Objects.requireNonNull(to, "to");
        Objects.requireNonNull(pick, "pick");
        Objects.requireNonNull(since, "since");
    }

    /** The namespace and name of the VM. */
    String label() {
        return key.namespace() + "/" + vmName;
    }

    /** The name under which room is held for its target. */
    String holder() {
        return HoldRoom.forMigration(key.namespace(), key.name());
    }
}
