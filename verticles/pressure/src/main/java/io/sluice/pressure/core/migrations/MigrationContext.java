package io.sluice.pressure.core.migrations;

import io.sluice.pressure.core.actions.ActionQueue;
import java.util.Objects;

/**
 * What all migrations share.
 *
 * @param out the queue for their actions
 * @param rests the cooldowns of their VMs
 */
record MigrationContext(ActionQueue out, Cooldowns rests) {
    MigrationContext {
        Objects.requireNonNull(out, "out");
        Objects.requireNonNull(rests, "rests");
    }
}
