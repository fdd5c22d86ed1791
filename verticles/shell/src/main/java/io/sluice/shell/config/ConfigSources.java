package io.sluice.shell.config;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The sources of config beside the built-in defaults; the later overrides the earlier.
 *
 * @param file the parsed file
 * @param environment those variables of the process that begin with {@code SLUICE_}
 * @param properties those system properties of the JVM that begin with {@code sluice.}
 */
public record ConfigSources(ObjectNode file, Map<String, String> environment, Map<String, String> properties) {
    static final String VARIABLE_PREFIX = "SLUICE_";
    static final String PROPERTY_PREFIX = "sluice.";

    public ConfigSources {
        Objects.requireNonNull(file, "file");
        environment = kept(environment, name -> name.startsWith(VARIABLE_PREFIX));
        properties = kept(properties, name -> name.startsWith(PROPERTY_PREFIX));
    }

    /**
     * The sources without variables and properties that have the prefix but are no config.
     *
     * @param names such as {@code SLUICE_HOME}
     */
    public ConfigSources reserving(Set<String> names) {
        return new ConfigSources(
                file,
                kept(environment, name -> !names.contains(name)),
                kept(properties, name -> !names.contains(name)));
    }

    /** The sources' values of one section, or of one key of the top. */
    public ConfigSources only(String section) {
        var part = file.objectNode();
        if (file.has(section)) {
            part.set(section, file.get(section));
        }
        return new ConfigSources(part, kept(environment, variableOf(section)), kept(properties, propertyOf(section)));
    }

    /** The sources' values of everything but one section. */
    public ConfigSources without(String section) {
        var part = file.deepCopy();
        part.remove(section);
        return new ConfigSources(
                part,
                kept(environment, variableOf(section).negate()),
                kept(properties, propertyOf(section).negate()));
    }

    /** Whether they set nothing. */
    public boolean isEmpty() {
        return file.isEmpty() && environment.isEmpty() && properties.isEmpty();
    }

    private static Predicate<String> variableOf(String section) {
        var variable = VARIABLE_PREFIX + section.toUpperCase(Locale.ROOT);
        return name -> name.equals(variable) || name.startsWith(variable + "_");
    }

    private static Predicate<String> propertyOf(String section) {
        var property = PROPERTY_PREFIX + section;
        return name -> name.equals(property) || name.startsWith(property + ".");
    }

    private static Map<String, String> kept(Map<String, String> values, Predicate<String> names) {
        return values.entrySet().stream()
                .filter(entry -> names.test(entry.getKey()))
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
