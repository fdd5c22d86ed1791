package io.sluice.agent.core.revision;

import io.sluice.units.Revision;
import java.time.Instant;
import java.util.Objects;

/**
 * The revision that an action carries; the caller returns it unchanged with the action's reply.
 *
 * @param revision the goal that the action serves
 * @param at when the action was computed; latencies are measured from here
 */
public record ActionRevision(Revision revision, Instant at) {
    public ActionRevision {
        Objects.requireNonNull(revision, "revision");
        Objects.requireNonNull(at, "at");
    }
}
