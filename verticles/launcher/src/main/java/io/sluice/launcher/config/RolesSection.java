package io.sluice.launcher.config;

import io.sluice.launcher.core.Role;
import io.sluice.launcher.core.Roles;
import java.util.List;
import java.util.Set;

/**
 * The roles alone: they are read separately too, as they decide what else is read.
 *
 * @param roles the names of the roles; {@code all} means every role but lab, workers, pods and node-agent
 */
public record RolesSection(List<String> roles) {
    /** Every role but lab, workers, pods and node-agent. */
    public static final RolesSection DEFAULTS = new RolesSection(List.of(Roles.ALL));

    public RolesSection {
        roles = List.copyOf(roles);
        Roles.of(roles);
    }

    /** The roles of the names. */
    Set<Role> set() {
        return Roles.of(roles);
    }
}
