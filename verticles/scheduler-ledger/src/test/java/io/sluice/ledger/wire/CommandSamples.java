package io.sluice.ledger.wire;

import static io.sluice.ledger.wire.StateSamples.ONE;
import static io.sluice.ledger.wire.StateSamples.TWO;
import static io.sluice.ledger.wire.StateSamples.UNIT;

import io.sluice.ledger.core.Booking;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeSeen;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodSeen;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSeen;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.OpenSession;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.messages.ledger.Settle;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Commands as they stand on the wire. */
final class CommandSamples {
    private static final NodeSeen NODE = new NodeSeen("n1", 7, new Resources(8_000, 1L << 35));
    private static final PodSeen POD =
            new PodSeen("p-1", "ns", "db-1-pod", "n1", "db-1", 8, new Resources(500, 2L << 30), 1_700_000_000L, "move");
    private static final VmSeen VM = new VmSeen(
            new VmId("neonvm", "ns", "db-1", "u-1"),
            9,
            "p-1",
            "db-1-pod",
            "n1",
            VmPhase.RUNNING,
            true,
            true,
            false,
            new VmSizes(UNIT, TWO, ONE, Optional.empty(), 1L << 27),
            Overcommit.OFF,
            ScalingOverrides.NONE,
            Optional.empty(),
            Optional.empty(),
            "",
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            VmTraits.NONE);
    private static final Booking BOOKING = new Booking(StateSamples.VM, ONE, StateSamples.OVERCOMMIT);

    static final List<Sample<?>> ALL = List.of(
            sample(new LedgerCommand.Open(new OpenSession("n1", "p-1", "r-1", 4)), """
                01 01 01 00000002 6e31 00000003 702d31 00000003 722d31 0000000000000004\
                """),
            sample(
                    new LedgerCommand.Ask(
                            new PermitRequest("n1", "p-1", "r-1", 5, 1, UNIT, TWO, Optional.empty(), Optional.empty()),
                            true),
                    """
                    01 02 01 00000002 6e31 00000003 702d31 00000003 722d31 0000000000000005 0000000000000001
                    00000000000000fa 0000000040000000 00000000000007d0 0000000200000000 00 00 01\
                    """),
            sample(new LedgerCommand.Load(new LoadNode(NODE, 20, List.of(POD), List.of(VM))), """
                01 03 02 02 00000002 6e31 0000000000000007 0000000000001f40 0000000800000000 00000000 00000000
                0000000000000014
                00000001 02 00000003 702d31 00000002 6e73 00000008 64622d312d706f64 00000002 6e31 00000004
                64622d31 0000000000000008 00000000000001f4 0000000080000000 000000006553f100 00000004 6d6f7665
                00000001 03 00000006 6e656f6e766d 00000002 6e73 00000004 64622d31 00000003 752d31
                0000000000000009 00000003 702d31 00000008 64622d312d706f64 00000002 6e31 02 01 01 00
                00000000000000fa 0000000040000000 00000000000007d0 0000000200000000 00000000000003e8
                0000000100000000 00 0000000008000000 00000000000003e8 00000000000003e8 00 00 00 00 00 00 00 00
                00 00 00 00 00000000 00 00 00 00000000 00000000 0000000000000000 00000000 0000000000000000
                0000000000000000 0000000000000000 0000000000000000 00000000
                00 0000000000000000 00\
                """),
            sample(new LedgerCommand.SettleMember(new Settle("n1", "p-1", ONE)), """
                01 04 01 00000002 6e31 00000003 702d31 00000000000003e8 0000000100000000\
                """),
            sample(new LedgerCommand.SeeNode(NODE), """
                01 05 02 00000002 6e31 0000000000000007 0000000000001f40 0000000800000000 00000000 00000000\
                """),
            sample(new LedgerCommand.LoseNode(new NodeGone("n1", 11)), """
                01 06 01 00000002 6e31 000000000000000b\
                """),
            sample(new LedgerCommand.SeePod(POD), """
                01 07 02 00000003 702d31 00000002 6e73 00000008 64622d312d706f64 00000002 6e31 00000004 64622d31
                0000000000000008 00000000000001f4 0000000080000000 000000006553f100 00000004 6d6f7665\
                """),
            sample(new LedgerCommand.LosePod(new PodGone("p-1", "n1", 12)), """
                01 08 01 00000003 702d31 00000002 6e31 000000000000000c\
                """),
            sample(new LedgerCommand.SeeVm(VM), """
                01 09 03 00000006 6e656f6e766d 00000002 6e73 00000004 64622d31 00000003 752d31 0000000000000009
                00000003 702d31 00000008 64622d312d706f64 00000002 6e31 02 01 01 00 00000000000000fa
                0000000040000000 00000000000007d0 0000000200000000 00000000000003e8 0000000100000000 00
                0000000008000000 00000000000003e8 00000000000003e8 00 00 00 00 00 00 00 00 00 00 00 00 00000000
                00 00 00 00000000 00000000 0000000000000000 00000000 0000000000000000 0000000000000000
                0000000000000000 0000000000000000 00000000
                00 0000000000000000\
                """),
            sample(new LedgerCommand.Hold(BOOKING, Duration.ofSeconds(120, 5)), """
                01 0a 00000003 702d31 00000002 6e73 00000008 64622d312d706f64 00000004 64622d31 000000006553f100
                00000000000003e8 0000000100000000 00000000000005dc 00000000000004e2 0000000000000078 00000005\
                """),
            sample(new LedgerCommand.Bind(BOOKING), """
                01 0b 00000003 702d31 00000002 6e73 00000008 64622d312d706f64 00000004 64622d31 000000006553f100
                00000000000003e8 0000000100000000 00000000000005dc 00000000000004e2\
                """),
            sample(new LedgerCommand.Confirm("p-1"), """
                01 0c 00000003 702d31\
                """),
            sample(new LedgerCommand.Release("p-1"), """
                01 0d 00000003 702d31\
                """),
            sample(new LedgerCommand.Mark(new MarkMigrating("n1", "p-1", MarkMigrating.Cause.PRESSURE, TWO)), """
                01 0e 01 00000002 6e31 00000003 702d31 01 00000000000007d0 0000000200000000\
                """),
            sample(new LedgerCommand.Unmark("p-1"), """
                01 0f 00000003 702d31\
                """),
            sample(new LedgerCommand.Reweigh(), """
                01 10\
                """),
            sample(new LedgerCommand.Tick(), """
                01 11\
                """));

    private CommandSamples() {}

    private static Sample<LedgerCommand<?>> sample(LedgerCommand<?> command, String bytes) {
        return Sample.of(command.getClass().getSimpleName(), new LedgerCommandCodec(), command, bytes);
    }
}
