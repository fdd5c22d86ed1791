package io.sluice.shell.config;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Overlays the sources of config and binds the result: defaults, file, environment, properties. */
public final class ConfigReader {
    /** The variables that Kubernetes adds to every pod for a Service that is named like the prefix. */
    private static final Pattern SERVICE_LINK = Pattern.compile(
            ".*(_SERVICE_HOST|_SERVICE_PORT(_[^=]*)?|_PORT_\\d+_(TCP|UDP|SCTP)(_[^=]*)?)=.*|.*_PORT=(tcp|udp|sctp)://.*");

    private final ConfigKeys keys;
    private final ConfigSources sources;
    private final ObjectNode tree;
    private final Map<String, String> origins = new HashMap<>();
    private final List<String> errors = new ArrayList<>();

    private ConfigReader(ConfigKeys keys, ConfigSources sources) {
        this.keys = keys;
        this.sources = sources;
        this.tree = sources.file().deepCopy();
    }

    /**
     * The config from all sources.
     *
     * @param defaults the values of keys that no source sets
     * @throws ConfigException with every error of every source
     */
    public static <R extends Record> R read(Class<R> type, R defaults, ConfigSources sources) {
        var reader = new ConfigReader(ConfigKeys.of(type), sources);
        reader.layEnvironment();
        reader.layProperties();
        var binder = new ConfigBinder(reader.origins);
        var bound = binder.bind(type, defaults, reader.tree, "");
        reader.errors.addAll(binder.errors());
        if (!reader.errors.isEmpty()) {
            throw new ConfigException(reader.errors);
        }
        return bound;
    }

    private void layEnvironment() {
        for (var entry : new TreeMap<>(sources.environment()).entrySet()) {
            var variable = entry.getKey();
            keys.named(variable.substring(ConfigSources.VARIABLE_PREFIX.length()))
                    .ifPresentOrElse(
                            path -> lay(path, entry.getValue(), variable),
                            () -> refuseVariable(variable, entry.getValue()));
        }
    }

    private void layProperties() {
        for (var entry : new TreeMap<>(sources.properties()).entrySet()) {
            var property = entry.getKey();
            var path = property.substring(ConfigSources.PROPERTY_PREFIX.length());
            if (keys.shape(path).isPresent()) {
                lay(path, entry.getValue(), "-D" + property);
            } else {
                errors.add("-D" + ConfigTexts.shortened(property) + " names no config key"
                        + guess(NearestName.of(path, keys.paths())
                                .map(near -> "-D" + ConfigSources.PROPERTY_PREFIX + near)
                                .orElse("")));
            }
        }
    }

    private void refuseVariable(String variable, String value) {
        if (SERVICE_LINK.matcher(variable + "=" + value).matches()) {
            return;
        }
        var variables = new TreeMap<String, String>();
        keys.paths().forEach(path -> variables.put(ConfigKeys.plain(path), path));
        var near = NearestName.of(
                        ConfigKeys.plain(variable.substring(ConfigSources.VARIABLE_PREFIX.length())),
                        variables.keySet())
                .map(plain -> variableOf(variables.get(plain)))
                .orElse("");
        errors.add(
                "the environment variable " + ConfigTexts.shortened(variable) + " names no config key" + guess(near));
    }

    private void lay(String path, String value, String origin) {
        var names = path.split("\\.");
        var parent = tree;
        for (int i = 0; i < names.length - 1; i++) {
            var child = parent.get(names[i]);
            if (child == null || ConfigTexts.isNothing(child)) {
                parent = parent.putObject(names[i]);
            } else if (child instanceof ObjectNode section) {
                parent = section;
            } else {
                // The file has a single value where a section belongs; binding reports that.
                return;
            }
        }
        var shape = keys.shape(path).orElseThrow();
        origins.put(path, origin);
        switch (shape) {
            case VALUE -> parent.put(names[names.length - 1], value);
            case WORDS -> parent.set(names[names.length - 1], words(value));
            case SECTIONS ->
                errors.add(path + " is a list of sections, which only the file can set, not " + origin + ".");
        }
    }

    private static ArrayNode words(String value) {
        var words = JsonNodeFactory.instance.arrayNode();
        for (var word : value.split(",")) {
            if (!word.isBlank()) {
                words.add(word.strip());
            }
        }
        return words;
    }

    static String guess(String nearest) {
        return nearest.isEmpty() ? "." : "; did you mean " + nearest + "?";
    }

    /** {@code agent.scrapePeriod} as {@code SLUICE_AGENT_SCRAPE_PERIOD}. */
    static String variableOf(String path) {
        return ConfigSources.VARIABLE_PREFIX
                + path.replaceAll("([a-z0-9])([A-Z])", "$1_$2")
                        .replace('.', '_')
                        .toUpperCase(Locale.ROOT);
    }
}
