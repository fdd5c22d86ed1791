package io.sluice.launcher.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Parses the roles that config names. */
public final class Roles {
    /** Means every role but lab, workers, pods and node-agent. */
    public static final String ALL = "all";

    private static final Set<Role> BY_NAME = EnumSet.of(Role.LAB, Role.WORKERS, Role.PODS, Role.NODE_AGENT);

    private Roles() {}

    /**
     * The roles of the names.
     *
     * @throws IllegalArgumentException with a sentence for each name that is no role
     */
    public static Set<Role> of(List<String> names) {
        var roles = EnumSet.noneOf(Role.class);
        var refused = new ArrayList<String>();
        for (var name : names) {
            var role = named(name);
            if (name.equalsIgnoreCase(ALL)) {
                roles.addAll(everything());
            } else if (role.isEmpty()) {
                refused.add("roles names \"" + name + "\", which is no role; allowed are " + known());
            } else {
                roles.add(role.get());
            }
        }
        if (names.isEmpty()) {
            refused.add("roles must name at least one role; allowed are " + known());
        }
        if (!refused.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", refused));
        }
        return Collections.unmodifiableSet(roles);
    }

    private static Optional<Role> named(String name) {
        return Arrays.stream(Role.values())
                .filter(role -> role.key().equals(name.toLowerCase(Locale.ROOT)))
                .findFirst();
    }

    private static Set<Role> everything() {
        return Arrays.stream(Role.values())
                .filter(role -> !BY_NAME.contains(role))
                .collect(Collectors.toSet());
    }

    private static String known() {
        return ALL + ", " + Arrays.stream(Role.values()).map(Role::key).collect(Collectors.joining(", "));
    }
}
