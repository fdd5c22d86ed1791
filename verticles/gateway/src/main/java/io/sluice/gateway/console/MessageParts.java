package io.sluice.gateway.console;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The structure of a message class, looked up once for each class.
 *
 * @param type the case's name if the message is one of several; empty for any other
 * @param parts its components, in order
 */
record MessageParts(Optional<String> type, List<Part> parts) {
    private static final ClassValue<MessageParts> OF = new ClassValue<>() {
        @Override
        protected MessageParts computeValue(Class<?> message) {
            var parts = Stream.of(message.getRecordComponents()).map(Part::new).toList();
            boolean isCase = Stream.of(message.getInterfaces()).anyMatch(Class::isSealed);
            return new MessageParts(Optional.of(message.getSimpleName()).filter(name -> isCase), parts);
        }
    };

    static MessageParts of(Class<? extends Record> message) {
        return OF.get(message);
    }

    /** One component. */
    record Part(RecordComponent component) {
        String name() {
            return component.getName();
        }

        Object in(Record message) {
            try {
                return component.getAccessor().invoke(message);
            } catch (IllegalAccessException | InvocationTargetException unreadable) {
                throw new IllegalStateException(component + " cannot be read", unreadable);
            }
        }
    }
}
