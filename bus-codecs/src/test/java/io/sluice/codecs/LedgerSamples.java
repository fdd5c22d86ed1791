package io.sluice.codecs;

import io.sluice.messages.ledger.KindRuling;
import io.sluice.messages.ledger.KindRuling.Verdict;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.messages.ledger.MemberBooks;
import io.sluice.messages.ledger.NodeBooks;
import io.sluice.messages.ledger.NotReadyCause;
import io.sluice.messages.ledger.OpenReply;
import io.sluice.messages.ledger.OpenSession;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.messages.ledger.RefusalCause;
import io.sluice.messages.ledger.Settle;
import io.sluice.messages.ledger.SettleReply;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Questions to the ledger and its answers as they stand on the wire. */
final class LedgerSamples {
    private static final Resources UNIT = new Resources(250, 1L << 30);
    private static final Resources ONE = new Resources(1_000, 1L << 32);
    private static final Resources TWO = new Resources(2_000, 1L << 33);
    private static final MemberBooks MEMBER = new MemberBooks(
            "p-1",
            "ns",
            "db-1-pod",
            "db-1",
            ONE,
            TWO,
            UNIT,
            new Resources(1, 2),
            new Resources(3, 4),
            true,
            false,
            5,
            6);
    private static final NodeBooks BOOKS = books(List.of(MEMBER));

    static final List<Sample<?>> ALL = List.of(
            Sample.of(new OpenSessionCodec(), new OpenSession("n1", "p-1", "runner-a", 4), """
                01 00000002 6e31 00000003 702d31 00000008 72756e6e65722d61 0000000000000004\
                """),
            Sample.of(new OpenReplyCodec(), new OpenReply.Opened(5, ONE, true), """
                01 01 0000000000000005 00000000000003e8 0000000100000000 01\
                """),
            Sample.of(
                    new OpenReplyCodec(),
                    new OpenReply.NotReady(NotReadyCause.NODE_INCOMPLETE, Duration.ofMillis(1_500)),
                    """
                    01 02 01 0000000000000001 1dcd6500\
                    """),
            Sample.of(new OpenReplyCodec(), new OpenReply.Refused(RefusalCause.NOT_A_VM), """
                01 03 02\
                """),
            Sample.of(
                    new PermitRequestCodec(),
                    new PermitRequest("n1", "p-1", "r-1", 5, 1, UNIT, TWO, Optional.empty(), Optional.empty()),
                    """
                    01 00000002 6e31 00000003 702d31 00000003 722d31 0000000000000005 0000000000000001 00000000000000fa
                    0000000040000000 00000000000007d0 0000000200000000 00 00\
                    """),
            Sample.of(
                    new PermitRequestCodec(),
                    new PermitRequest("n1", "p-1", "r-1", 5, 2, UNIT, TWO, Optional.of(ONE), Optional.of(0.5f)),
                    """
                    01 00000002 6e31 00000003 702d31 00000003 722d31 0000000000000005 0000000000000002 00000000000000fa
                    0000000040000000 00000000000007d0 0000000200000000 01 00000000000003e8
                    0000000100000000 01 3f000000\
                    """),
            Sample.of(
                    new PermitReplyCodec(),
                    new PermitReply.Ruled(
                            5,
                            2,
                            ONE,
                            Duration.ofSeconds(10),
                            true,
                            new KindRuling(Verdict.CUT_TO_ROOM, 1_000, 2_000, 1_000, 100, 9_900, 10_000),
                            new KindRuling(Verdict.NOTED, 11, 12, 13, 14, 15, 16)),
                    """
                    01 01 0000000000000005 0000000000000002 00000000000003e8 0000000100000000 000000000000000a
                    00000000 01 03 00000000000003e8 00000000000007d0 00000000000003e8
                    0000000000000064 00000000000026ac 0000000000002710 01 000000000000000b
                    000000000000000c 000000000000000d 000000000000000e 000000000000000f
                    0000000000000010\
                    """),
            Sample.of(new PermitReplyCodec(), new PermitReply.Late(3, ONE), """
                01 02 0000000000000003 00000000000003e8 0000000100000000\
                """),
            Sample.of(new PermitReplyCodec(), new PermitReply.Superseded(6), """
                01 03 0000000000000006\
                """),
            Sample.of(new PermitReplyCodec(), new PermitReply.OpenAgain(0), """
                01 04 0000000000000000\
                """),
            Sample.of(new PermitReplyCodec(), new PermitReply.SeqReused(2), """
                01 05 0000000000000002\
                """),
            Sample.of(
                    new PermitReplyCodec(),
                    new PermitReply.NotReady(NotReadyCause.NODE_UNKNOWN, Duration.ofSeconds(1)),
                    """
                    01 06 02 0000000000000001 00000000\
                    """),
            Sample.of(new PermitReplyCodec(), new PermitReply.Refused(RefusalCause.OVERFLOW), """
                01 07 05\
                """),
            Sample.of(
                    new LoadNodeCodec(),
                    new LoadNode(ClusterSamples.NODE, 20, List.of(ClusterSamples.POD), List.of(ClusterSamples.BARE_VM)),
                    """
                    01 01 00000002 6e31 0000000000000007 0000000000001f40 0000000800000000 0000000000000014
                    00000001 01 00000003 702d31 00000002 6e73 00000008 64622d312d706f64
                    00000002 6e31 00000004 64622d31 0000000000000008 00000000000001f4
                    0000000080000000 000000006553f100 00000001 01 00000006 6e656f6e766d
                    00000002 6e73 00000004 64622d31 00000003 752d31 0000000000000009 00000000
                    00000000 00000000 01 00 01 00 00000000000000fa 0000000040000000
                    0000000000000fa0 0000000400000000 00000000000003e8 0000000100000000 00
                    0000000008000000 00000000000003e8 00000000000003e8 00 00 00 00 00 00 00 00
                    00 00 00 00 00000000 00 00\
                    """),
            Sample.of(new LoadReplyCodec(), new LoadReply(14, 12), """
                01 0000000e 0000000c\
                """),
            Sample.of(new SettleCodec(), new Settle("n1", "p-1", ONE), """
                01 00000002 6e31 00000003 702d31 00000000000003e8 0000000100000000\
                """),
            Sample.of(new SettleReplyCodec(), new SettleReply.Settled(ONE), """
                01 01 00000000000003e8 0000000100000000\
                """),
            Sample.of(new SettleReplyCodec(), new SettleReply.NotRecovered(), """
                01 02\
                """),
            Sample.of(new SettleReplyCodec(), new SettleReply.TooEarly(Duration.ofSeconds(3, 7)), """
                01 03 0000000000000003 00000007\
                """),
            Sample.of(new SnapshotRequestCodec(), new SnapshotRequest(""), """
                01 00000000\
                """),
            Sample.of(new SnapshotCodec(), new Snapshot(List.of(BOOKS, books(List.of()))), """
                01 00000002 01 00000002 6e31 01 0000000000000015 0000000000000016 0000000000000017
                0000000000000018 0000000000000019 000000000000001a 000000000000001b
                000000000000001c 000000000000001d 000000000000001e 000000000000001f
                0000000000000020 0000000000000021 0000000000000022 0000000000000023
                0000000000000024 0000000000000025 0000000000000026 00 0000000000000027
                00000001 00000003 702d31 00000002 6e73 00000008 64622d312d706f64 00000004
                64622d31 00000000000003e8 0000000100000000 00000000000007d0
                0000000200000000 00000000000000fa 0000000040000000 0000000000000001
                0000000000000002 0000000000000003 0000000000000004 01 00 0000000000000005
                0000000000000006 01 00000002 6e31 01 0000000000000015 0000000000000016
                0000000000000017 0000000000000018 0000000000000019 000000000000001a
                000000000000001b 000000000000001c 000000000000001d 000000000000001e
                000000000000001f 0000000000000020 0000000000000021 0000000000000022
                0000000000000023 0000000000000024 0000000000000025 0000000000000026 00
                0000000000000027 00000000\
                """),
            Sample.of(new NodeBooksCodec(), BOOKS, """
                01 00000002 6e31 01 0000000000000015 0000000000000016 0000000000000017 0000000000000018
                0000000000000019 000000000000001a 000000000000001b 000000000000001c
                000000000000001d 000000000000001e 000000000000001f 0000000000000020
                0000000000000021 0000000000000022 0000000000000023 0000000000000024
                0000000000000025 0000000000000026 00 0000000000000027 00000001 00000003
                702d31 00000002 6e73 00000008 64622d312d706f64 00000004 64622d31
                00000000000003e8 0000000100000000 00000000000007d0 0000000200000000
                00000000000000fa 0000000040000000 0000000000000001 0000000000000002
                0000000000000003 0000000000000004 01 00 0000000000000005 0000000000000006\
                """));

    private LedgerSamples() {}

    private static NodeBooks books(List<MemberBooks> members) {
        return new NodeBooks(
                "n1",
                true,
                new Resources(21, 22),
                new Resources(23, 24),
                new Resources(25, 26),
                new Resources(27, 28),
                new Resources(29, 30),
                new Resources(31, 32),
                new Resources(33, 34),
                new Resources(35, 36),
                new Resources(37, 38),
                false,
                39,
                members);
    }
}
