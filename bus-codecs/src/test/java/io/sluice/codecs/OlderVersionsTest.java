package io.sluice.codecs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.codecs.cluster.VmObservedCodec;
import io.sluice.codecs.ledger.HoldRoomCodec;
import io.sluice.codecs.ledger.NodeLedgerViewCodec;
import io.sluice.codecs.ledger.ReclaimCodec;
import io.sluice.messages.ledger.Reclaim;
import io.sluice.units.Resources;
import io.sluice.wire.WireCodec;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Messages of an earlier release are read, and what that did not have is none. */
class OlderVersionsTest {
    private static final int AMOUNT = 2 * Long.BYTES;
    private static final int NOTHING = 1;

    @Test
    void readsAVmOfWhichNothingCouldBeDeferred() {
        assertThat(withoutLast(new VmObservedCodec(), ClusterSamples.FULL_VM, AMOUNT))
                .isEqualTo(ClusterSamples.FULL_VM.deferring(Resources.NONE));
    }

    @Test
    void readsANodeOfWhichItIsUnknownWhenItsStateWasCompleted() {
        var node = LedgerSamples.ledger(List.of());
        var older = withoutLast(new NodeLedgerViewCodec(), node, NOTHING);

        assertThat(older.completedAt()).isEmpty();
        assertThat(older.deferred()).isEqualTo(node.deferred());
    }

    @Test
    void readsANodeOnWhichNothingCouldBeDeferred() {
        var node = LedgerSamples.ledger(List.of());
        var older = without(2, new NodeLedgerViewCodec(), node, AMOUNT + NOTHING);

        assertThat(older.deferred()).isEqualTo(Resources.NONE);
        assertThat(older.kept()).isEqualTo(node.kept());
    }

    @Test
    void readsAHoldOfASenderThatNamesNoState() {
        var hold = MovingSamples.HOLD.knowing(Optional.empty());

        assertThat(withoutLast(new HoldRoomCodec(), hold, NOTHING)).isEqualTo(hold);
    }

    @Test
    void readsAReclaimThatNamesNoSession() {
        assertThat(withoutLast(new ReclaimCodec(), new Reclaim("n1", "p-1", Resources.NONE, 9), Long.BYTES))
                .isEqualTo(new Reclaim("n1", "p-1", Resources.NONE, Reclaim.ANY_SESSION));
    }

    private static <T> T withoutLast(WireCodec<T> codec, T message, int bytes) {
        return without(1, codec, message, bytes);
    }

    private static <T> T without(int versions, WireCodec<T> codec, T message, int bytes) {
        var newest = codec.encode(message);
        var older = newest.getBuffer(0, newest.length() - bytes).setByte(0, (byte) (codec.version() - versions));
        return codec.decode(Buffer.buffer(older.getBytes()));
    }
}
