package io.sluice.agent.core.revision;

import io.sluice.units.Revision;
import java.time.Instant;
import java.util.Objects;

/**
 * The revision that a VM's status shows as reached.
 *
 * @param revision the one reached
 * @param updatedAt when the driver wrote it; in whole seconds, so it may lie before its cause
 */
public record ReachedRevision(Revision revision, Instant updatedAt) {
    public ReachedRevision {
        Objects.requireNonNull(revision, "revision");
        Objects.requireNonNull(updatedAt, "updatedAt");
    }
}
