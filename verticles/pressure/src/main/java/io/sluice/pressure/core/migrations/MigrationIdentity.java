package io.sluice.pressure.core.migrations;

import io.sluice.pressure.core.choice.Pick;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * What never changes about a migration.
 *
 * @param key its name
 * @param origin who began it
 * @param vmName the VM that moves, in the same namespace
 * @param to the node on which room is held for it; empty where none is
 * @param pick how it was chosen, where this process did
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

    /** The VM's name for people. */
    String label() {
        return key.namespace() + "/" + vmName;
    }
}
