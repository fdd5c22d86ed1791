package io.sluice.launcher.config;

import io.sluice.launcher.core.Role;
import io.sluice.shell.config.ConfigException;
import io.sluice.shell.config.ConfigReader;
import io.sluice.shell.config.ConfigSources;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/**
 * The config from all sources.
 *
 * @param config everything but the lab
 * @param lab the lab's section, if its role is named
 */
public record Settings(SluiceConfig config, Optional<LabSection> lab) {
    private static final String LAB = "lab";
    private static final String ROLES = "roles";

    /**
     * Reads all sections.
     *
     * @throws ConfigException with every error
     */
    public static Settings read(ConfigSources sources) {
        // An unknown role is found twice, and reported once.
        var errors = new LinkedHashSet<String>();
        var roles = attempt(RolesSection.class, RolesSection.DEFAULTS, sources.only(ROLES), errors);
        var main = attempt(SluiceConfig.class, SluiceConfig.DEFAULTS, sources.without(LAB), errors);
        var lab = readLab(roles, sources.only(LAB), errors);
        if (!errors.isEmpty()) {
            throw new ConfigException(List.copyOf(errors));
        }
        return new Settings(main.orElseThrow(), lab);
    }

    /** Where the roles have errors, a section of the lab that is present is still checked. */
    private static Optional<LabSection> readLab(
            Optional<RolesSection> roles, ConfigSources sources, Collection<String> errors) {
        boolean named = roles.map(read -> read.set().contains(Role.LAB)).orElse(!sources.isEmpty());
        if (named) {
            return attempt(LabSection.class, LabSection.DEFAULTS, sources, errors);
        }
        if (!sources.isEmpty()) {
            errors.add("the section lab is given, but roles does not name lab.");
        }
        return Optional.empty();
    }

    private static <R extends Record> Optional<R> attempt(
            Class<R> type, R defaults, ConfigSources sources, Collection<String> errors) {
        try {
            return Optional.of(ConfigReader.read(type, defaults, sources));
        } catch (ConfigException refused) {
            errors.addAll(refused.errors());
            return Optional.empty();
        }
    }
}
