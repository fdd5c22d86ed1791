package io.sluice.messages.cluster;

import java.util.Objects;

/**
 * Changes of a driver's VMs are being heard of: each one that it told of before this was published before this. Said
 * each second for as long as that is so, so that silence says that changes are missed.
 *
 * @param driver whose VMs, as in their ids
 * @param version of the last change that was heard of
 */
public record VmsWatched(String driver, long version) {
    public VmsWatched {
        Objects.requireNonNull(driver, "driver");
    }
}
