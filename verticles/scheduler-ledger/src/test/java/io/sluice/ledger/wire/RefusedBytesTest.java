package io.sluice.ledger.wire;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.bus.UnreadableMessageException;
import io.sluice.codecs.PermitReplyCodec;
import io.sluice.ledger.core.NodeState;
import io.sluice.ledger.core.NodeSums;
import io.sluice.ledger.core.Reservation;
import io.sluice.ledger.core.ReservationTable;
import io.sluice.ledger.core.Tombstones;
import io.sluice.units.Resources;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Bytes that keep the format and still are no books, and words that are longer than what travels. */
class RefusedBytesTest {
    private static final NodeStateCodec STATES = new NodeStateCodec();

    @Test
    void refusesMembersOutOfOrder() {
        var state = of(StateSamples.sized("m1", StateSamples.ONE), StateSamples.sized("m2", StateSamples.ONE));

        assertRefused(spoilt(state, "m1", "m3"), "ledger.node-state: members are sorted by id, but m2 stands after m3");
    }

    @Test
    void refusesAMemberThatIsThereTwice() {
        var state = of(StateSamples.sized("m1", StateSamples.ONE), StateSamples.sized("m2", StateSamples.ONE));

        assertRefused(spoilt(state, "m1", "m2"), "ledger.node-state: members are sorted by id, but m2 stands after m2");
    }

    @Test
    void refusesMembersBeyondCounting() {
        var huge = new Resources(Long.MAX_VALUE, 0);
        var state = of(StateSamples.sized("m1", huge), StateSamples.sized("m2", huge));

        assertRefused(STATES.encode(state), "ledger.node-state: its members add up to more than 64 bits");
    }

    @Test
    void refusesAPodThatIsGoneTwice() {
        var blank = NodeState.blank("n1");
        var gone = new Tombstones(Map.of("p8", 1L, "p9", 2L), Map.of());
        var state = new NodeState(blank.node(), blank.size(), blank.listing(), blank.sums(), blank.members(), gone);

        assertRefused(spoilt(state, "p8", "p9"), "ledger.node-state: pod p9 is gone twice");
    }

    @Test
    void refusesAnInstantBeyondAnyCalendar() {
        var hex = hex(STATES.encode(StateSamples.FULL))
                .replace(hexOf(1_700_000_300L) + "00000001", hexOf(Long.MAX_VALUE) + "00000001");

        assertRefused(
                Buffer.buffer(HexFormat.of().parseHex(hex)),
                "ledger.node-state: no instant is " + Duration.ofSeconds(Long.MAX_VALUE, 1) + " from 1970");
    }

    @Test
    void refusesAnAnswerThatRulesNothing() {
        var answer = hex(new PermitReplyCodec().encode(StateSamples.RULED));
        var late = "0202" + "0000000000000003" + "00000000000003e8" + "0000000100000000";
        var hex = hex(STATES.encode(StateSamples.FULL)).replace(answer, late);

        assertRefused(
                Buffer.buffer(HexFormat.of().parseHex(hex)),
                "ledger.node-state: a question that was taken has an answer that rules");
    }

    @Test
    void refusesToWriteAReplyOfNoCommand() {
        assertThatThrownBy(() -> new ReplyCodec().encode("yes"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("ledger.reply: no command is answered by a String");
    }

    private static NodeState of(Reservation... members) {
        var blank = NodeState.blank("n1");
        return new NodeState(
                blank.node(),
                blank.size(),
                blank.listing(),
                NodeSums.ZERO,
                ReservationTable.of(List.of(members)),
                blank.gone());
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
