package io.sluice.launcher;

import io.sluice.shell.config.ConfigSources;
import io.sluice.shell.config.YamlText;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;

/** The sources of config of this process. */
final class Sources {
    /** Variables and properties of our form that the start script means for itself, or for {@link Main}. */
    private static final Set<String> RESERVED =
            Set.of("SLUICE_HOME", "SLUICE_JAVA_OPTS", Main.HOME_PROPERTY, Main.PARENT_PROPERTY);

    private Sources() {}

    static ConfigSources of(Path file) {
        var properties = System.getProperties();
        var texts = properties.stringPropertyNames().stream()
                .collect(Collectors.toMap(name -> name, properties::getProperty));
        return new ConfigSources(YamlText.read(file), System.getenv(), texts).reserving(RESERVED);
    }
}
