package io.sluice.launcher;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.launcher.client.ConsoleOptions;
import io.sluice.shell.config.ConfigException;
import io.sluice.shell.config.ConfigSources;
import io.sluice.shell.config.YamlText;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The sources of config of this process. */
final class ProcessConfigSources {
    /**
     * Variables and properties with the prefix that are no config: those of the start script, the client and
     * {@link Main}.
     */
    private static final Set<String> RESERVED =
            Set.of("SLUICE_HOME", "SLUICE_JAVA_OPTS", ConsoleOptions.URL, Main.HOME_PROPERTY, Main.PARENT_PROPERTY);

    private ProcessConfigSources() {}

    /**
     * The file, and what overrides it in this process.
     *
     * @throws ConfigException for a file that cannot be read or is empty: an empty one, such as one that was cut off,
     *     would run every role
     */
    static ConfigSources of(Path file) {
        var read = YamlText.read(file);
        if (read.isEmpty()) {
            throw new ConfigException(List.of(
                    "the config file " + file + " is empty; it must name the roles at least, such as roles: [all]."));
        }
        var properties = System.getProperties();
        var texts = properties.stringPropertyNames().stream()
                .collect(Collectors.toMap(name -> name, properties::getProperty));
        return of(read, System.getenv(), texts);
    }

    static ConfigSources of(ObjectNode file, Map<String, String> environment, Map<String, String> properties) {
        return new ConfigSources(file, environment, properties).reserving(RESERVED);
    }
}
