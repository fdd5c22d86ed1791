package io.sluice.pressure.core.choice;

import static io.sluice.pressure.Given.cpu;
import static io.sluice.pressure.Given.deferring;
import static io.sluice.pressure.Given.incomplete;
import static io.sluice.pressure.Given.node;
import static io.sluice.pressure.Given.reservation;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.pressure.core.choice.NodeRooms.LiveTargets;
import io.sluice.shell.load.LoadScore;
import io.sluice.shell.load.NodeUse;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NodeRoomsTest {
    private static final Map<String, RoomAmounts> NOTHING = Map.of();
    private static final Function<String, Optional<String>> OPEN = node -> Optional.empty();

    private static NodeRooms of(NodeLedgerView... ledger) {
        var rooms = new NodeRooms();
        Stream.of(ledger).forEach(each -> rooms.received(each, 0));
        return rooms;
    }

    private static RoomAmounts amounts(Resources charge) {
        return new RoomAmounts(charge, FixedAmounts.NONE);
    }

    private static NodeLedgerView filled(String name, long milli) {
        return node(name, reservation(name + "-vm", milli).ledger());
    }

    static Stream<Arguments> takers() {
        return Stream.of(
                Arguments.of(
                        "the least reserved", new NodeLedgerView[] {filled("n2", 3_000), filled("n3", 2_000)}, "n3"),
                Arguments.of(
                        "the first by name of equals",
                        new NodeLedgerView[] {filled("n3", 3_000), filled("n2", 3_000)},
                        "n2"),
                Arguments.of(
                        "the one whose fraction is least, not its sum",
                        new NodeLedgerView[] {
                            filled("n2", 3_000),
                            node(
                                    "n3",
                                    cpu(100_000),
                                    cpu(80_000),
                                    reservation("x", 9_000).ledger())
                        },
                        "n3"),
                Arguments.of(
                        "never the node itself", new NodeLedgerView[] {filled("n1", 0), filled("n2", 6_000)}, "n2"),
                Arguments.of(
                        "no incomplete node",
                        new NodeLedgerView[] {incomplete(filled("n2", 0)), filled("n3", 6_000)},
                        "n3"),
                Arguments.of(
                        "no node without resources",
                        new NodeLedgerView[] {node("n2", Resources.NONE, Resources.NONE), filled("n3", 6_000)},
                        "n3"),
                Arguments.of(
                        "no node whose kubelet defers growth",
                        new NodeLedgerView[] {deferring(filled("n2", 3_000), cpu(1_000)), filled("n3", 6_000)},
                        "n3"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("takers")
    void takes(String name, NodeLedgerView[] ledger, String taker) {
        assertThat(of(ledger).search("n1", amounts(cpu(1_000)), NOTHING, OPEN))
                .isInstanceOfSatisfying(
                        RoomSearch.Fits.class, fits -> assertThat(fits.node()).isEqualTo(taker));
    }

    @Test
    void aNodeMustStayBelowItsWatermarkInEachKind() {
        assertThat(of(filled("n2", 6_999)).search("n1", amounts(cpu(1_000)), NOTHING, OPEN))
                .isInstanceOf(RoomSearch.Fits.class);
        assertThat(of(filled("n2", 7_000)).search("n1", amounts(cpu(1_000)), NOTHING, OPEN))
                .isInstanceOf(RoomSearch.Short.class);
        var memoryFull = node(
                "n2",
                reservation("x", 0)
                        .reserved(new Resources(0, cpu(7_000).memoryBytes()))
                        .ledger());
        assertThat(of(memoryFull).search("n1", amounts(cpu(1_000)), NOTHING, OPEN))
                .isInstanceOf(RoomSearch.Short.class);
        assertThat(of(memoryFull).search("n1", amounts(new Resources(1_000, 0)), NOTHING, OPEN))
                .isInstanceOf(RoomSearch.Fits.class);
    }

    @Test
    void reachingTheWatermarkInOneKindIsNotBelowIt() {
        var rooms = of(node("n2"));

        assertThat(rooms.search("n1", amounts(new Resources(8_000, 0)), NOTHING, OPEN))
                .isInstanceOf(RoomSearch.Short.class);
        assertThat(rooms.search("n1", amounts(new Resources(7_999, 0)), NOTHING, OPEN))
                .isInstanceOf(RoomSearch.Fits.class);
        assertThat(rooms.search("n1", amounts(new Resources(0, cpu(8_000).memoryBytes())), NOTHING, OPEN))
                .isInstanceOf(RoomSearch.Short.class);
    }

    @Test
    void whatIsPromisedAlreadyCounts() {
        var rooms = of(filled("n2", 5_000));

        assertThat(rooms.search("n1", amounts(cpu(1_000)), Map.of("n2", amounts(cpu(2_000))), OPEN))
                .isInstanceOf(RoomSearch.Short.class);
    }

    @Test
    void namesTheNodeThatComesClosestAndByHowMuchItIsShort() {
        var rooms = of(filled("n2", 7_900), filled("n3", 7_500));

        assertThat(rooms.search("n1", amounts(cpu(1_000)), NOTHING, OPEN))
                .isInstanceOfSatisfying(RoomSearch.Short.class, none -> {
                    assertThat(none.node()).isEqualTo("n3");
                    assertThat(none.by()).isEqualTo(cpu(500));
                });
        assertThat(of(filled("n1", 0)).search("n1", amounts(cpu(1)), NOTHING, OPEN))
                .isEqualTo(new RoomSearch.Nowhere());
    }

    @Test
    void aNodeThatIsClosedIsPassedOverAndNamed() {
        var rooms = of(filled("n2", 1_000), filled("n3", 2_000));

        assertThat(rooms.search("n1", amounts(cpu(1_000)), NOTHING, closed("n2")))
                .isInstanceOfSatisfying(RoomSearch.Fits.class, fits -> {
                    assertThat(fits.node()).isEqualTo("n3");
                    assertThat(fits.passedOver()).containsExactly("n2 is cordoned");
                });
        assertThat(rooms.search("n1", amounts(cpu(1_000)), NOTHING, closed("n2", "n3")))
                .isEqualTo(new RoomSearch.Closed(List.of("n2 is cordoned", "n3 is cordoned")));
    }

    @Test
    void aNodeThatIsClosedAndFullIsCalledFull() {
        var rooms = of(filled("n2", 7_500));

        assertThat(rooms.search("n1", amounts(cpu(1_000)), NOTHING, closed("n2")))
                .isInstanceOf(RoomSearch.Short.class);
    }

    @Test
    void deferredGrowthMakesANodeFull() {
        var rooms = of(deferring(filled("n2", 3_000), new Resources(500, 0)));

        assertThat(rooms.search("n1", amounts(cpu(1_000)), NOTHING, OPEN))
                .isEqualTo(
                        new RoomSearch.Closed(List.of("n2 is full for its kubelet, which defers growth of cpu 500m")));
    }

    private static Function<String, Optional<String>> closed(String... nodes) {
        return node -> List.of(nodes).contains(node) ? Optional.of("cordoned") : Optional.empty();
    }

    /** Most is reserved on n3, and least of it is in use; n4 is as n2, and its use is unknown. */
    @Test
    void takesTheBestScoreByWhatIsInUseWhereTargetsAreChosenSo() {
        var rooms = of(filled("n2", 4_000), filled("n3", 5_000), filled("n4", 4_000));
        var use = Map.of("n2", new NodeUse(cpu(4_000), cpu(2_000)), "n3", new NodeUse(cpu(5_000), cpu(1_000)));

        rooms.targets(Optional.of(new LiveTargets(new LoadScore.Spread(), use)));
        assertThat(target(rooms)).isEqualTo("n3");
        rooms.targets(Optional.of(new LiveTargets(new LoadScore.Pack(0.7), use)));
        assertThat(target(rooms)).isEqualTo("n4");
        rooms.targets(Optional.of(new LiveTargets(new LoadScore.Spread(), Map.of())));
        assertThat(target(rooms))
                .as("all unknown: the least reserved, the first by name")
                .isEqualTo("n2");
        rooms.targets(Optional.empty());
        assertThat(target(rooms)).isEqualTo("n2");
    }

    private static String target(NodeRooms rooms) {
        return rooms.search("n1", amounts(cpu(1_000)), NOTHING, OPEN) instanceof RoomSearch.Fits fits
                ? fits.node()
                : "";
    }

    @Test
    void olderSumsChangeNothing() {
        var rooms = new NodeRooms();
        rooms.received(filled("n2", 7_500), 5);
        rooms.received(filled("n2", 0), 4);

        assertThat(rooms.search("n1", amounts(cpu(1_000)), NOTHING, OPEN)).isInstanceOf(RoomSearch.Short.class);
        assertThat(rooms.orderOf("n2")).isEqualTo(5);
        assertThat(rooms.orderOf("n3")).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void aRefusalCountsUntilSomethingNewerIsReceived() {
        var rooms = of(filled("n2", 0));
        rooms.refused("n2", 3);
        assertThat(rooms.search("n1", amounts(cpu(1_000)), NOTHING, OPEN)).isInstanceOf(RoomSearch.Short.class);

        rooms.received(filled("n2", 0), 2);
        assertThat(rooms.search("n1", amounts(cpu(1_000)), NOTHING, OPEN)).isInstanceOf(RoomSearch.Short.class);
        rooms.received(filled("n2", 0), 4);
        assertThat(rooms.search("n1", amounts(cpu(1_000)), NOTHING, OPEN)).isInstanceOf(RoomSearch.Fits.class);
    }

    @Test
    void nodesThatALookDoesNotFindAreForgottenUnlessReportedSince() {
        var rooms = new NodeRooms();
        rooms.received(filled("n2", 9_000), 1);
        rooms.received(filled("n3", 9_000), 1);
        rooms.received(filled("n4", 9_000), 3);
        assertThat(rooms.pressed()).containsExactly("n2", "n3", "n4");

        rooms.onlyThese(List.of("n2"), 2);

        assertThat(rooms.pressed()).containsExactly("n2", "n4");
        assertThat(rooms.all()).extracting(NodeRoom::node).containsExactly("n2", "n4");
        rooms.received(filled("n2", 1_000), 4);
        assertThat(rooms.pressedCount()).isEqualTo(1);
    }
}
