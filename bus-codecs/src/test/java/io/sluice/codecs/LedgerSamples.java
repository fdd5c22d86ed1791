package io.sluice.codecs;

import io.sluice.codecs.ledger.LoadNodeCodec;
import io.sluice.codecs.ledger.LoadReplyCodec;
import io.sluice.codecs.ledger.NodeLedgerViewCodec;
import io.sluice.codecs.ledger.OpenReplyCodec;
import io.sluice.codecs.ledger.OpenSessionCodec;
import io.sluice.codecs.ledger.PermitReplyCodec;
import io.sluice.codecs.ledger.PermitRequestCodec;
import io.sluice.codecs.ledger.ReclaimCodec;
import io.sluice.codecs.ledger.ReclaimReplyCodec;
import io.sluice.codecs.ledger.SnapshotCodec;
import io.sluice.codecs.ledger.SnapshotRequestCodec;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.AgentContact;
import io.sluice.messages.ledger.KeptRoom;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.messages.ledger.MigrationMark;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.messages.ledger.Reclaim;
import io.sluice.messages.ledger.ReclaimReply;
import io.sluice.messages.ledger.ReservationTraits;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.ledger.permit.KindDecision;
import io.sluice.messages.ledger.permit.KindDecision.Rule;
import io.sluice.messages.ledger.permit.NotReadyCause;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.ledger.permit.RefusalCause;
import io.sluice.messages.ledger.permit.ReportedUse;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Requests to the ledger and its replies, and their bytes on the wire. */
final class LedgerSamples {
    static final Instant COMPLETED_AT = Instant.ofEpochSecond(1_700_000_000, 5);
    private static final Resources UNIT = new Resources(250, 1L << 30);
    private static final Resources ONE = new Resources(1_000, 1L << 32);
    private static final Resources TWO = new Resources(2_000, 1L << 33);
    static final ReservationView MEMBER = new ReservationView(
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
            AgentContact.FOUND,
            5,
            6,
            new ReservationTraits(
                    UNIT,
                    new Overcommit(1_500, 1_250),
                    UNIT,
                    Optional.of(0.5f),
                    1_700_000_000L,
                    true,
                    true,
                    false,
                    false,
                    true,
                    List.of(new MigrationMark("a-1", true), new MigrationMark("a-2", false)),
                    "a-3",
                    FixedAmounts.of(Map.of("pods", 1L))));
    static final KeptRoom ROOM = new KeptRoom("n1", "p-7", "ns/large", ONE, FixedAmounts.of(Map.of("pods", 1L)), 7);

    private static final NodeLedgerView LEDGER = ledger(List.of(MEMBER));

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
                    02 00000002 6e31 00000003 702d31 00000003 722d31 0000000000000005 0000000000000001 00000000000000fa
                    0000000040000000 00000000000007d0 0000000200000000 00 00 00\
                    """),
            Sample.of(
                    new PermitRequestCodec(),
                    new PermitRequest(
                            "n1",
                            "p-1",
                            "r-1",
                            5,
                            2,
                            UNIT,
                            TWO,
                            Optional.of(ONE),
                            Optional.of(0.5f),
                            Optional.of(new ReportedUse(ONE, TWO))),
                    """
                    02 00000002 6e31 00000003 702d31 00000003 722d31 0000000000000005 0000000000000002 00000000000000fa
                    0000000040000000 00000000000007d0 0000000200000000 01 00000000000003e8
                    0000000100000000 01 3f000000 01 00000000000003e8 0000000100000000 00000000000007d0
                    0000000200000000\
                    """),
            Sample.of(
                    new PermitReplyCodec(),
                    new PermitReply.Ruled(
                            5,
                            2,
                            ONE,
                            Duration.ofSeconds(10),
                            true,
                            new KindDecision(Rule.CUT_TO_ROOM, 1_000, 2_000, 1_000, 100, 9_900, 10_000),
                            new KindDecision(Rule.NOTED, 11, 12, 13, 14, 15, 16)),
                    """
                    02 01 0000000000000005 0000000000000002 00000000000003e8 0000000100000000 000000000000000a
                    00000000 01 03 00000000000003e8 00000000000007d0 00000000000003e8
                    0000000000000064 00000000000026ac 0000000000002710 01 000000000000000b
                    000000000000000c 000000000000000d 000000000000000e 000000000000000f
                    0000000000000010\
                    """),
            Sample.of(new PermitReplyCodec(), new PermitReply.Late(3, ONE), """
                02 02 0000000000000003 00000000000003e8 0000000100000000\
                """),
            Sample.of(new PermitReplyCodec(), new PermitReply.Superseded(6, "A"), """
                02 03 0000000000000006 00000001 41\
                """),
            Sample.of(new PermitReplyCodec(), new PermitReply.OpenAgain(0), """
                02 04 0000000000000000\
                """),
            Sample.of(new PermitReplyCodec(), new PermitReply.SeqReused(2), """
                02 05 0000000000000002\
                """),
            Sample.of(
                    new PermitReplyCodec(),
                    new PermitReply.NotReady(NotReadyCause.NODE_UNKNOWN, Duration.ofSeconds(1)),
                    """
                    02 06 02 0000000000000001 00000000\
                    """),
            Sample.of(new PermitReplyCodec(), new PermitReply.Refused(RefusalCause.OVERFLOW), """
                02 07 05\
                """),
            Sample.of(
                    new LoadNodeCodec(),
                    new LoadNode(ClusterSamples.NODE, 20, List.of(ClusterSamples.POD), List.of(ClusterSamples.BARE_VM)),
                    """
                    03 06000000 026e3100 00000000 00000700 00000000 001f4000 00000800 00000000 00000000 00000001
                    00000000 01000000 00010000 00000800 00000000 00000000 00000000 00000000 00000000 00001400
                    00000104 00000003 702d3100 0000026e 73000000 0864622d 312d706f 64000000 026e3100 00000464
                    622d3100 00000000 00000800 00000000 0001f400 00000080 00000000 00000065 53f10000 00000d73
                    63686564 706c7567 696e2d78 00000007 00000001 00000004 706f6473 00000000 00000001 00000001
                    00000001 00000006 616c6e61 69720000 00020000 00000000 10000000 00000000 00320000 00000100
                    00000254 34000000 01000000 034b3830 02010100 00000100 00000100 00000000 00000367 2d300000
                    00000000 10000000 00320000 00046d61 696e0000 00010400 0000066e 656f6e76 6d000000 026e7300
                    00000464 622d3100 00000375 2d310000 00000000 00090000 00000000 00000000 00000100 01000000
                    00000000 00fa0000 00004000 00000000 00000000 0fa00000 00040000 00000000 00000000 03e80000
                    00010000 00000000 00000008 00000000 00000000 0003e800 00000000 0003e800 00000000 00000000
                    00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
                    00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
                    00000000 00000000 00000000\
                    """),
            Sample.of(new LoadNodeCodec(), new LoadNode(ClusterSamples.NODE, 20, List.of(), List.of()).relist(21), """
                03 06000000 026e3100 00000000 00000700 00000000 001f4000 00000800 00000000 00000000
                00000001 00000000 01000000 00010000 00000800 00000000 00000000 00000000 00000000
                00000000 00001400 00000000 00000001 00000000 00000015\
                """),
            Sample.of(new LoadReplyCodec(), new LoadReply(14, 12), """
                03 0000000e 0000000c 00\
                """),
            Sample.of(new LoadReplyCodec(), new LoadReply(14, 12).relist(21), """
                03 0000000e 0000000c 01 0000000000000015\
                """),
            Sample.of(new ReclaimCodec(), new Reclaim("n1", "p-1", ONE, 9), """
                02 00000002 6e31 00000003 702d31 00000000000003e8 0000000100000000 0000000000000009\
                """),
            Sample.of(new ReclaimReplyCodec(), new ReclaimReply.Settled(ONE), """
                01 01 00000000000003e8 0000000100000000\
                """),
            Sample.of(new ReclaimReplyCodec(), new ReclaimReply.NotRecovered(), """
                01 02\
                """),
            Sample.of(new ReclaimReplyCodec(), new ReclaimReply.TooEarly(Duration.ofSeconds(3, 7)), """
                01 03 0000000000000003 00000007\
                """),
            Sample.of(new SnapshotRequestCodec(), new SnapshotRequest(""), """
                01 00000000\
                """),
            Sample.of(new SnapshotCodec(), new Snapshot(List.of(LEDGER, ledger(List.of()))), """
                01 00000002 0a000000 026e3101 00000000 00000015 00000000 00000016 00000000 00000017
                00000000 00000018 00000000 00000019 00000000 0000001a 00000000 0000001b 00000000
                0000001c 00000000 0000001d 00000000 0000001e 00000000 0000001f 00000000 00000020
                00000000 00000021 00000000 00000022 00000000 00000023 00000000 00000024 00000000
                00000025 00000000 00000026 00000000 00000000 27000000 01000000 03702d31 00000002
                6e730000 00086462 2d312d70 6f640000 00046462 2d310000 00000000 03e80000 00010000
                00000000 00000000 07d00000 00020000 00000000 00000000 00fa0000 00004000 00000000
                00000000 00010000 00000000 00020000 00000000 00030000 00000000 00040103 00000000
                00000005 00000000 00000006 00000000 000000fa 00000000 40000000 00000000 000005dc
                00000000 000004e2 00000000 000000fa 00000000 40000000 013f0000 00000000 006553f1
                00010100 00010000 00020000 0003612d 31010000 0003612d 32000000 0003612d 33000000
                01000000 04706f64 73000000 00000000 01030000 00010000 00010000 0004706f 64730000
                00000000 006e0000 00010000 0004706f 64730000 00000000 00030000 00010000 0004706f
                64730000 00000000 00020300 00000200 00000367 2d300000 00000000 00025434 00000000
                00004000 00000064 01010000 00010000 00010000 0003672d 31010000 0003672d 31000000
                01000000 02543400 00000000 00400000 00006400 00000000 00040100 00000800 00000000
                00000700 00000370 66700000 00010000 00010000 00010000 00036370 75000000 0000000f
                a0000000 01000000 03637075 00000000 000003e8 00000001 00000000 00000014 01000000
                026e3100 00000370 2d370000 00086e73 2f6c6172 67650000 00000000 03e80000 00010000
                00000000 00010000 0004706f 64730000 00000000 00010000 00070000 00000000 00280000
                00000000 00290100 00000065 53f10000 0000050a 00000002 6e310100 00000000 00001500
                00000000 00001600 00000000 00001700 00000000 00001800 00000000 00001900 00000000
                00001a00 00000000 00001b00 00000000 00001c00 00000000 00001d00 00000000 00001e00
                00000000 00001f00 00000000 00002000 00000000 00002100 00000000 00002200 00000000
                00002300 00000000 00002400 00000000 00002500 00000000 00002600 00000000 00000027
                00000000 03000000 01000000 01000000 04706f64 73000000 00000000 6e000000 01000000
                04706f64 73000000 00000000 03000000 01000000 04706f64 73000000 00000000 02030000
                00020000 0003672d 30000000 00000000 02543400 00000000 00400000 00006401 01000000
                01000000 01000000 03672d31 01000000 03672d31 00000001 00000002 54340000 00000000
                40000000 00640000 00000000 04010000 00080000 00000000 00070000 00037066 70000000
                01000000 01000000 01000000 03637075 00000000 00000fa0 00000001 00000003 63707500
                00000000 0003e800 00000100 00000000 00001400 00000000 00000028 00000000 00000029 00\
                """),
            Sample.of(new NodeLedgerViewCodec(), LEDGER, """
                0a 00000002 6e310100 00000000 00001500 00000000 00001600 00000000 00001700 00000000
                00001800 00000000 00001900 00000000 00001a00 00000000 00001b00 00000000 00001c00
                00000000 00001d00 00000000 00001e00 00000000 00001f00 00000000 00002000 00000000
                00002100 00000000 00002200 00000000 00002300 00000000 00002400 00000000 00002500
                00000000 00002600 00000000 00000027 00000001 00000003 702d3100 0000026e 73000000
                0864622d 312d706f 64000000 0464622d 31000000 00000003 e8000000 01000000 00000000
                00000007 d0000000 02000000 00000000 00000000 fa000000 00400000 00000000 00000000
                01000000 00000000 02000000 00000000 03000000 00000000 04010300 00000000 00000500
                00000000 00000600 00000000 0000fa00 00000040 00000000 00000000 0005dc00 00000000
                0004e200 00000000 0000fa00 00000040 00000001 3f000000 00000000 6553f100 01010000
                01000000 02000000 03612d31 01000000 03612d32 00000000 03612d33 00000001 00000004
                706f6473 00000000 00000001 03000000 01000000 01000000 04706f64 73000000 00000000
                6e000000 01000000 04706f64 73000000 00000000 03000000 01000000 04706f64 73000000
                00000000 02030000 00020000 0003672d 30000000 00000000 02543400 00000000 00400000
                00006401 01000000 01000000 01000000 03672d31 01000000 03672d31 00000001 00000002
                54340000 00000000 40000000 00640000 00000000 04010000 00080000 00000000 00070000
                00037066 70000000 01000000 01000000 01000000 03637075 00000000 00000fa0 00000001
                00000003 63707500 00000000 0003e800 00000100 00000000 00001401 00000002 6e310000
                0003702d 37000000 086e732f 6c617267 65000000 00000003 e8000000 01000000 00000000
                01000000 04706f64 73000000 00000000 01000000 07000000 00000000 28000000 00000000
                29010000 00006553 f1000000 0005\
                """));

    private LedgerSamples() {}

    static NodeLedgerView ledger(List<ReservationView> reservations) {
        return new NodeLedgerView(
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
                reservations,
                NodeReadiness.GROWTH_STOPPED,
                1,
                FixedAmounts.of(Map.of("pods", 110L)),
                FixedAmounts.of(Map.of("pods", 3L)),
                FixedAmounts.of(Map.of("pods", 2L)),
                DeviceSamples.NODE,
                reservations.isEmpty() ? Optional.empty() : Optional.of(ROOM),
                new Resources(40, 41),
                reservations.isEmpty() ? Optional.empty() : Optional.of(COMPLETED_AT));
    }
}
