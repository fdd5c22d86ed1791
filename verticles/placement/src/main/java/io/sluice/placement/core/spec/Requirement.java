package io.sluice.placement.core.spec;

import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;

/**
 * One requirement on a set of labels, or on a node's fields.
 *
 * @param key of the label or field
 * @param values what it is compared with; one number for {@link Operator#GT} and {@link Operator#LT}
 */
public record Requirement(String key, Operator operator, Set<String> values) {
    public Requirement {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(operator, "operator");
        values = Set.copyOf(values);
    }

    /** How a label is compared. */
    public enum Operator {
        IN,
        NOT_IN,
        EXISTS,
        DOES_NOT_EXIST,
        GT,
        LT
    }

    /** Whether labels meet it. */
    public boolean matches(Map<String, String> labels) {
        return matches(labels.get(key));
    }

    /** @param value of the label, or null if there is none */
    public boolean matches(String value) {
        return switch (operator) {
            case IN -> value != null && values.contains(value);
            case NOT_IN -> value == null || !values.contains(value);
            case EXISTS -> value != null;
            case DOES_NOT_EXIST -> value == null;
            case GT, LT -> value != null && isBeyond(value);
        };
    }

    /** A text that is no whole number is neither greater nor less. */
    private boolean isBeyond(String value) {
        var found = number(value);
        var bound = values.size() == 1 ? number(values.iterator().next()) : OptionalLong.empty();
        return found.isPresent()
                && bound.isPresent()
                && (operator == Operator.GT
                        ? found.getAsLong() > bound.getAsLong()
                        : found.getAsLong() < bound.getAsLong());
    }

    static OptionalLong number(String text) {
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException notANumber) {
            return OptionalLong.empty();
        }
    }
}
