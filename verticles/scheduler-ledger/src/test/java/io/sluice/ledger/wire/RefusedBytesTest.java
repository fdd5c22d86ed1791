package io.sluice.ledger.wire;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.codecs.ledger.PermitReplyCodec;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.NodeSums;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.ledger.core.state.ReservationTable;
import io.sluice.ledger.core.state.Tombstones;
import io.sluice.units.Resources;
import io.sluice.wire.UnreadableMessageException;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Bytes in the right format that are no valid state, and texts that are longer than the limit. */
class RefusedBytesTest {
    private static final NodeStateCodec STATES = new NodeStateCodec();

    @Test
    void refusesReservationsOutOfOrder() {
        var state = of(StateSamples.sized("m1", StateSamples.ONE), StateSamples.sized("m2", StateSamples.ONE));

        assertRefused(
                spoilt(state, "m1", "m3"),
                "ledger.node-state: reservations have to be sorted by id, but m2 comes after m3");
    }

    @Test
    void refusesAReservationThatIsThereTwice() {
        var state = of(StateSamples.sized("m1", StateSamples.ONE), StateSamples.sized("m2", StateSamples.ONE));

        assertRefused(
                spoilt(state, "m1", "m2"),
                "ledger.node-state: reservations have to be sorted by id, but m2 comes after m2");
    }

    @Test
    void refusesReservationsBeyondCounting() {
        var huge = new Resources(Long.MAX_VALUE, 0);
        var state = of(StateSamples.sized("m1", huge), StateSamples.sized("m2", huge));

        assertRefused(STATES.encode(state), "ledger.node-state: its reservations add up to more than 64 bits");
    }

    @Test
    void refusesAPodThatIsGoneTwice() {
        var blank = NodeState.blank("n1");
        var gone = new Tombstones(Map.of("p8", 1L, "p9", 2L), Map.of());
        var state = new NodeState(
                blank.node(), blank.size(), blank.fullList(), blank.sums(), blank.reservations(), gone, blank.claim());

        assertRefused(spoilt(state, "p8", "p9"), "ledger.node-state: pod p9 has two tombstones");
    }

    @Test
    void refusesAnInstantBeyondAnyCalendar() {
        var hex = hex(STATES.encode(StateSamples.FULL))
                .replace(hexOf(1_700_000_300L) + "00000001", hexOf(Long.MAX_VALUE) + "00000001");

        assertRefused(
                Buffer.buffer(HexFormat.of().parseHex(hex)),
                "ledger.node-state: there is no instant " + Duration.ofSeconds(Long.MAX_VALUE, 1) + " from 1970");
    }

    @Test
    void refusesAnAnswerThatRulesNothing() {
        var answer = hex(new PermitReplyCodec().encode(StateSamples.RULED));
        var late = "0202" + "0000000000000003" + "00000000000003e8" + "0000000100000000";
        var hex = hex(STATES.encode(StateSamples.FULL)).replace(answer, late);

        assertRefused(
                Buffer.buffer(HexFormat.of().parseHex(hex)),
                "ledger.node-state: the reply to an accepted request must be a decision");
    }

    @Test
    void refusesToWriteAReplyOfNoCommand() {
        assertThatThrownBy(() -> new ReplyCodec().encode("yes"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("ledger.reply: no command has a reply of type String");
    }

    private static NodeState of(Reservation... reservations) {
        var blank = NodeState.blank("n1");
        return new NodeState(
                blank.node(),
                blank.size(),
                blank.fullList(),
                NodeSums.ZERO,
                ReservationTable.of(List.of(reservations)),
                blank.gone(),
                blank.claim());
    }

    private static Buffer spoilt(NodeState state, String was, String is) {
        var hex = hex(STATES.encode(state)).replace(hexOf(was), hexOf(is));
        return Buffer.buffer(HexFormat.of().parseHex(hex));
    }

    private static void assertRefused(Buffer bytes, String why) {
        assertThatThrownBy(() -> STATES.decode(bytes))
                .isInstanceOf(UnreadableMessageException.class)
                .hasMessage(why);
    }

    private static String hex(Buffer buffer) {
        return HexFormat.of().formatHex(buffer.getBytes());
    }

    private static String hexOf(String text) {
        return hex(Buffer.buffer(text));
    }

    private static String hexOf(long value) {
        return HexFormat.of().toHexDigits(value);
    }
}
