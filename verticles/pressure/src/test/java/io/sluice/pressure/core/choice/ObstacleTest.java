package io.sluice.pressure.core.choice;

import static io.sluice.pressure.Given.cpu;
import static io.sluice.pressure.Given.node;
import static io.sluice.pressure.Given.reservation;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.pressure.GivenReservation;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The obstacles that keep VMs where they are, with their sentences and numbers. */
class ObstacleTest {
    private final GivenAround around = new GivenAround(node("n2"));

    private NoChoice none(NodeLedgerView ledger) {
        return ChoiceRules.choose(ledger, around).none().orElseThrow();
    }

    static Stream<Arguments> obstacles() {
        return Stream.of(
                obstacle(Obstacle.NO_VM, "runs no VM", GivenReservation::withoutVm, around -> {}),
                obstacle(Obstacle.HELD, "is only held", GivenReservation::held, around -> {}),
                obstacle(Obstacle.MIGRATION_TARGET, "is bringing its VM here", GivenReservation::target, around -> {}),
                obstacle(Obstacle.NOT_MIGRATABLE, "is not labelled", GivenReservation::fixed, around -> {}),
                obstacle(Obstacle.RECOVERED, "has sent no request since", GivenReservation::recovered, around -> {}),
                obstacle(Obstacle.VM_UNKNOWN, "was not observed yet", m -> {}, around -> around.unknown.add("a")),
                obstacle(
                        Obstacle.VM_UNKNOWN,
                        "runs in another pod, or none: another-pod on n1",
                        m -> {},
                        around -> around.elsewhere.add("a")),
                obstacle(
                        Obstacle.MIGRATING,
                        "its driver reports that it migrates",
                        m -> {},
                        around -> around.phases.put("a", VmPhase.PRE_MIGRATING)),
                obstacle(
                        Obstacle.NOT_CLEANED,
                        "is not deleted yet",
                        m -> {},
                        around -> around.engaged.put("a", MigrationInvolvement.TAKEN)),
                obstacle(
                        Obstacle.TOO_LARGE,
                        "its charge of 9/9000Mi alone is above the node's watermark of 8/8000Mi",
                        given -> given.reserved(cpu(9_000)),
                        around -> {}),
                obstacle(
                        Obstacle.GANG,
                        "which is being placed",
                        m -> {},
                        around -> around.gangs.put(
                                "a", new KnownGang("ns/g", Optional.of("is a member, which is being placed")))),
                obstacle(
                        Obstacle.COOLING_DOWN,
                        "in cooldown for 431 s more, after its last migration",
                        m -> {},
                        around -> around.resting.put(
                                "a", new Cooldown(Duration.ofMillis(430_200), "its last migration"))),
                obstacle(
                        Obstacle.NO_ROOM,
                        "n2, the best, would then have 9500m/9500Mi reserved, 1500m/1500Mi above its watermark of"
                                + " 8/8000Mi",
                        m -> {},
                        around -> around.rooms.received(
                                node("n2", reservation("x", 7_000).ledger()), 1)),
                obstacle(
                        Obstacle.NO_ROOM,
                        "the ledger of no other node is complete",
                        m -> {},
                        around -> around.rooms.onlyThese(List.of(), 9)));
    }

    private static Arguments obstacle(
            Obstacle obstacle, String words, Consumer<GivenReservation> given, Consumer<GivenAround> here) {
        return Arguments.of(obstacle, words, given, here);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("obstacles")
    void reportsWhatKeepsTheVmThatCameClosest(
            Obstacle obstacle, String words, Consumer<GivenReservation> given, Consumer<GivenAround> here) {
        var kept = reservation("a", 2_500);
        given.accept(kept);
        here.accept(around);
        var ledger = node("n1", pod("p", 6_000), pod("q", 100), kept.ledger());

        var none = none(ledger);

        assertThat(none.cause()).isEqualTo(obstacle);
        assertThat(none.reason())
                .contains("none of 3 can leave: prod/a")
                .contains(words)
                .endsWith("; 2 more: runs no VM");
    }

    private static ReservationView pod(String name, long milli) {
        return reservation(name, milli).withoutVm().ledger();
    }

    @Test
    void secondsThatPassAreNoNews() {
        var ledger = node("n1", reservation("a", 9_000).reserved(cpu(7_000)).ledger(), pod("p", 2_000));
        around.resting.put("a", new Cooldown(Duration.ofSeconds(60), "its last migration"));
        var before = none(ledger);
        around.resting.put("a", new Cooldown(Duration.ofSeconds(59), "its last migration"));
        var after = none(ledger);

        assertThat(after.reason()).isNotEqualTo(before.reason());
        assertThat(after.gist()).isEqualTo(before.gist());
    }

    @ParameterizedTest
    @EnumSource(
            value = NodeReadiness.class,
            names = {"NOT_READY", "GROWTH_STOPPED"})
    void noVmLeavesANodeThatIsNotReadyNotEvenOneThatIsLabelledToMove(NodeReadiness readiness) {
        var ledger =
                node("n1", reservation("a", 9_000).load(1).always().ledger()).with(readiness);

        assertThat(none(ledger).cause()).isEqualTo(Obstacle.NODE_NOT_READY);
        assertThat(none(ledger).reason()).isEqualTo("the node is not ready");
        assertThat(ChoiceRules.always(ledger, around)).isEmpty();
        assertThat(MigrationRanking.rank(ledger, around).ranks())
                .allMatch(rank -> !rank.candidate() || rank.reason().endsWith("; not now: the node is not ready"));
    }

    @Test
    void aNodeWithUnreportedReservationsHasNoVmToMove() {
        var sums = new NodeLedgerView(
                "n1",
                true,
                cpu(10_000),
                cpu(8_000),
                cpu(9_000),
                cpu(9_000),
                Resources.NONE,
                Resources.NONE,
                Resources.NONE,
                Resources.NONE,
                Resources.NONE,
                true,
                0,
                List.of());

        assertThat(none(sums).cause()).isEqualTo(Obstacle.NO_RESERVATIONS);
    }
}
