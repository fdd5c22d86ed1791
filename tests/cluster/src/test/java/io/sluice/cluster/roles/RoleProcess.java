package io.sluice.cluster.roles;

import io.sluice.cluster.process.Command;
import io.sluice.cluster.process.Place;
import io.sluice.cluster.process.SluiceProcess;
import io.sluice.launcher.core.Role;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One process that runs some roles. */
public final class RoleProcess extends SluiceProcess {
    /** JVM options for processes that start often and run for a minute: a fast start matters more than speed. */
    private static final Map<String, String> ENVIRONMENT =
            Map.of("SLUICE_JAVA_OPTS", "-Xmx192m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC");

    private final Set<Role> roles;
    private final Path distribution;
    private final String url;
    private final String extender;

    /**
     * Prepares a process without starting it.
     *
     * @param environment further variables
     */
    RoleProcess(Place place, RoleConfig config, Map<String, String> environment, Path distribution, Path folder) {
        super(
                place,
                tokenFile -> config.yaml(place, tokenFile),
                () -> Stream.of(ENVIRONMENT, environment)
                        .flatMap(some -> some.entrySet().stream())
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)),
                distribution,
                folder);
        this.roles = config.roles();
        this.distribution = distribution;
        this.url = "http://" + place.host() + ":" + config.consolePort();
        this.extender = "http://" + place.host() + ":" + config.extenderPort();
    }

    public boolean has(Role role) {
        return roles.contains(role);
    }

    /** URL of its listener for kube-scheduler, if it has the roles gateway and placement. */
    public String extender() {
        return extender;
    }

    /** Its console, if it has the role gateway. */
    public Console console() {
        return new Console(url);
    }

    /** The output of {@code sluice status} on that process. */
    Command.Ended requestStatus() {
        return Command.tried(
                List.of(distribution.resolve("bin").resolve("sluice").toString(), "status", "--url", url));
    }
}
