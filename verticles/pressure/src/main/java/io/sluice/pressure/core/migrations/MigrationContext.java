package io.sluice.pressure.core.migrations;

import java.util.Objects;

/**
 * What all migrations share.
 *
 * @param out where they leave what is to be done
 * @param rests whom they leave to rest
 */
record MigrationContext(ActionQueue out, Cooldowns rests) {
    MigrationContext {
        Objects.requireNonNull(out, "out");
        Objects.requireNonNull(rests, "rests");
    }
}
