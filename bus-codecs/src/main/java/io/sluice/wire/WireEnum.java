package io.sluice.wire;

import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * The numbers of an enum's constants on the wire. They are given by hand and never change; the order of the constants
 * in the source may change.
 *
 * @param <E> the enum
 */
public final class WireEnum<E extends Enum<E>> {
    private static final int NUMBER_MAX = 255;

    private final Class<E> type;
    private final ToIntFunction<E> numbers;
    private final Object[] constants = new Object[NUMBER_MAX + 1];

    /**
     * A table of numbers.
     *
     * @param type the enum
     * @param numbers 1 to 255, different for each constant
     */
    public WireEnum(Class<E> type, ToIntFunction<E> numbers) {
        this.type = type;
        this.numbers = numbers;
        for (E constant : type.getEnumConstants()) {
            int number = numbers.applyAsInt(constant);
            if (number < 1 || number > NUMBER_MAX) {
                throw new IllegalArgumentException(this + "." + constant + ": 1 to " + NUMBER_MAX + ", not " + number);
            }
            if (constants[number] != null) {
                throw new IllegalArgumentException(
                        this + ": " + constants[number] + " and " + constant + " both have number " + number);
            }
            constants[number] = constant;
        }
    }

    /** The number of a constant. */
    public int number(E constant) {
        return numbers.applyAsInt(constant);
    }

    /** The constant of a number from 0 to 255; empty if no constant has it. */
    public Optional<E> constant(int number) {
        return Optional.ofNullable(constants[number]).map(type::cast);
    }

    /** The enum's simple name. */
    @Override
    public String toString() {
        return type.getSimpleName();
    }
}
