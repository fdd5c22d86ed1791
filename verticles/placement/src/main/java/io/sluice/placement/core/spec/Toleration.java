package io.sluice.placement.core.spec;

import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A toleration of a pod.
 *
 * @param key of the taints that it tolerates; empty for all
 * @param effect of the taints that it tolerates; empty for all
 */
public record Toleration(String key, Operator operator, String value, Optional<Taint.Effect> effect) {
    private static final Pattern DECIMAL = Pattern.compile("0|-?[1-9][0-9]{0,18}");

    public Toleration {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(operator, "operator");
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(effect, "effect");
    }

    /** How the values are compared; {@link #LT} and {@link #GT} have the taint's value on the left. */
    public enum Operator {
        EQUAL,
        EXISTS,
        LT,
        GT
    }

    public boolean tolerates(Taint taint) {
        if (effect.isPresent() && effect.get() != taint.effect() || !key.isEmpty() && !key.equals(taint.key())) {
            return false;
        }
        return switch (operator) {
            case EQUAL -> value.equals(taint.value());
            case EXISTS -> true;
            case LT, GT -> isBeyond(taint.value());
        };
    }

    private boolean isBeyond(String found) {
        if (!DECIMAL.matcher(found).matches() || !DECIMAL.matcher(value).matches()) {
            return false;
        }
        var left = Requirement.number(found);
        var right = Requirement.number(value);
        return left.isPresent()
                && right.isPresent()
                && (operator == Operator.LT
                        ? left.getAsLong() < right.getAsLong()
                        : left.getAsLong() > right.getAsLong());
    }
}
