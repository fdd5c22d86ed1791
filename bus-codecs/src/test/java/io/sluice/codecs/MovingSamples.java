package io.sluice.codecs;

import io.sluice.codecs.agent.RunnerStatusCodec;
import io.sluice.codecs.cluster.MigrationGoneCodec;
import io.sluice.codecs.cluster.MigrationObservedCodec;
import io.sluice.codecs.ledger.GrantQueryCodec;
import io.sluice.codecs.ledger.HoldReplyCodec;
import io.sluice.codecs.ledger.HoldRoomCodec;
import io.sluice.codecs.ledger.KeepReplyCodec;
import io.sluice.codecs.ledger.KeepRoomCodec;
import io.sluice.codecs.ledger.MarkMigratingCodec;
import io.sluice.codecs.ledger.MarkReplyCodec;
import io.sluice.codecs.ledger.NearestGrantCodec;
import io.sluice.codecs.ledger.ReleaseHoldCodec;
import io.sluice.codecs.ledger.UnmarkMigratingCodec;
import io.sluice.codecs.pressure.PressureDecisionCodec;
import io.sluice.codecs.pressure.RankNodeCodec;
import io.sluice.codecs.pressure.RankingCodec;
import io.sluice.codecs.vm.EndMigrationCodec;
import io.sluice.codecs.vm.EndReplyCodec;
import io.sluice.codecs.vm.MigrateReplyCodec;
import io.sluice.codecs.vm.MigrateVmCodec;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.MigrationGone;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.KeepReply;
import io.sluice.messages.ledger.KeepRoom;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.messages.ledger.grant.GrantChange;
import io.sluice.messages.ledger.grant.GrantQuery;
import io.sluice.messages.ledger.grant.NearestGrant;
import io.sluice.messages.ledger.permit.NotReadyCause;
import io.sluice.messages.ledger.permit.RefusalCause;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.messages.pressure.RankNode;
import io.sluice.messages.pressure.Ranking;
import io.sluice.messages.vm.EndMigration;
import io.sluice.messages.vm.EndReply;
import io.sluice.messages.vm.MigrateReply;
import io.sluice.messages.vm.MigrateVm;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Messages about migrations and about statuses, and their bytes on the wire. */
final class MovingSamples {
    private static final Resources ONE = new Resources(1_000, 1L << 32);
    private static final Resources TWO = new Resources(2_000, 1L << 33);
    private static final PressureNumbers NUMBERS = new PressureNumbers(
            new Resources(21, 22),
            new Resources(23, 24),
            new Resources(25, 26),
            new Resources(27, 28),
            new Resources(29, 30),
            new Resources(31, 32));

    static final HoldRoom HOLD = new HoldRoom(
            "n1",
            HoldRoom.forMigration("ns", "m"),
            "ns",
            "m",
            "db-1",
            ONE,
            new Overcommit(1_500, 1_250),
            Duration.ofSeconds(120),
            "a-1",
            FixedAmounts.of(Map.of("pods", 1L)),
            DeviceSamples.REQUESTS,
            7,
            Optional.of(LedgerSamples.COMPLETED_AT));

    static final List<Sample<?>> ALL = List.of(
            Sample.of(new HoldRoomCodec(), HOLD, """
                06 00000002 6e310000 000e6d69 67726174 696f6e2f 6e732f6d 00000002 6e730000 00016d00
                00000464 622d3100 00000000 0003e800 00000100 00000000 00000000 0005dc00 00000000
                0004e200 00000000 00007800 00000000 00000361 2d310000 00010000 0004706f 64730000
                00000000 00010000 00010000 00010000 0006616c 6e616972 00000002 00000000 00001000
                00000000 00000032 00000000 01000000 02543400 00000100 0000034b 38300201 01000000
                07010000 00006553 f1000000 0005\
                """),
            Sample.of(new GrantQueryCodec(), new GrantQuery.OfPermit("n1", "p-1", new Resources(250, 1L << 30)), """
                01 01000000 026e3100 00000370 2d310000 00000000 00fa0000 00004000 0000\
                """),
            Sample.of(new GrantQueryCodec(), new GrantQuery.OfHold(HOLD, true), """
                01 02060000 00026e31 0000000e 6d696772 6174696f 6e2f6e73 2f6d0000 00026e73 00000001
                6d000000 0464622d 31000000 00000003 e8000000 01000000 00000000 00000005 dc000000
                00000004 e2000000 00000000 78000000 00000000 03612d31 00000001 00000004 706f6473
                00000000 00000001 00000001 00000001 00000006 616c6e61 69720000 00020000 00000000
                10000000 00000000 00320000 00000100 00000254 34000000 01000000 034b3830 02010100
                00000701 00000000 6553f100 00000005 01\
                """),
            Sample.of(
                    new NearestGrantCodec(),
                    new NearestGrant(
                            NearestGrant.Sufficiency.ANY,
                            List.of(
                                    GrantChange.more(
                                            GrantChange.Kind.ROOM,
                                            "n1",
                                            new Resources(250, 1L << 30),
                                            FixedAmounts.of(Map.of("pods", 1L))),
                                    new GrantChange(
                                            GrantChange.Kind.VM_MOVED,
                                            "n1",
                                            new Resources(500, 1L << 30),
                                            FixedAmounts.NONE,
                                            "p-2",
                                            "ns/db-2"))),
                    """
                    01 02000000 02010000 00026e31 00000000 000000fa 00000000 40000000 00000001 00000004 706f6473
                    00000000 00000001 00000000 00000000 0a000000 026e3100 00000000 0001f400 00000040 00000000 00000000
                    00000370 2d320000 00076e73 2f64622d 32\
                    """),
            Sample.of(new ReleaseHoldCodec(), new ReleaseHold("n1", "p-1", "a-1"), """
                02 00000002 6e310000 0003702d 31000000 03612d31\
                """),
            Sample.of(new HoldReplyCodec(), new HoldReply.Held(Duration.ofMillis(1_500), DeviceSamples.GRANT), """
                05 01000000 00000000 011dcd65 00020000 00010000 00010000 00000000 0003672d 30000000
                00000010 00000000 32000000 01000000 01\
                """),
            Sample.of(new HoldReplyCodec(), new HoldReply.Bound(), """
                05 02\
                """),
            Sample.of(new HoldReplyCodec(), new HoldReply.Released(), """
                05 03\
                """),
            Sample.of(new HoldReplyCodec(), new HoldReply.NoSuchHold(), """
                05 04\
                """),
            Sample.of(
                    new HoldReplyCodec(),
                    new HoldReply.NoRoom(new Resources(1, 2), ONE, TWO, FixedAmounts.of(Map.of("nvidia.com/gpu", 2L))),
                    """
                    05 05000000 00000000 01000000 00000000 02000000 00000003 e8000000 01000000 00000000
                    00000007 d0000000 02000000 00000000 01000000 0e6e7669 6469612e 636f6d2f 67707500 00000000
                    000002\
                    """),
            Sample.of(new HoldReplyCodec(), new HoldReply.NoDevice(DeviceSamples.MISFIT), """
                05 0c020000 00025434\
                """),
            Sample.of(new HoldReplyCodec(), new HoldReply.RoomKept("ns/large"), """
                05 0d000000 086e732f 6c617267 65\
                """),
            Sample.of(new HoldReplyCodec(), new HoldReply.NotReady(NotReadyCause.NODE_UNKNOWN), """
                05 0602\
                """),
            Sample.of(new HoldReplyCodec(), new HoldReply.StateReplaced(LedgerSamples.COMPLETED_AT), """
                05 0e000000 006553f1 00000000 05\
                """),
            Sample.of(new HoldReplyCodec(), new HoldReply.Gone(), """
                05 07\
                """),
            Sample.of(new HoldReplyCodec(), new HoldReply.NodeNotReady(), """
                05 09\
                """),
            Sample.of(new HoldReplyCodec(), new HoldReply.Overflow(), """
                05 08\
                """),
            Sample.of(new HoldReplyCodec(), new HoldReply.AttemptOver(), """
                05 0a\
                """),
            Sample.of(new HoldReplyCodec(), new HoldReply.OfAnother("a-1"), """
                05 0b000000 03612d31\
                """),
            Sample.of(new KeepRoomCodec(), new KeepRoom(LedgerSamples.ROOM, Duration.ofSeconds(60)), """
                01 00000002 6e310000 0003702d 37000000 086e732f 6c617267 65000000 00000003 e8000000 01000000
                00000000 01000000 04706f64 73000000 00000000 01000000 07000000 00000000 3c000000 00\
                """),
            Sample.of(new KeepReplyCodec(), new KeepReply.Kept(Duration.ofSeconds(60)), """
                01 01000000 00000000 3c000000 00\
                """),
            Sample.of(new KeepReplyCodec(), new KeepReply.Ended(), """
                01 02\
                """),
            Sample.of(new KeepReplyCodec(), new KeepReply.OfAnother("ns/large"), """
                01 03000000 086e732f 6c617267 65\
                """),
            Sample.of(new KeepReplyCodec(), new KeepReply.TooLarge(), """
                01 04\
                """),
            Sample.of(new KeepReplyCodec(), new KeepReply.NotReady(NotReadyCause.NODE_UNKNOWN), """
                01 0502\
                """),
            Sample.of(
                    new MarkMigratingCodec(),
                    new MarkMigrating("n1", "p-1", MarkMigrating.Cause.ALWAYS, TWO, "a-1"),
                    """
                    02 00000002 6e310000 0003702d 31020000 00000000 07d00000 00020000 00000000 0003612d 31\
                    """),
            Sample.of(new UnmarkMigratingCodec(), new UnmarkMigrating("n1", "p-1", "a-1"), """
                02 00000002 6e310000 0003702d 31000000 03612d31\
                """),
            Sample.of(new MarkReplyCodec(), new MarkReply.Marked(ONE), """
                01 01000000 00000003 e8000000 01000000 00\
                """),
            Sample.of(new MarkReplyCodec(), new MarkReply.Unmarked(ONE), """
                01 02000000 00000003 e8000000 01000000 00\
                """),
            Sample.of(new MarkReplyCodec(), new MarkReply.NotPressed(NUMBERS), """
                01 03000000 00000000 15000000 00000000 16000000 00000000 17000000 00000000 18000000
                00000000 19000000 00000000 1a000000 00000000 1b000000 00000000 1c000000 00000000 1d000000
                00000000 1e000000 00000000 1f000000 00000000 20\
                """),
            Sample.of(new MarkReplyCodec(), new MarkReply.Outgrown(TWO), """
                01 04000000 00000007 d0000000 02000000 00\
                """),
            Sample.of(new MarkReplyCodec(), new MarkReply.Refused(RefusalCause.RECOVERED), """
                01 0507\
                """),
            Sample.of(
                    new MigrationObservedCodec(),
                    new MigrationObserved(
                            "neonvm",
                            "ns",
                            "m",
                            "mu-1",
                            9,
                            "db-1",
                            MigrationPhase.RUNNING,
                            "db-1-a",
                            "db-1-b",
                            "n2",
                            true,
                            false,
                            1_700_000_000L,
                            "a-1"),
                    """
                    02 00000006 6e656f6e 766d0000 00026e73 00000001 6d000000 046d752d 31000000 00000000 09000000
                    0464622d 31030000 00066462 2d312d61 00000006 64622d31 2d620000 00026e32 01000000 00006553
                    f1000000 0003612d 31\
                    """),
            Sample.of(new MigrationGoneCodec(), new MigrationGone("ns", "m", "mu-1", "db-1", 10), """
                01 00000002 6e730000 00016d00 0000046d 752d3100 00000464 622d3100 00000000 00000a\
                """),
            Sample.of(
                    new MigrateVmCodec(),
                    new MigrateVm(ClusterSamples.VM, "db-1-a", "n2", Duration.ofHours(1), "a-1"),
                    """
                    02 00000006 6e656f6e 766d0000 00026e73 00000004 64622d31 00000003 752d3100 00000664 622d312d
                    61000000 026e3200 00000000 000e1000 00000000 00000361 2d31\
                    """),
            Sample.of(new MigrateReplyCodec(), new MigrateReply.Begun("mu-1", 9), """
                02 01000000 046d752d 31000000 00000000 09\
                """),
            Sample.of(new MigrateReplyCodec(), new MigrateReply.Refused("no"), """
                02 02000000 026e6f\
                """),
            Sample.of(new MigrateReplyCodec(), new MigrateReply.InDoubt("503"), """
                02 03000000 03353033\
                """),
            Sample.of(new EndMigrationCodec(), new EndMigration("neonvm", "ns", "m", "mu-1"), """
                01 00000006 6e656f6e 766d0000 00026e73 00000001 6d000000 046d752d 31\
                """),
            Sample.of(new EndReplyCodec(), new EndReply.Ended(), """
                01 01\
                """),
            Sample.of(new EndReplyCodec(), new EndReply.Failed("503"), """
                01 02000000 03353033\
                """),
            Sample.of(new RankNodeCodec(), new RankNode("n1"), """
                01 00000002 6e31\
                """),
            Sample.of(
                    new RankingCodec(),
                    new Ranking(List.of(
                            new Ranking.Rank("p-1", "db-1", true, "load 0.1"),
                            new Ranking.Rank("p-2", "", false, "no VM"))),
                    """
                    01 00000002 00000003 702d3100 00000464 622d3101 00000008 6c6f6164 20302e31 00000003
                    702d3200 00000000 00000005 6e6f2056 4d\
                    """),
            Sample.of(
                    new PressureDecisionCodec(),
                    new PressureDecision(
                            PressureDecision.Kind.MOVING,
                            "n1",
                            Optional.of(ClusterSamples.VM),
                            "n2",
                            Optional.of(NUMBERS),
                            "full"),
                    """
                    01 01000000 026e3101 00000006 6e656f6e 766d0000 00026e73 00000004 64622d31 00000003
                    752d3100 0000026e 32010000 00000000 00150000 00000000 00160000 00000000 00170000 00000000
                    00180000 00000000 00190000 00000000 001a0000 00000000 001b0000 00000000 001c0000 00000000
                    001d0000 00000000 001e0000 00000000 001f0000 00000000 00200000 00046675 6c6c\
                    """),
            Sample.of(
                    new PressureDecisionCodec(),
                    new PressureDecision(
                            PressureDecision.Kind.NONE_MOVES, "n1", Optional.empty(), "", Optional.empty(), "paused"),
                    """
                    01 05000000 026e3100 00000000 00000000 06706175 736564\
                    """),
            Sample.of(
                    new RunnerStatusCodec(),
                    new RunnerStatus(
                            ClusterSamples.VM,
                            "n1",
                            "p-1",
                            ONE,
                            Optional.of(TWO),
                            Optional.empty(),
                            Waiting.ROOM,
                            Duration.ofSeconds(3),
                            GoalBasis.NONE,
                            "full",
                            Optional.of(ONE)),
                    """
                    02 00000006 6e656f6e 766d0000 00026e73 00000004 64622d31 00000003 752d3100 0000026e
                    31000000 03702d31 00000000 000003e8 00000001 00000000 01000000 00000007 d0000000 02000000
                    00000700 00000000 00000300 00000000 00000000 00000000 00000000 00000000 00000000 0466756c
                    6c010000 00000000 03e80000 00010000 0000\
                    """));

    private MovingSamples() {}
}
