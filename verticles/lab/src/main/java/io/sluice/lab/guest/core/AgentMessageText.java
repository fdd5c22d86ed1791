package io.sluice.lab.guest.core;

import java.math.BigInteger;

/** What an agent said to the monitor in a guest. Ids are kept as they came: up to 64 bits without a sign. */
sealed interface AgentMessageText {
    /** The VM has this much memory now. */
    record Granted(BigInteger id, long memoryBytes) implements AgentMessageText {}

    /** May it have only this much? */
    record MayShrink(BigInteger id, long memoryBytes) implements AgentMessageText {}

    /** Are you there? */
    record HealthCheck(BigInteger id) implements AgentMessageText {}

    /** Something of the monitor's made no sense; never answered. */
    record Complaint(String error) implements AgentMessageText {}

    /** Nothing that belongs here: the session ends. */
    record Broken(String problem) implements AgentMessageText {}
}
