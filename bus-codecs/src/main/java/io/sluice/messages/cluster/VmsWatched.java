package io.sluice.messages.cluster;

import java.util.Objects;

/**
 * The watch on a driver's VMs is up to date: each change that it delivered before this was published before this.
 * Published each second while that is so; its absence means that changes may be missed.
 *
 * @param driver the driver of the VMs, as in their ids
 * @param version of the last change that was received
 */
public record VmsWatched(String driver, long version) {
    public VmsWatched {
        Objects.requireNonNull(driver, "driver");
    }
}
