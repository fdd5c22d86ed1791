package io.sluice.lab.guest.core;

import java.math.BigInteger;

/** A message of an agent to the monitor in a guest. Ids are kept as received: up to 64 bits without a sign. */
sealed interface AgentMessageText {
    /** The VM has this much memory now. */
    record Granted(BigInteger id, long memoryBytes) implements AgentMessageText {}

    /** Requests that the VM shrinks to this much memory. */
    record MayShrink(BigInteger id, long memoryBytes) implements AgentMessageText {}

    /** Checks that the monitor answers. */
    record HealthCheck(BigInteger id) implements AgentMessageText {}

    /** A message of the monitor was invalid; it is not answered. */
    record Complaint(String error) implements AgentMessageText {}

    /** An invalid message: the session ends. */
    record Broken(String problem) implements AgentMessageText {}
}
