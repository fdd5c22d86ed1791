package io.sluice.agent.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.agent.core.scaling.CoreEntry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A journal's entries as JSON: a list of {@code [type, fields]}, by the names of {@link CoreEntry}'s records and their
 * components. Times are in the form of ISO 8601, to the nanosecond; what is empty is left out. A field that a reader
 * does not know is skipped.
 */
public final class JournalText {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final Map<String, Class<?>> ENTRIES = Arrays.stream(CoreEntry.class.getPermittedSubclasses())
            .collect(Collectors.toMap(Class::getSimpleName, Function.identity()));
    private static final ClassValue<RecordComponent[]> COMPONENTS = new ClassValue<>() {
        @Override
        protected RecordComponent[] computeValue(Class<?> type) {
            var components = type.getRecordComponents();
            Arrays.stream(components)
                    .forEach(component -> component.getAccessor().setAccessible(true));
            return components;
        }
    };

    private JournalText() {}

    /** The entries as one line. */
    public static String write(List<CoreEntry> entries) {
        var all = NODES.arrayNode();
        for (var entry : entries) {
            all.addArray().add(entry.getClass().getSimpleName()).add(node(entry));
        }
        return all.toString();
    }

    /**
     * The entries of a list.
     *
     * @throws IllegalArgumentException naming what is wrong
     */
    public static List<CoreEntry> read(JsonNode all) {
        try {
            var entries = new ArrayList<CoreEntry>();
            for (var entry : all) {
                var type = ENTRIES.get(entry.path(0).asText());
                if (type == null) {
                    throw new IllegalArgumentException("an entry's type is unknown: " + entry.path(0));
                }
                entries.add((CoreEntry) record(type, entry.path(1)));
            }
            return entries;
        } catch (DateTimeException malformed) {
            throw new IllegalArgumentException("a journal's time is malformed: " + malformed.getMessage(), malformed);
        }
    }

    private static JsonNode node(Object value) {
        return switch (value) {
            case Record parts -> {
                var fields = NODES.objectNode();
                for (var component : COMPONENTS.get(parts.getClass())) {
                    var part = get(component, parts);
                    if (!(part instanceof Optional<?> maybe && maybe.isEmpty())) {
                        fields.set(component.getName(), node(part));
                    }
                }
                yield fields;
            }
            case Optional<?> present -> node(present.orElseThrow());
            case List<?> elements -> {
                ArrayNode all = NODES.arrayNode();
                elements.forEach(element -> all.add(node(element)));
                yield all;
            }
            case Boolean flag -> NODES.booleanNode(flag);
            case Integer number -> NODES.numberNode(number);
            case Long number -> NODES.numberNode(number);
            case Double number -> NODES.numberNode(number);
            case Enum<?> constant -> NODES.textNode(constant.name());
            default -> NODES.textNode(value.toString());
        };
    }

    private static Object get(RecordComponent component, Record parts) {
        try {
            return component.getAccessor().invoke(parts);
        } catch (ReflectiveOperationException unreadable) {
            throw new IllegalStateException("a record cannot be read: " + component, unreadable);
        }
    }

    private static Object record(Class<?> type, JsonNode fields) {
        var components = COMPONENTS.get(type);
        var values = new Object[components.length];
        var types = new Class<?>[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = value(components[i].getGenericType(), fields.path(components[i].getName()), components[i]);
        }
        try {
            var constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (InvocationTargetException refused) {
            throw new IllegalArgumentException(
                    type.getSimpleName() + " is not valid: "
                            + refused.getCause().getMessage(),
                    refused);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException("a record cannot be made: " + type, impossible);
        }
    }

    private static Object value(Type type, JsonNode node, RecordComponent owner) {
        if (type instanceof ParameterizedType generic) {
            var inner = generic.getActualTypeArguments()[0];
            if (generic.getRawType() == Optional.class) {
                return node.isMissingNode() ? Optional.empty() : Optional.of(value(inner, node, owner));
            }
            var elements = new ArrayList<>();
            node.forEach(element -> elements.add(value(inner, element, owner)));
            return elements;
        }
        if (node.isMissingNode()) {
            throw new IllegalArgumentException(
                    owner.getDeclaringRecord().getSimpleName() + " lacks " + owner.getName());
        }
        return plain((Class<?>) type, node);
    }

    private static Object plain(Class<?> type, JsonNode node) {
        if (type.isRecord()) {
            return record(type, node);
        }
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .filter(constant -> ((Enum<?>) constant).name().equals(node.asText()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(node.asText() + " is no " + type.getSimpleName()));
        }
        return switch (type.getSimpleName()) {
            case "boolean", "Boolean" -> node.asBoolean();
            case "int", "Integer" -> node.asInt();
            case "long", "Long" -> node.asLong();
            case "double", "Double" -> node.asDouble();
            case "Instant" -> Instant.parse(node.asText());
            case "Duration" -> Duration.parse(node.asText());
            case "String" -> node.asText();
            default -> throw new IllegalStateException("a journal has no values of " + type);
        };
    }
}
