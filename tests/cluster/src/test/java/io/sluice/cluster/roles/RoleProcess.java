package io.sluice.cluster.roles;

import io.sluice.cluster.Command;
import io.sluice.cluster.Place;
import io.sluice.cluster.SluiceProcess;
import io.sluice.launcher.core.Role;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One process that runs some roles. */
final class RoleProcess extends SluiceProcess {
    /** They start often and live for a minute: what starts soon matters more than what runs fast. */
    private static final Map<String, String> ENVIRONMENT =
            Map.of("SLUICE_JAVA_OPTS", "-Xmx192m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC");

    private final Set<Role> roles;
    private final Path distribution;
    private final String url;

    /** One that does not run yet. */
    RoleProcess(Place place, RoleConfig config, Path distribution, Path folder) {
        super(place, tokenFile -> config.yaml(place, tokenFile), () -> ENVIRONMENT, distribution, folder);
        this.roles = config.roles();
        this.distribution = distribution;
        this.url = "http://" + place.host() + ":" + config.consolePort();
    }

    boolean has(Role role) {
        return roles.contains(role);
    }

    /** Its own, where it has the role gateway. */
    Console console() {
        return new Console(url);
    }

    /** What {@code sluice status} says there. */
    Command.Ended askStatus() {
        return Command.tried(
                List.of(distribution.resolve("bin").resolve("sluice").toString(), "status", "--url", url));
    }
}
