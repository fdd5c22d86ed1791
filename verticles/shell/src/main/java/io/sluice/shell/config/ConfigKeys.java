package io.sluice.shell.config;

import io.sluice.shell.Portions;
import io.sluice.units.Resources;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Every key of a config record, by its path: {@code agent.scrapePeriod}. */
public final class ConfigKeys {
    /** The keys of an amount; {@link Resources} and {@link Portions} are sections of these two. */
    static final List<String> RESOURCES_KEYS = List.of("cpu", "memory");

    private final TreeMap<String, Shape> shapes = new TreeMap<>();

    /** The form of a key's value. */
    enum Shape {
        /** A single value. */
        VALUE,
        /** A list of values. */
        WORDS,
        /** A list of sections, which a single value cannot express. */
        SECTIONS
    }

    private ConfigKeys() {}

    /** The keys of a record and of its nested records. */
    public static ConfigKeys of(Class<? extends Record> type) {
        var keys = new ConfigKeys();
        keys.walk(type, "");
        return keys;
    }

    /** All paths, sorted. */
    public Set<String> paths() {
        return shapes.navigableKeySet();
    }

    /** The path that an environment variable without its prefix names: case and underscores do not count. */
    Optional<String> named(String variable) {
        var wanted = plain(variable);
        return shapes.keySet().stream()
                .filter(path -> plain(path).equals(wanted))
                .findFirst();
    }

    Optional<Shape> shape(String path) {
        return Optional.ofNullable(shapes.get(path));
    }

    private void walk(Class<?> type, String prefix) {
        for (var component : type.getRecordComponents()) {
            var path = join(prefix, component.getName());
            if (isAmount(component.getType())) {
                RESOURCES_KEYS.forEach(key -> shapes.put(join(path, key), Shape.VALUE));
            } else if (component.getType().isRecord()) {
                walk(component.getType(), path);
            } else if (Collection.class.isAssignableFrom(component.getType())) {
                shapes.put(path, elementType(component).isRecord() ? Shape.SECTIONS : Shape.WORDS);
            } else {
                shapes.put(path, Shape.VALUE);
            }
        }
    }

    /** Whether it is written as a section of {@link #RESOURCES_KEYS}. */
    private static boolean isAmount(Class<?> type) {
        return type == Resources.class || type == Portions.class;
    }

    static Class<?> elementType(RecordComponent list) {
        if (list.getGenericType() instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            if (arguments.length == 1 && arguments[0] instanceof Class<?> element) {
                return element;
            }
        }
        throw new IllegalStateException("config cannot bind the elements of " + list);
    }

    static List<String> names(Class<?> record) {
        return isAmount(record)
                ? RESOURCES_KEYS
                : Arrays.stream(record.getRecordComponents())
                        .map(RecordComponent::getName)
                        .toList();
    }

    static String join(String prefix, String name) {
        return prefix.isEmpty() ? name : prefix + "." + name;
    }

    static String plain(String name) {
        return name.replace("_", "").replace(".", "").toLowerCase(Locale.ROOT);
    }
}
