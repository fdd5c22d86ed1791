package io.sluice.ledger.wire;

import static io.sluice.ledger.wire.StateSamples.ONE;

import io.sluice.ledger.core.ObservationReply;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.KeepReply;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.ReclaimReply;
import io.sluice.messages.ledger.permit.OpenReply;
import java.time.Duration;
import java.util.List;

/** Replies with their bytes. */
final class ReplySamples {
    static final List<Sample<?>> ALL = List.of(
            sample(StateSamples.RULED, """
                01 01 02 01 0000000000000005 0000000000000002 00000000000003e8 0000000100000000 000000000000000a
                00000000 01 03 00000000000003e8 00000000000007d0 00000000000003e8 0000000000000064
                00000000000026ac 0000000000002710 01 000000000000000b 000000000000000c 000000000000000d
                000000000000000e 000000000000000f 0000000000000010\
                """),
            sample(new OpenReply.Opened(5, ONE, true), """
                01 02 01 01 0000000000000005 00000000000003e8 0000000100000000 01\
                """),
            sample(new LoadReply(14, 12), """
                01 03 03 0000000e 0000000c 00\
                """),
            sample(new ReclaimReply.Settled(ONE), """
                01 04 01 01 00000000000003e8 0000000100000000\
                """),
            sample(new HoldReply.Bound(), """
                01 050502\
                """),
            sample(new MarkReply.Marked(ONE), """
                01 06 01 01 00000000000003e8 0000000100000000\
                """),
            sample(ObservationReply.OVERFLOW, """
                01 07 04\
                """),
            sample(true, """
                01 08 01\
                """),
            sample(3, """
                01 09 00000003\
                """),
            sample(new KeepReply.Kept(Duration.ofSeconds(60)), """
                01 0a 01 01 000000000000003c 00000000\
                """));

    private ReplySamples() {}

    private static Sample<Object> sample(Object reply, String bytes) {
        return Sample.of(reply.getClass().getSimpleName(), new ReplyCodec(), reply, bytes);
    }
}
