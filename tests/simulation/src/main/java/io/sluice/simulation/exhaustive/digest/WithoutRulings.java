package io.sluice.simulation.exhaustive.digest;

import io.sluice.ledger.core.state.Reservation;
import io.sluice.ledger.core.state.ReservationTable;
import io.sluice.messages.ledger.permit.KindDecision;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Optional;

/**
 * The same value without the numbers that explain a permit. They name sums of the node, which depend on the order of
 * other VMs' requests; no decision depends on them.
 */
public final class WithoutRulings {
    static final KindDecision NONE = new KindDecision(KindDecision.Rule.NOTED, 0, 0, 0, 0, 0, 0);

    private WithoutRulings() {}

    @SuppressWarnings("unchecked")
    public static <T> T of(T value) {
        return (T) stripped(value);
    }

    private static Object stripped(Object value) {
        return switch (value) {
            case KindDecision _ -> NONE;
            case Optional<?> optional -> optional.isEmpty() ? optional : sameOr(optional, stripped(optional.get()));
            case ReservationTable reservations -> reservationsOf(reservations);
            case Record composed -> composed(composed);
            default -> value;
        };
    }

    private static Optional<?> sameOr(Optional<?> before, Object after) {
        return before.get() == after ? before : Optional.of(after);
    }

    private static ReservationTable reservationsOf(ReservationTable reservations) {
        var kept = new ArrayList<Reservation>(reservations.size());
        boolean same = true;
        for (var reservation : reservations) {
            var stripped = (Reservation) stripped(reservation);
            same &= stripped == reservation;
            kept.add(stripped);
        }
        return same ? reservations : ReservationTable.of(kept);
    }

    private static Object composed(Record value) {
        var components = value.getClass().getRecordComponents();
        var parts = new Object[components.length];
        boolean same = true;
        try {
            for (int i = 0; i < parts.length; i++) {
                components[i].getAccessor().setAccessible(true);
                var part = components[i].getAccessor().invoke(value);
                parts[i] = stripped(part);
                same &= parts[i] == part || components[i].getType().isPrimitive();
            }
            if (same) {
                return value;
            }
            var types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            var made = value.getClass().getDeclaredConstructor(types);
            made.setAccessible(true);
            return made.newInstance(parts);
        } catch (ReflectiveOperationException hidden) {
            throw new IllegalStateException(
                    hidden instanceof InvocationTargetException thrown ? thrown.getCause() : hidden);
        }
    }
}
