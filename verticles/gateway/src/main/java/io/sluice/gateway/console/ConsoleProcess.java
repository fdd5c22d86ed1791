package io.sluice.gateway.console;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * What the process tells the console of itself.
 *
 * @param version of the program; empty where it is not known
 * @param roles the roles it runs
 * @param startedAt when it was started
 * @param config the config in force, as JSON; asked for off the event loop
 */
public record ConsoleProcess(String version, List<String> roles, Instant startedAt, Supplier<String> config) {
    public ConsoleProcess {
        Objects.requireNonNull(version, "version");
        roles = List.copyOf(roles);
        Objects.requireNonNull(startedAt, "startedAt");
        Objects.requireNonNull(config, "config");
    }
}
