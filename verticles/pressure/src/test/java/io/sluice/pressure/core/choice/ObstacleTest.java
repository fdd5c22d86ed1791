package io.sluice.pressure.core.choice;

import static io.sluice.pressure.Given.cpu;
import static io.sluice.pressure.Given.member;
import static io.sluice.pressure.Given.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.pressure.GivenMember;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What keeps members where they are, in words and with numbers. */
class ObstacleTest {
    private final GivenAround around = new GivenAround(node("n2"));

    private NoChoice nobody(NodeLedgerView books) {
        return ChoiceRules.choose(books, around).nobody().orElseThrow();
    }

    static Stream<Arguments> obstacles() {
        return Stream.of(
                obstacle(Obstacle.NO_VM, "runs no VM", GivenMember::withoutVm, around -> {}),
                obstacle(Obstacle.HELD, "is only held", GivenMember::held, around -> {}),
                obstacle(Obstacle.MIGRATION_TARGET, "is moving its VM here", GivenMember::target, around -> {}),
                obstacle(Obstacle.NOT_MIGRATABLE, "is not labelled", GivenMember::fixed, around -> {}),
                obstacle(Obstacle.RECOVERED, "nobody has heard from its agent", GivenMember::recovered, around -> {}),
                obstacle(Obstacle.VM_UNKNOWN, "was not heard of yet", m -> {}, around -> around.unknown.add("a")),
                obstacle(
                        Obstacle.VM_UNKNOWN,
                        "runs in another pod, or none: another-pod on n1",
                        m -> {},
                        around -> around.elsewhere.add("a")),
                obstacle(
                        Obstacle.MIGRATING,
                        "its driver says that it is being moved",
                        m -> {},
                        around -> around.phases.put("a", VmPhase.PRE_MIGRATING)),
                obstacle(
                        Obstacle.NOT_CLEANED,
                        "is not cleaned away yet",
                        m -> {},
                        around -> around.engaged.put("a", MigrationInvolvement.TAKEN)),
                obstacle(
                        Obstacle.TOO_LARGE,
                        "its charge of 9/9000Mi alone is above the node's watermark of 8/8000Mi",
                        member -> member.reserved(cpu(9_000)),
                        around -> {}),
                obstacle(
                        Obstacle.COOLING_DOWN,
                        "in cool-down for 431 s more, after its last migration",
                        m -> {},
                        around -> around.resting.put(
                                "a", new Cooldown(Duration.ofMillis(430_200), "its last migration"))),
                obstacle(
                        Obstacle.NO_ROOM,
                        "n2, the best, would have reserved 9500m/9500Mi of its watermark 8/8000Mi, too much by"
                                + " 1500m/1500Mi",
                        m -> {},
                        around ->
                                around.rooms.heard(node("n2", member("x", 7_000).books()), 1)),
                obstacle(
                        Obstacle.NO_ROOM,
                        "no other node's books are complete",
                        m -> {},
                        around -> around.rooms.onlyThese(List.of(), 9)));
    }

    private static Arguments obstacle(
            Obstacle obstacle, String words, Consumer<GivenMember> given, Consumer<GivenAround> here) {
        return Arguments.of(obstacle, words, given, here);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("obstacles")
    void saysWhatKeepsTheOneThatCameClosest(
            Obstacle obstacle, String words, Consumer<GivenMember> given, Consumer<GivenAround> here) {
        var kept = member("a", 2_500);
        given.accept(kept);
        here.accept(around);
        var books = node("n1", pod("p", 6_000), pod("q", 100), kept.books());

        var nobody = nobody(books);

        assertThat(nobody.cause()).isEqualTo(obstacle);
        assertThat(nobody.reason())
                .contains("none of 3 can leave: prod/a")
                .contains(words)
                .endsWith("; 2 more: runs no VM");
    }

    private static ReservationView pod(String name, long milli) {
        return member(name, milli).withoutVm().books();
    }

    @Test
    void secondsThatPassAreNoNews() {
        var books = node("n1", member("a", 9_000).reserved(cpu(7_000)).books(), pod("p", 2_000));
        around.resting.put("a", new Cooldown(Duration.ofSeconds(60), "its last migration"));
        var before = nobody(books);
        around.resting.put("a", new Cooldown(Duration.ofSeconds(59), "its last migration"));
        var after = nobody(books);

        assertThat(after.reason()).isNotEqualTo(before.reason());
        assertThat(after.gist()).isEqualTo(before.gist());
    }

    @ParameterizedTest
    @EnumSource(
            value = NodeReadiness.class,
            names = {"NOT_READY", "GROWTH_STOPPED"})
    void nobodyLeavesANodeThatIsNotReadyNotEvenWhoIsLabelledToMove(NodeReadiness readiness) {
        var books = node("n1", member("a", 9_000).load(1).always().books()).with(readiness);

        assertThat(nobody(books).cause()).isEqualTo(Obstacle.NODE_NOT_READY);
        assertThat(nobody(books).reason()).isEqualTo("the node is not ready");
        assertThat(ChoiceRules.always(books, around)).isEmpty();
        assertThat(MigrationRanking.rank(books, around).ranks())
                .allMatch(rank -> !rank.candidate() || rank.reason().endsWith("; not now: the node is not ready"));
    }

    @Test
    void aNodeWhoseMembersWereNotToldHasNobodyToMove() {
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

        assertThat(nobody(sums).cause()).isEqualTo(Obstacle.NO_MEMBERS);
    }
}
