package io.sluice.shell.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.shell.Portions;
import io.sluice.units.Resources;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Fills config records from a tree, component by component, and collects every error.
 *
 * <p>A record with an error is not built; its default takes its place, so that the rest is still checked.
 */
final class ConfigBinder {
    private final List<String> errors = new ArrayList<>();
    private final ConfigTexts words;

    /**
     * Binds values that may come from other sources than the file.
     *
     * @param origins the variable or property of each path that has its value from one
     */
    ConfigBinder(Map<String, String> origins) {
        this.words = new ConfigTexts(origins, errors);
    }

    /** The errors so far, one sentence each. */
    List<String> errors() {
        return List.copyOf(errors);
    }

    /** The record that the node describes, or {@code defaults} if it has an error. */
    <R extends Record> R bind(Class<R> type, R defaults, JsonNode node, String path) {
        int errorsBefore = errors.size();
        if (!isSection(node, path)) {
            return defaults;
        }
        refuseUnknown(ConfigKeys.names(type), node, path);
        var components = type.getRecordComponents();
        var values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            var fallback = read(components[i], defaults);
            var child = node.get(components[i].getName());
            values[i] = child == null
                    ? fallback
                    : component(components[i], fallback, child, ConfigKeys.join(path, components[i].getName()));
        }
        return errors.size() > errorsBefore ? defaults : build(type, defaults, values, path);
    }

    private Object component(RecordComponent component, Object fallback, JsonNode node, String path) {
        var type = component.getType();
        if (type == Resources.class) {
            return resources((Resources) fallback, node, path);
        }
        if (type == Portions.class) {
            return portions((Portions) fallback, node, path);
        }
        if (type.isRecord()) {
            return bind(type.asSubclass(Record.class), fallback, node, path);
        }
        if (type == List.class) {
            return list(ConfigKeys.elementType(component), (Collection<?>) fallback, node, path);
        }
        if (component.isAnnotationPresent(ByteSize.class)) {
            return words.size(type, (Number) fallback, node, path);
        }
        return words.read(type, fallback, node, path);
    }

    private <R extends Record> R bind(Class<R> type, Object defaults, JsonNode node, String path) {
        return bind(type, type.cast(defaults), node, path);
    }

    private Resources resources(Resources defaults, JsonNode node, String path) {
        if (!isSection(node, path)) {
            return defaults;
        }
        refuseUnknown(ConfigKeys.RESOURCES_KEYS, node, path);
        var cpu = node.get("cpu");
        var memory = node.get("memory");
        return new Resources(
                cpu == null ? defaults.milliCpu() : words.milliCpu(defaults.milliCpu(), cpu, path + ".cpu"),
                memory == null
                        ? defaults.memoryBytes()
                        : words.bytes(defaults.memoryBytes(), memory, path + ".memory"));
    }

    private Portions portions(Portions defaults, JsonNode node, String path) {
        if (!isSection(node, path)) {
            return defaults;
        }
        refuseUnknown(ConfigKeys.RESOURCES_KEYS, node, path);
        var cpu = node.get("cpu");
        var memory = node.get("memory");
        return new Portions(
                cpu == null ? defaults.cpu() : words.cpuPortion(defaults.cpu(), cpu, path + ".cpu"),
                memory == null ? defaults.memory() : words.memoryPortion(defaults.memory(), memory, path + ".memory"));
    }

    private Object list(Class<?> element, Collection<?> fallback, JsonNode node, String path) {
        if (!node.isArray()) {
            words.refuse(path, node, "a list");
            return fallback;
        }
        var bound = new ArrayList<Object>();
        for (int i = 0; i < node.size(); i++) {
            var elementPath = path + "[" + i + "]";
            bound.add(
                    element.isRecord()
                            ? listed(element.asSubclass(Record.class), node.get(i), elementPath)
                            : words.read(element, null, node.get(i), elementPath));
        }
        return bound.contains(null) ? fallback : List.copyOf(bound);
    }

    /** An element of a list has its type's defaults. */
    private <R extends Record> R listed(Class<R> type, JsonNode node, String path) {
        try {
            return bind(type, type.cast(type.getField("DEFAULTS").get(null)), node, path);
        } catch (NoSuchFieldException | IllegalAccessException missing) {
            throw new IllegalStateException("a config record in a list needs a public DEFAULTS: " + type, missing);
        }
    }

    private boolean isSection(JsonNode node, String path) {
        if (node.isObject() || ConfigTexts.isNothing(node)) {
            return true;
        }
        words.refuse(path, node, "a section of keys");
        return false;
    }

    private void refuseUnknown(List<String> known, JsonNode node, String path) {
        node.fieldNames().forEachRemaining(name -> {
            if (!known.contains(name)) {
                var near = NearestName.of(name, known)
                        .map(guess -> ConfigKeys.join(path, guess))
                        .orElse("");
                errors.add(ConfigKeys.join(path, ConfigTexts.shortened(name)) + " is no config key"
                        + (near.isEmpty()
                                ? "; known here: " + String.join(", ", known) + "."
                                : ConfigReader.guess(near)));
            }
        });
    }

    private <R extends Record> R build(Class<R> type, R defaults, Object[] values, String path) {
        var parameters = new Class<?>[values.length];
        for (int i = 0; i < parameters.length; i++) {
            parameters[i] = type.getRecordComponents()[i].getType();
        }
        try {
            return type.getConstructor(parameters).newInstance(values);
        } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof IllegalArgumentException refused) {
                errors.add(explained(refused.getMessage(), path));
                return defaults;
            }
            throw new IllegalStateException("the constructor of " + type + " broke", thrown.getCause());
        } catch (ReflectiveOperationException hidden) {
            throw new IllegalStateException("a config record must be public: " + type, hidden);
        }
    }

    private static String explained(String message, String path) {
        var reported = message == null ? "is not allowed" : message;
        return path.isEmpty() || reported.contains(path) ? reported : path + ": " + reported;
    }

    private static Object read(RecordComponent component, Record owner) {
        try {
            return component.getAccessor().invoke(owner);
        } catch (ReflectiveOperationException hidden) {
            throw new IllegalStateException(
                    "a config record must be public: " + component.getDeclaringRecord(), hidden);
        }
    }
}
