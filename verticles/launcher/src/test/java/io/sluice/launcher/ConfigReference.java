package io.sluice.launcher;

import io.sluice.launcher.config.LabSection;
import io.sluice.launcher.config.SluiceConfig;
import io.sluice.launcher.core.ConfigReload;
import io.sluice.shell.Portions;
import io.sluice.shell.config.ByteSize;
import io.sluice.shell.config.ConfigText;
import io.sluice.units.Resources;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes the reference of every config key, from the records: their components, their Javadoc and their defaults. */
final class ConfigReference {
    private static final String HEAD = """
        # Every key of the config

        A test makes this file from the config records, and fails where the two differ. To write it again:
        `mvn -pl verticles/launcher -am test -Dtest=ConfigReferenceTest -Dsurefire.failIfNoSpecifiedTests=false
        -Dreference.write=true`.

        A key is written in the file as nested sections, in the environment as `SLUICE_<SECTION>_<KEY>`, such as
        `SLUICE_AGENT_SCRAPE_PERIOD`, and on the command line as `-Dsluice.<section>.<key>`; the later overrides the
        earlier. A change of a *live* key takes effect without a restart.
        """;

    private final RecordDocs docs;
    private final Map<String, String> defaults;
    private final StringBuilder page = new StringBuilder(HEAD);

    private ConfigReference(RecordDocs docs, Map<String, String> defaults) {
        this.docs = docs;
        this.defaults = defaults;
    }

    /** The whole page. */
    static String page(RecordDocs docs) {
        var defaults = ConfigText.of(SluiceConfig.DEFAULTS);
        defaults.putAll(ConfigText.of(LabSection.DEFAULTS));
        var reference = new ConfigReference(docs, defaults);
        reference.sections(SluiceConfig.class);
        reference.sections(LabSection.class);
        return reference.page.toString();
    }

    private void sections(Class<?> top) {
        for (var component : top.getRecordComponents()) {
            page.append("\n## ").append(component.getName()).append("\n\n");
            page.append(docs.of(component)).append(".\n\n");
            page.append("| key | what | default | kind | live |\n|---|---|---|---|---|\n");
            if (component.getType().isRecord()) {
                keys(component.getType(), component.getName());
            } else {
                row(component, component.getName());
            }
        }
    }

    private void keys(Class<?> section, String path) {
        for (var component : section.getRecordComponents()) {
            var key = path + "." + component.getName();
            if (component.getType().isRecord() && !isAmount(component.getType())) {
                keys(component.getType(), key);
            } else {
                row(component, key);
            }
        }
    }

    private void row(RecordComponent component, String key) {
        page.append("| `%s` | %s | %s | %s | %s |\n"
                .formatted(
                        key,
                        docs.of(component).replace("|", "\\|"),
                        value(component, key),
                        kind(component),
                        ConfigReload.isLive(key) ? "live" : ""));
    }

    private String value(RecordComponent component, String key) {
        var text = isAmount(component.getType())
                ? "{cpu: " + defaults.get(key + ".cpu") + ", memory: " + defaults.get(key + ".memory") + "}"
                : defaults.get(key);
        return text.isEmpty() ? "none" : "`" + text + "`";
    }

    private static boolean isAmount(Class<?> type) {
        return type == Resources.class || type == Portions.class;
    }

    private static String kind(RecordComponent component) {
        var type = component.getType();
        if (Collection.class.isAssignableFrom(type)) {
            var element = ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0];
            return "list of " + kind((Class<?>) element);
        }
        return component.isAnnotationPresent(ByteSize.class) ? "size" : kind(type);
    }

    private static String kind(Class<?> type) {
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .map(constant -> "`" + constant.toString().toLowerCase(Locale.ROOT) + "`")
                    .collect(Collectors.joining(", "));
        }
        if (type == Resources.class) {
            return "amount";
        }
        if (type == Portions.class) {
            return "amount, or share such as `20%`, of each";
        }
        if (type == Duration.class) {
            return "duration";
        }
        return switch (type.getSimpleName()) {
            case "String" -> "text";
            case "boolean" -> "`true`, `false`";
            case "int", "long" -> "whole number";
            case "double" -> "number";
            default -> throw new IllegalStateException("no word for the kind " + type);
        };
    }
}
