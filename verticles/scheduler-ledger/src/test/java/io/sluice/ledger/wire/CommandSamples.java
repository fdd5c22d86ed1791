package io.sluice.ledger.wire;

import static io.sluice.ledger.wire.StateSamples.ONE;
import static io.sluice.ledger.wire.StateSamples.TWO;
import static io.sluice.ledger.wire.StateSamples.UNIT;

import io.sluice.devices.GpuRequest;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.state.NewReservation;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.ledger.KeepRoom;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.Reclaim;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Commands with their bytes. */
final class CommandSamples {
    private static final Instant COMPLETED_AT = Instant.ofEpochSecond(1_700_000_000, 5);
    private static final NodeObserved NODE = new NodeObserved("n1", 7, new Resources(8_000, 1L << 35));
    private static final PodObserved POD = new PodObserved(
            "p-1",
            "ns",
            "db-1-pod",
            "n1",
            "db-1",
            8,
            new Resources(500, 2L << 30),
            1_700_000_000L,
            "move",
            FixedAmounts.of(Map.of("pods", 1L)));
    private static final VmObserved VM = new VmObserved(
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
    private static final NewReservation RESERVATION = new NewReservation(
            StateSamples.VM,
            ONE,
            StateSamples.OVERCOMMIT,
            FixedAmounts.of(Map.of("pods", 1L)),
            List.of(new GpuRequest(0, "alnair", 2, GpuRequest.Amounts.share(4_096, 50), GpuRequest.Selector.ANY)));

    static final List<Sample<?>> ALL = List.of(
            sample(new LedgerCommand.Open(new OpenSession("n1", "p-1", "r-1", 4)), """
                06 01010000 00026e31 00000003 702d3100 00000372 2d310000 00000000 0004\
                """),
            sample(
                    new LedgerCommand.RequestPermit(
                            new PermitRequest("n1", "p-1", "r-1", 5, 1, UNIT, TWO, Optional.empty(), Optional.empty()),
                            true),
                    """
                    06 02020000 00026e31 00000003 702d3100 00000372 2d310000 00000000 00050000 00000000
                    00010000 00000000 00fa0000 00004000 00000000 00000000 07d00000 00020000 00000000 0001\
                    """),
            sample(new LedgerCommand.Load(new LoadNode(NODE, 20, List.of(POD), List.of(VM))), """
                06 03030600 0000026e 31000000 00000000 07000000 0000001f 40000000 08000000 00000000 00000000
                00010000 00000100 00000001 00000000 08000000 00000000 00000000 00000000 00000000 00000000
                14000000 01040000 0003702d 31000000 026e7300 00000864 622d312d 706f6400 0000026e 31000000
                0464622d 31000000 00000000 08000000 00000001 f4000000 00800000 00000000 006553f1 00000000
                046d6f76 65000000 00000000 01000000 04706f64 73000000 00000000 01000000 00000000 00000000
                00000000 01040000 00066e65 6f6e766d 00000002 6e730000 00046462 2d310000 0003752d 31000000
                00000000 09000000 03702d31 00000008 64622d31 2d706f64 00000002 6e310201 01000000 00000000
                00fa0000 00004000 00000000 00000000 07d00000 00020000 00000000 00000000 03e80000 00010000
                00000000 00000008 00000000 00000000 0003e800 00000000 0003e800 00000000 00000000 00000000
                00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
                00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
                00000000 00000000\
                """),
            sample(new LedgerCommand.ReclaimReservation(new Reclaim("n1", "p-1", ONE, 9)), """
                06 04020000 00026e31 00000003 702d3100 00000000 0003e800 00000100 00000000 00000000 000009\
                """),
            sample(new LedgerCommand.ObserveNode(NODE), """
                06 05060000 00026e31 00000000 00000007 00000000 00001f40 00000008 00000000 00000000
                00000000 01000000 00010000 00000100 00000008 00000000 00000000 00000000 00000000\
                """),
            sample(new LedgerCommand.LoseNode(new NodeGone("n1", 11)), """
                06 06010000 00026e31 00000000 0000000b\
                """),
            sample(new LedgerCommand.ObservePod(POD), """
                06 07040000 0003702d 31000000 026e7300 00000864 622d312d 706f6400 0000026e 31000000
                0464622d 31000000 00000000 08000000 00000001 f4000000 00800000 00000000 006553f1 00000000
                046d6f76 65000000 00000000 01000000 04706f64 73000000 00000000 01000000 00000000 00000000
                00\
                """),
            sample(new LedgerCommand.LosePod(new PodGone("p-1", "n1", 12)), """
                06 08010000 0003702d 31000000 026e3100 00000000 00000c\
                """),
            sample(new LedgerCommand.ObserveVm(VM), """
                06 09040000 00066e65 6f6e766d 00000002 6e730000 00046462 2d310000 0003752d 31000000 00000000
                09000000 03702d31 00000008 64622d31 2d706f64 00000002 6e310201 01000000 00000000 00fa0000
                00004000 00000000 00000000 07d00000 00020000 00000000 00000000 03e80000 00010000 00000000
                00000008 00000000 00000000 0003e800 00000000 0003e800 00000000 00000000 00000000 00000000
                00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
                00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 000000\
                """),
            sample(
                    new LedgerCommand.Hold(
                            RESERVATION, Duration.ofSeconds(120, 5), "a-1", 7, Optional.of(COMPLETED_AT)),
                    """
                    06 0a000000 03702d31 00000002 6e730000 00086462 2d312d70 6f640000 00046462 2d310000
                    00006553 f1000000 00000000 03e80000 00010000 00000000 00000000 05dc0000 00000000
                    04e20000 00010000 0004706f 64730000 00000000 00010000 00010000 00000000 0006616c
                    6e616972 00000002 00000000 00001000 00000000 00000032 00000000 00000000 00010000
                    00000000 00000078 00000005 00000003 612d3100 00000701 00000000 6553f100 00000005\
                    """),
            sample(new LedgerCommand.Keep(new KeepRoom(StateSamples.CLAIM.room(), Duration.ofSeconds(60))), """
                06 12 01 00000002 6e31 00000003 702d37 00000008 6e732f6c61726765 000000
                00000003e8 0000000100000000 00000001 00000004 706f6473 0000000000000001 00000007
                000000000000003c 00000000\
                """),
            sample(new LedgerCommand.Bind(RESERVATION), """
                06 0b000000 03702d31 00000002 6e730000 00086462 2d312d70 6f640000 00046462 2d310000
                00006553 f1000000 00000000 03e80000 00010000 00000000 00000000 05dc0000 00000000 04e20000
                00010000 0004706f 64730000 00000000 00010000 00010000 00000000 0006616c 6e616972 00000002
                00000000 00001000 00000000 00000032 00000000 00000000 00010000\
                """),
            sample(new LedgerCommand.Confirm("p-1"), """
                06 0c000000 03702d31\
                """),
            sample(new LedgerCommand.Release("p-1", "a-1"), """
                06 0d000000 03702d31 00000003 612d31\
                """),
            sample(
                    new LedgerCommand.Mark(new MarkMigrating("n1", "p-1", MarkMigrating.Cause.PRESSURE, TWO, "a-1")),
                    """
                    06 0e020000 00026e31 00000003 702d3101 00000000 000007d0 00000002 00000000 00000003
                    612d31\
                    """),
            sample(new LedgerCommand.Unmark(new UnmarkMigrating("n1", "p-1", "a-1")), """
                06 0f020000 00026e31 00000003 702d3100 00000361 2d31\
                """),
            sample(new LedgerCommand.Reweigh(), """
                06 10\
                """),
            sample(new LedgerCommand.Tick(), """
                06 11\
                """));

    private CommandSamples() {}

    private static Sample<LedgerCommand<?>> sample(LedgerCommand<?> command, String bytes) {
        return Sample.of(command.getClass().getSimpleName(), new LedgerCommandCodec(), command, bytes);
    }
}
