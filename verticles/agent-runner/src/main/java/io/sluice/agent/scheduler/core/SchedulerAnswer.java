package io.sluice.agent.scheduler.core;

import io.sluice.messages.ledger.KindDecision;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** What a scheduler's response means, whatever was asked. */
public sealed interface SchedulerAnswer {
    /**
     * Status 200 with a permit.
     *
     * @param resources what the VM may use, as it was said: it may be impossible
     * @param migrating whether the VM is about to move
     * @param session of the member; empty from a server that knows none
     * @param validFor how long growth may start on it; empty where that was not said
     * @param recovered whether the books have not heard from an agent yet
     * @param cpu how the CPU was ruled, where that was said
     * @param memory how the memory was ruled, where that was said
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

    /** Somebody else speaks for the member. */
    record Superseded() implements SchedulerAnswer {}

    /** The session is none that the server knows. */
    record OpenAgain() implements SchedulerAnswer {}

    /** No such pod, or not on a node yet. */
    record PodUnknown() implements SchedulerAnswer {}

    /**
     * The version of the protocol is none that the server takes.
     *
     * @param words of the server
     */
    record VersionRefused(String words) implements SchedulerAnswer {}

    /**
     * Any other refusal, also for the moment.
     *
     * @param status of the response
     * @param words of the server
     * @param pause before it is asked again, where it said so
     */
    record Refused(int status, String words, Optional<Duration> pause) implements SchedulerAnswer {
        @Override
        public boolean fromOneThatCannot() {
            return status >= 500;
        }
    }

    /**
     * No answer in the sense of the protocol.
     *
     * @param why in words
     */
    record Unreadable(String why) implements SchedulerAnswer {}

    /** Whether it says nothing of the question, but that this server cannot answer now: another one may. */
    default boolean fromOneThatCannot() {
        return false;
    }
}
