package io.sluice.launcher;

import io.sluice.launcher.core.Role;
import io.sluice.launcher.core.Roles;
import java.util.List;
import java.util.Set;

/**
 * The roles alone: they are read for themselves too, as what they name decides what else is read.
 *
 * @param roles by name; {@code all} stands for every role but the lab
 */
public record RolesSection(List<String> roles) {
    /** Every role but the lab. */
    public static final RolesSection DEFAULTS = new RolesSection(List.of(Roles.ALL));

    public RolesSection {
        roles = List.copyOf(roles);
        Roles.of(roles);
    }

    /** The roles that the names stand for. */
    Set<Role> set() {
        return Roles.of(roles);
    }
}
