package io.sluice.agent.scheduler.core;

import io.sluice.messages.ledger.permit.KindDecision;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** What a scheduler's response means, whatever the request was. */
public sealed interface SchedulerAnswer {
    /**
     * Status 200 with a permit.
     *
     * @param resources what the VM may use, as received: it may be impossible
     * @param migrating whether the VM is about to migrate
     * @param session of the pod; empty from a server without sessions
     * @param validFor how long growth may start on it; empty if the response does not have that
     * @param recovered whether the reservation was recovered after a loss of state, and no agent has reported for it
     *     yet
     * @param cpu how the CPU was decided, if the response has that
     * @param memory how the memory was decided, if the response has that
     */
    record Permit(
            Resources resources,
            boolean migrating,
            OptionalLong session,
            Optional<Duration> validFor,
            boolean recovered,
            Optional<KindDecision> cpu,
            Optional<KindDecision> memory)
            implements SchedulerAnswer {}

    /** A later session of another runner exists for the pod. */
    record Superseded() implements SchedulerAnswer {}

    /** The server has no such session. */
    record OpenAgain() implements SchedulerAnswer {}

    /** No such pod, or not on a node yet. */
    record PodUnknown() implements SchedulerAnswer {}

    /**
     * The server does not accept the version of the protocol.
     *
     * @param words of the server
     */
    record VersionRefused(String words) implements SchedulerAnswer {}

    /**
     * Any other refusal, also a temporary one.
     *
     * @param status of the response
     * @param words of the server
     * @param pause before it is sent again, if the server requires one
     */
    record Refused(int status, String words, Optional<Duration> pause) implements SchedulerAnswer {
        @Override
        public boolean fromOneThatCannot() {
            return status >= 500;
        }
    }

    /**
     * No valid response of the protocol.
     *
     * @param why in words
     */
    record Unreadable(String why) implements SchedulerAnswer {}

    /** Whether it does not concern the request, but reports that this server cannot serve now: another one may. */
    default boolean fromOneThatCannot() {
        return false;
    }
}
