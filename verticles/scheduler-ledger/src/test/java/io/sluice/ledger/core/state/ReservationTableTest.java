package io.sluice.ledger.core.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.ledger.core.state.ReservationTable.Difference;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A table holds what a sorted map would, through any changes, and names what differs between two of its versions. */
class ReservationTableTest {
    private static final int STEPS = 5_000;
    private static final Resources SIZE = new Resources(100, 4096);

    private final TreeMap<String, Reservation> model = new TreeMap<>();
    private ReservationTable table = ReservationTable.EMPTY;

    @ParameterizedTest
    @ValueSource(ints = {1, 30, 100, 1_000})
    void holdsWhatASortedMapHolds(int ids) {
        var random = new Random(ids);
        for (int step = 0; step < STEPS; step++) {
            change(random, ids);

            var id = id(random.nextInt(ids));
            assertThat(table.find(id)).isEqualTo(Optional.ofNullable(model.get(id)));
            assertThat(table.size()).isEqualTo(model.size());
            if (step % 97 == 0) {
                assertThat(table).containsExactlyElementsOf(model.values()).isEqualTo(ReservationTable.of(table.all()));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 30, 100, 1_000})
    void namesWhatDiffersBetweenTwoVersions(int ids) {
        var random = new Random(ids);
        for (int step = 0; step < STEPS / 5; step++) {
            var before = table;
            var was = new TreeMap<>(model);
            for (int changes = random.nextInt(5); changes > 0; changes--) {
                change(random, ids);
            }

            assertThat(ReservationTable.between(before, table)).isEqualTo(differences(was));
        }
    }

    @Test
    void shrinksToNothing() {
        int ids = 500;
        for (int i = 0; i < ids; i++) {
            table = table.with(reservation(i));
        }
        for (int i = ids - 1; i >= 0; i--) {
            table = table.without(id(i));
            assertThat(table.size()).isEqualTo(i);
        }

        assertThat(table).isEqualTo(ReservationTable.EMPTY).isEmpty();
        assertThat(table.find(id(0))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void refusesReservationsThatAreNotSorted(int second) {
        var unsorted = List.of(reservation(1), reservation(second));

        assertThatThrownBy(() -> ReservationTable.of(unsorted))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("sorted by id");
    }

    /** More is added than removed at first, and the other way round later, so that chunks are divided and joined. */
    private void change(Random random, int ids) {
        var reservation = reservation(random.nextInt(ids));
        boolean grows = random.nextInt(10) < (model.size() < ids / 2 ? 7 : 4);
        if (grows) {
            table = table.with(reservation);
            model.put(reservation.id(), reservation);
        } else {
            table = table.without(reservation.id());
            model.remove(reservation.id());
        }
    }

    private List<Difference> differences(TreeMap<String, Reservation> was) {
        var ids = new TreeSet<>(was.keySet());
        ids.addAll(model.keySet());
        return ids.stream()
                .filter(id -> was.get(id) != model.get(id))
                .map(id -> new Difference(Optional.ofNullable(was.get(id)), Optional.ofNullable(model.get(id))))
                .toList();
    }

    private static String id(int number) {
        return "pod-%04d".formatted(number);
    }

    private static Reservation reservation(int number) {
        return new Reservation(
                new PodIdentity(id(number), "ns", id(number), "", 0),
                ReservationAmounts.used(SIZE, Overcommit.OFF),
                ReservationLimits.fixed(SIZE),
                AgentSession.NONE,
                ReservationStatus.BOUND,
                Observations.first(1, SIZE, Instant.EPOCH),
                FixedAmounts.NONE);
    }
}
