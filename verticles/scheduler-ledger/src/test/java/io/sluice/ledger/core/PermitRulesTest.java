package io.sluice.ledger.core;

import static io.sluice.ledger.core.Scene.cpu;
import static io.sluice.ledger.core.Scene.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.ledger.permit.KindDecision.Rule;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.ledger.permit.RefusalCause;
import io.sluice.messages.ledger.permit.ReportedUse;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PermitRulesTest {
    private final Scene scene = Scene.loaded();

    static Stream<Arguments> rulings() {
        return Stream.of(
                ruling("less is recorded as requested", send(1000, 400, 4000, 250, 0, 0, false), Rule.NOTED, 400, 0),
                ruling("an equal amount is recorded", send(1000, 1000, 4000, 250, 0, 0, true), Rule.NOTED, 1000, 0),
                ruling("less is recorded while migrating", send(1000, 7, 4000, 250, 0, 0, true), Rule.NOTED, 7, 0),
                ruling("more that fits", send(1000, 1100, 4000, 250, 0, 250, false), Rule.GRANTED, 1100, 0),
                ruling("cut to whole units", send(1000, 4000, 4000, 250, 0, 700, false), Rule.CUT_TO_ROOM, 1500, 2500),
                ruling(
                        "less room than one unit",
                        send(1000, 1100, 4000, 250, 0, 249, false),
                        Rule.CUT_TO_ROOM,
                        1000,
                        100),
                ruling(
                        "never above the maximum",
                        send(1000, 9000, 4000, 250, 0, 9000, false),
                        Rule.CUT_TO_MAX,
                        4000,
                        0),
                ruling(
                        "beyond the maximum is no pressure",
                        send(1000, 9000, 4000, 250, 0, 500, false),
                        Rule.CUT_TO_ROOM,
                        1500,
                        2500),
                ruling(
                        "a lowered maximum cuts no permit",
                        send(5000, 6000, 4000, 250, 0, 9000, false),
                        Rule.CUT_TO_MAX,
                        5000,
                        0),
                ruling(
                        "a last permit needs no room",
                        send(1000, 4000, 4000, 250, 3100, 0, false),
                        Rule.CUT_TO_ROOM,
                        3100,
                        900),
                ruling(
                        "a last permit gives no more than requested",
                        send(1000, 2000, 4000, 250, 3100, 0, false),
                        Rule.GRANTED,
                        2000,
                        0),
                ruling(
                        "nor more than the maximum",
                        send(1000, 9000, 4000, 250, 8000, 0, false),
                        Rule.CUT_TO_MAX,
                        4000,
                        0),
                ruling(
                        "an older permit counts for nothing",
                        send(1000, 2000, 4000, 250, 900, 0, false),
                        Rule.CUT_TO_ROOM,
                        1000,
                        1000),
                ruling(
                        "no growth while migrating",
                        send(1000, 2000, 4000, 250, 1500, 9000, true),
                        Rule.MIGRATING,
                        1000,
                        1000));
    }

    private static Arguments ruling(
            String name, PermitKindRule.Input request, Rule outcome, long permit, long pressure) {
        return Arguments.of(name, request, new PermitKindRule.Decision(outcome, permit, pressure));
    }

    private static PermitKindRule.Input send(
            long before, long target, long max, long unit, long lastPermit, long remaining, boolean moving) {
        return new PermitKindRule.Input(before, target, max, unit, lastPermit, remaining, moving, false);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rulings")
    void rulesEachKind(String name, PermitKindRule.Input request, PermitKindRule.Decision expected) {
        assertThat(PermitKindRule.decide(request)).isEqualTo(expected);
    }

    @Test
    void oneKindMayBeGrantedWhileTheOtherIsRefused() {
        scene.bound(Vm.of("A", 1000, 4000));
        scene.fillTo(10_000);

        var ruled = scene.ruled("A", new Resources(2000, 5), Optional.empty());

        assertThat(ruled.permit()).isEqualTo(new Resources(1000, 5));
        assertThat(ruled.cpu().outcome()).isEqualTo(Rule.CUT_TO_ROOM);
        assertThat(ruled.memory().outcome()).isEqualTo(Rule.NOTED);
        assertThat(ruled.validFor()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    @DisplayName("F4: a claimed permit above the reservation does not count once its session has requested")
    void aLastPermitBeyondTheReservationDoesNotCountOnceTheAgentRequested() {
        scene.bound(Vm.of("A", 1000, 4000));
        scene.fillTo(10_000);

        assertThat(scene.ruled("A", cpu(3000), Optional.of(cpu(3000))).permit()).isEqualTo(cpu(1000));
        scene.ruled("A", cpu(3000), Optional.of(cpu(3000)));

        assertThat(scene.notices.stream().filter(notice -> notice instanceof LedgerNotice.Overclaimed))
                .as("reported once a session")
                .containsExactly(
                        new LedgerNotice.Overclaimed(scene.reservation("A").pod(), cpu(1000), cpu(3000)));
    }

    @Test
    void whereEveryWordCountsALastPermitIsGrantedWithoutRoom() {
        var trusting = new Scene(Scene.rules(0.8, LastPermitTrust.ALWAYS));
        trusting.load(List.of(), List.of());
        trusting.bound(Vm.of("A", 1000, 4000));
        trusting.fillTo(10_000);

        assertThat(trusting.ruled("A", cpu(3000), Optional.of(cpu(3000))).permit())
                .isEqualTo(cpu(3000));
    }

    @Test
    void anAnswerThatBeginsAMigrationGrantsNothing() {
        scene.bound(Vm.of("A", 1000, 4000));
        scene.open("A", "one", 0);

        var use = Optional.of(new ReportedUse(cpu(1000), cpu(1000)));
        var request = request("A", 1, 1, cpu(2000), Optional.empty(), use);
        var ruled = (PermitReply.Ruled) scene.run(new LedgerCommand.RequestPermit(request, true));

        assertThat(ruled.permit()).isEqualTo(cpu(1000));
        assertThat(ruled.migrating()).isTrue();
        assertThat(scene.pressure("A")).isEqualTo(1000);
        assertThat(scene.reservation("A").status().migrating())
                .as("the mark follows as its own command")
                .isFalse();
    }

    @Test
    void anOvercommittedReservationIsChargedRoundedDownAndNeverAboveTheTotal() {
        scene.bound(Vm.of("A", 100, 100_000).overcommitted(1500));
        scene.fillTo(9_999);

        var ruled = scene.ruled("A", 100_000);

        assertThat(ruled.permit())
                .as("one left on the node is one and a half for it: below a unit")
                .isEqualTo(cpu(100));
        assertThat(scene.nodeReserved()).isEqualTo(9_999);
    }

    @Test
    @DisplayName("F23: an amount beyond 64 bits is refused and never wraps")
    void aPodBeyondCountingIsRefusedAndNeverWrapped() {
        scene.pod("P", cpu(1000));
        var before = scene.state;

        assertThat(scene.pod("Q", new Resources(Long.MAX_VALUE, 1))).isEqualTo(ObservationReply.OVERFLOW);

        assertThat(scene.state).isSameAs(before);
        assertThat(scene.notices).anyMatch(notice -> notice instanceof LedgerNotice.BeyondCounting);
    }

    @Test
    void aPressureThatCannotBeCountedIsRefused() {
        scene.bound(Vm.of("A", 1000, Long.MAX_VALUE));
        scene.bound(Vm.of("B", 1000, Long.MAX_VALUE));
        scene.open("A", "one", 0);
        scene.open("B", "one", 0);
        assertThat(scene.request(request("A", 1, 1, cpu(Long.MAX_VALUE)))).isInstanceOf(PermitReply.Ruled.class);
        var before = scene.state;

        assertThat(scene.request(request("B", 1, 1, cpu(Long.MAX_VALUE))))
                .isEqualTo(new PermitReply.Refused(RefusalCause.OVERFLOW));

        assertThat(scene.state).isSameAs(before);
    }

    @Test
    void theSameRequestToTheSameLedgerGetsTheSameReply() {
        scene.bound(Vm.of("A", 1000, 4000));
        scene.open("A", "one", 0);
        var ledger = new NodeLedger(Scene.rules(0.8, LastPermitTrust.RECOVERY));
        var command = new LedgerCommand.RequestPermit(new PermitRequest(
                Scene.NODE, "A", "one", 1, 1, Scene.UNIT, cpu(2000), Optional.empty(), Optional.of(0.5f)));

        assertThat(ledger.apply(scene.state, command, scene.now, 1))
                .isEqualTo(ledger.apply(scene.state, command, scene.now, 1));
    }
}
