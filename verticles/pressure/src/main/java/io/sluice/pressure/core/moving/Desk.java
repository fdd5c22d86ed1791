package io.sluice.pressure.core.moving;

import java.util.Objects;

/**
 * What all migrations share.
 *
 * @param out where they leave what is to be done
 * @param rests whom they leave to rest
 */
record Desk(Outbox out, Rests rests) {
    Desk {
        Objects.requireNonNull(out, "out");
        Objects.requireNonNull(rests, "rests");
    }
}
