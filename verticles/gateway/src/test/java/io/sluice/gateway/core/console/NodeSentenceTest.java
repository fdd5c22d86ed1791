package io.sluice.gateway.core.console;

import static io.sluice.gateway.core.console.fleet.ConsoleFeed.NOW;
import static io.sluice.gateway.core.console.fleet.ConsoleFeed.cu;
import static io.sluice.gateway.core.console.fleet.ConsoleFeed.node;
import static io.sluice.gateway.core.console.fleet.ConsoleFeed.pressure;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.ledger.KeptRoom;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.shell.explain.Explanation;
import io.sluice.units.Resources;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NodeSentenceTest {
    private static final NodeLedgerView PRESSED = node("node-c", cu(38), cu(2), Resources.NONE, true, true);
    private static final String NUMBERS = "under pressure for 30 s:"
            + " 9500m of 10000m CPU reserved, 1500m above its watermark of 8000m, 500m requested and refused;"
            + " 38Gi of 40Gi memory reserved, 6Gi above its watermark of 32Gi, 2Gi requested and refused";

    static Stream<Arguments> standings() {
        return Stream.of(
                Arguments.of(
                        "incomplete",
                        node("node-c", cu(38), cu(2), Resources.NONE, false, false),
                        Optional.empty(),
                        "the node's ledger has been incomplete for 30 s: no full list of its pods arrived, so it"
                                + " grants nothing"),
                Arguments.of(
                        "not ready",
                        PRESSED.with(NodeReadiness.NOT_READY),
                        Optional.empty(),
                        "not ready for 30 s: nothing new is held there and no VM is moved away; if that lasts, its"
                                + " VMs are granted no growth either; 9500m of 10000m CPU and 38Gi of 40Gi memory"
                                + " reserved"),
                Arguments.of(
                        "not ready for long",
                        node("node-c", 10).with(NodeReadiness.GROWTH_STOPPED),
                        Optional.empty(),
                        "not ready, and for 30 s none of its VMs was granted growth; nothing new is held there and"
                                + " no VM is moved away; 2500m of 10000m CPU and 10Gi of 40Gi memory reserved"),
                Arguments.of("under pressure", PRESSED, Optional.empty(), NUMBERS),
                Arguments.of(
                        "no VM moves",
                        PRESSED,
                        Optional.of(pressure(
                                PressureDecision.Kind.NONE_MOVES,
                                "",
                                "node-c",
                                "",
                                "no node below its watermark could hold any of 4 candidates")),
                        NUMBERS + ", but no VM moves: no node below its watermark could hold any of 4 candidates"),
                Arguments.of(
                        "a VM moves",
                        PRESSED,
                        Optional.of(
                                pressure(PressureDecision.Kind.MOVING, "a", "node-c", "node-b", "lowest load: 0.10")),
                        NUMBERS + "; last, default/a is moving to node-b: lowest load: 0.10"),
                Arguments.of(
                        "a move failed",
                        PRESSED,
                        Optional.of(pressure(PressureDecision.Kind.NOT_MOVED, "a", "node-c", "node-b", "no answer")),
                        NUMBERS + "; last, default/a was not moved to node-b: no answer"),
                Arguments.of(
                        "some are leaving, and more should",
                        node("node-c", cu(38), cu(2), cu(1), true, true),
                        Optional.empty(),
                        NUMBERS.replace("refused;", "refused, 250m will leave by migrations under way;")
                                + ", 1Gi will leave by migrations under way"),
                Arguments.of(
                        "enough are leaving",
                        node("node-c", cu(38), cu(2), cu(9), true, false),
                        Optional.empty(),
                        "above its watermark of 8/32Gi and not under pressure: 9500m of 10000m CPU and 38Gi of 40Gi"
                            + " memory reserved; 2250m/9Gi will leave by migrations under way, and 0/0 is to spare"),
                Arguments.of(
                        "room",
                        node("node-c", 10),
                        Optional.empty(),
                        "below its watermark of 8/32Gi: 2500m of 10000m CPU and 10Gi of 40Gi memory reserved"));
    }

    @Test
    void roundsAWatermarkThatIsNoRoundNumber() {
        var ledger = withWatermark(node("node-c", 10), new Resources(2_025, 8_697_308_774L));
        assertThat(NodeSentence.of(NodeStatus.begun(ledger, NOW), NOW))
                .startsWith("above its watermark of 2025m/8294.4Mi and not under pressure: ");
    }

    @Test
    void namesWhatAKubeletDefers() {
        var deferring = with(PRESSED, Optional.empty(), new Resources(200, 0));

        assertThat(NodeSentence.of(NodeStatus.begun(deferring, NOW), NOW))
                .contains("500m requested and refused (200m of these by its kubelet, which has no room for it now);"
                        + " 38Gi");
    }

    @Test
    void namesThePodForWhichRoomIsKept() {
        var room = new KeptRoom("node-c", "uid", "ns/large", new Resources(2_000, 8L << 30), 0);
        assertThat(NodeSentence.of(NodeStatus.begun(keeping(node("node-c", 10), room), NOW), NOW))
                .endsWith("; room for 2/8Gi is kept for ns/large, which waits");
    }

    @Test
    void cutsNothingOffHowItStandsNow() {
        var reason = "excess cpu 2, and none can leave: " + "x".repeat(360);
        var decision = pressure(PressureDecision.Kind.NONE_MOVES, "", "node-c", "", reason);
        var status = NodeStatus.begun(PRESSED, NOW).saying(Explanation.of(decision, NOW));
        assertThat(NodeSentence.of(status, NOW)).endsWith(reason);
        assertThat(status.explained(Optional.of(NOW), NOW).cause()).endsWith("…");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("standings")
    void describesTheStatusOfTheNode(
            String name, NodeLedgerView ledger, Optional<PressureDecision> node, String sentence) {
        var status = NodeStatus.begun(ledger, NOW);
        var reported = node.map(decision -> status.saying(Explanation.of(decision, NOW)))
                .orElse(status);
        assertThat(NodeSentence.of(reported, NOW.plusSeconds(30))).isEqualTo(sentence);
    }

    private static NodeLedgerView withWatermark(NodeLedgerView ledger, Resources watermark) {
        return new NodeLedgerView(
                ledger.node(),
                ledger.complete(),
                ledger.total(),
                watermark,
                ledger.reserved(),
                ledger.committed(),
                ledger.held(),
                ledger.buffer(),
                ledger.capacityPressure(),
                ledger.accountedPressure(),
                ledger.migrating(),
                ledger.underPressure(),
                ledger.invariantsBroken(),
                ledger.reservations());
    }

    private static NodeLedgerView keeping(NodeLedgerView ledger, KeptRoom room) {
        return with(ledger, Optional.of(room), Resources.NONE);
    }

    private static NodeLedgerView with(NodeLedgerView ledger, Optional<KeptRoom> kept, Resources deferred) {
        return new NodeLedgerView(
                ledger.node(),
                ledger.complete(),
                ledger.total(),
                ledger.watermark(),
                ledger.reserved(),
                ledger.committed(),
                ledger.held(),
                ledger.buffer(),
                ledger.capacityPressure(),
                ledger.accountedPressure(),
                ledger.migrating(),
                ledger.underPressure(),
                ledger.invariantsBroken(),
                ledger.reservations(),
                ledger.readiness(),
                ledger.unsettled(),
                ledger.fixedTotal(),
                ledger.fixedReserved(),
                ledger.fixedHeld(),
                ledger.devices(),
                kept,
                deferred,
                Optional.empty());
    }
}
