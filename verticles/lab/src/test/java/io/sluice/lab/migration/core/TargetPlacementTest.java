package io.sluice.lab.migration.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.lab.migration.core.TargetPlacement.Room;
import io.sluice.units.Resources;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TargetPlacementTest {
    private static final Map<String, Room> NODES = Map.of(
            "full", room(10, 10),
            "source", room(10, 0),
            "roomy", room(20, 8),
            "small", room(4, 2));

    @Test
    void isTheNodeThatIsMeant() {
        assertThat(new TargetPlacement("full", "source", false).choose(NODES)).contains("full");
    }

    @Test
    void isTheNodeWithTheMostRoomWhereNoneIsMeant() {
        assertThat(new TargetPlacement("", "source", false).choose(NODES)).contains("roomy");
        assertThat(new TargetPlacement("", "", false).choose(NODES)).contains("source");
    }

    @Test
    void isAnotherWhereTheOneThatIsMeantIsGoneOrAvoided() {
        assertThat(new TargetPlacement("gone", "source", false).choose(NODES)).contains("roomy");
        assertThat(new TargetPlacement("source", "source", false).choose(NODES)).contains("roomy");
    }

    @Test
    void missesTheNodeThatIsMeantOnRequest() {
        assertThat(new TargetPlacement("roomy", "source", true).choose(NODES)).contains("small");
    }

    @Test
    void isNowhereWhereNothingIsLeft() {
        assertThat(new TargetPlacement("", "source", false).choose(Map.of("source", room(4, 0))))
                .isEmpty();
    }

    @Test
    void isTheFirstByNameOfEquals() {
        assertThat(new TargetPlacement("", "", false).choose(Map.of("b", room(4, 1), "a", room(4, 1))))
                .contains("a");
    }

    private static Room room(int total, int used) {
        var unit = new Resources(250, 1L << 30);
        return new Room(unit.times(total), unit.times(used));
    }
}
