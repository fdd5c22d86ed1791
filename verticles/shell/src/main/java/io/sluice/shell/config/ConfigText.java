package io.sluice.shell.config;

import io.sluice.shell.Portions;
import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A config record as text: one text for each key of {@link ConfigKeys}. */
public final class ConfigText {
    private ConfigText() {}

    /** Every key by its path, {@code agent.scrapePeriod}, with its value, {@code 5s}. */
    public static SortedMap<String, String> of(Record config) {
        var texts = new TreeMap<String, String>();
        walk(config, "", texts);
        return texts;
    }

    private static void walk(Record record, String prefix, SortedMap<String, String> texts) {
        for (var component : record.getClass().getRecordComponents()) {
            var path = ConfigKeys.join(prefix, component.getName());
            switch (value(component, record)) {
                case Resources amount -> {
                    texts.put(ConfigKeys.join(path, "cpu"), Quantities.cpuText(amount.milliCpu()));
                    texts.put(ConfigKeys.join(path, "memory"), Quantities.memoryText(amount.memoryBytes()));
                }
                case Portions portions -> {
                    texts.put(ConfigKeys.join(path, "cpu"), portions.cpuText());
                    texts.put(ConfigKeys.join(path, "memory"), portions.memoryText());
                }
                case Record nested -> walk(nested, path, texts);
                case Number bytes
                when component.isAnnotationPresent(ByteSize.class) ->
                    texts.put(path, ByteSizes.text(bytes.longValue()));
                case Object plain -> texts.put(path, word(plain));
            }
        }
    }

    private static String word(Object value) {
        return switch (value) {
            case Duration duration -> Durations.text(duration);
            case Enum<?> constant -> constant.toString().toLowerCase(Locale.ROOT);
            case Collection<?> list -> list.stream().map(ConfigText::word).collect(Collectors.joining(", "));
            default -> value.toString();
        };
    }

    private static Object value(RecordComponent component, Record owner) {
        try {
            return component.getAccessor().invoke(owner);
        } catch (ReflectiveOperationException hidden) {
            throw new IllegalStateException("a config record must be public: " + owner.getClass(), hidden);
        }
    }
}
