package io.sluice.ledger.wire;

import io.sluice.devices.Device;
import io.sluice.devices.GpuMode;
import io.sluice.devices.GpuShare;
import io.sluice.devices.NodeDevices;
import io.sluice.ledger.core.state.AgentSession;
import io.sluice.ledger.core.state.Contact;
import io.sluice.ledger.core.state.MigrationArrival;
import io.sluice.ledger.core.state.NodeChange;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.NodeSums;
import io.sluice.ledger.core.state.Observations;
import io.sluice.ledger.core.state.PodIdentity;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.ledger.core.state.ReservationAmounts;
import io.sluice.ledger.core.state.ReservationLimits;
import io.sluice.ledger.core.state.ReservationStatus;
import io.sluice.ledger.core.state.ReservationTable;
import io.sluice.ledger.core.state.RoomClaim;
import io.sluice.ledger.core.state.Tombstones;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.KeptRoom;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.MigrationMark;
import io.sluice.messages.ledger.permit.KindDecision;
import io.sluice.messages.ledger.permit.KindDecision.Rule;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** States with their bytes. */
final class StateSamples {
    static final Resources UNIT = new Resources(250, 1L << 30);
    static final Resources ONE = new Resources(1_000, 1L << 32);
    static final Resources TWO = new Resources(2_000, 1L << 33);
    static final Overcommit OVERCOMMIT = new Overcommit(1_500, 1_250);
    static final PodIdentity VM = new PodIdentity("p-1", "ns", "db-1-pod", "db-1", 1_700_000_000L);
    static final PodIdentity POD = new PodIdentity("p-2", "ns", "job", "", 1_700_000_001L);
    static final PermitReply.Ruled RULED = new PermitReply.Ruled(
            5,
            2,
            ONE,
            Duration.ofSeconds(10),
            true,
            new KindDecision(Rule.CUT_TO_ROOM, 1_000, 2_000, 1_000, 100, 9_900, 10_000),
            new KindDecision(Rule.NOTED, 11, 12, 13, 14, 15, 16));

    /** Every optional part is present. */
    private static final Reservation FULL_MEMBER = new Reservation(
            VM,
            new ReservationAmounts(ONE, TWO, UNIT, new Resources(1, 2), OVERCOMMIT),
            new ReservationLimits(UNIT, TWO, UNIT, true, false, true),
            new AgentSession(
                    5,
                    "r-1",
                    Optional.of(new AgentSession.Taken(
                            new PermitRequest("n1", "p-1", "r-1", 5, 2, UNIT, TWO, Optional.of(ONE), Optional.of(0.5f)),
                            RULED)),
                    Optional.of(0.5f),
                    Optional.of(Instant.ofEpochSecond(1_700_000_100L, 7)),
                    true,
                    Optional.of(Instant.ofEpochSecond(1_700_000_090L, 3)),
                    Optional.of(9L)),
            new ReservationStatus(
                    Contact.RECLAIMED,
                    true,
                    Optional.of(Instant.ofEpochSecond(1_700_000_200L)),
                    "a-1",
                    List.of(new MigrationMark("a-2", true), new MigrationMark("a-3", false)),
                    true,
                    new MigrationArrival("migration/ns/move", "a-4", true)),
            new Observations(
                    Optional.of(new Observations.Kind(8, new Resources(500, 2L << 30))),
                    Optional.of(new Observations.Kind(9, ONE)),
                    Instant.ofEpochSecond(1_700_000_050L, 500_000_000),
                    true,
                    new Resources(300, 5)),
            FixedAmounts.of(Map.of("pods", 1L)),
            List.of(new GpuShare(1, 0, "g-0", 4_096, 50)));

    private static final Reservation BARE_MEMBER = new Reservation(
            POD,
            new ReservationAmounts(UNIT, UNIT, Resources.NONE, Resources.NONE, Overcommit.OFF),
            new ReservationLimits(UNIT, UNIT, Resources.NONE, false, false, false),
            new AgentSession(
                    0,
                    "",
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    false,
                    Optional.empty(),
                    Optional.empty()),
            new ReservationStatus(
                    Contact.REQUESTED,
                    false,
                    Optional.empty(),
                    "",
                    List.of(),
                    false,
                    new MigrationArrival("", "", false)),
            new Observations(
                    Optional.empty(), Optional.empty(), Instant.ofEpochSecond(-1, 999_999_999), false, Resources.NONE),
            FixedAmounts.NONE);

    static final RoomClaim CLAIM = new RoomClaim(
            new KeptRoom("n1", "p-7", "ns/large", ONE, FixedAmounts.of(Map.of("pods", 1L)), 7),
            Instant.ofEpochSecond(1_700_000_600L),
            Instant.ofEpochSecond(1_700_000_660L, 5));

    static final NodeState FULL = new NodeState(
            "n1",
            new NodeState.Size(
                    Optional.of(7L),
                    new Resources(8_000, 1L << 35),
                    new Resources(7_200, 15L << 31),
                    Optional.of(Instant.ofEpochSecond(1_700_000_300L, 1)),
                    Optional.of(new NodeState.NotReady(Instant.ofEpochSecond(1_700_000_200L), true)),
                    FixedAmounts.of(Map.of("pods", 110L)),
                    new NodeDevices(GpuMode.SHARED, List.of(new Device("g-0", 0, "T4", 16_384)))),
            new NodeState.FullListState(true, 20, Optional.of(Instant.ofEpochSecond(1_700_000_000L)), Optional.empty()),
            NodeSums.over(ReservationTable.of(List.of(FULL_MEMBER, BARE_MEMBER))),
            ReservationTable.of(List.of(FULL_MEMBER, BARE_MEMBER)),
            new Tombstones(
                    Map.of("p-9", 19L, "p-8", 18L),
                    Map.of(
                            "a-8",
                            Instant.ofEpochSecond(1_700_000_400L, 3),
                            "a-7",
                            Instant.ofEpochSecond(1_700_000_500L))),
            Optional.of(CLAIM));

    private static final NodeState NAMED = new NodeState(
            "n1",
            NodeState.blank("n1").size(),
            new NodeState.FullListState(false, LoadNode.NEVER, Optional.empty(), Optional.of(Long.MAX_VALUE)),
            NodeSums.over(ReservationTable.EMPTY),
            ReservationTable.EMPTY,
            new Tombstones(Map.of(), Map.of()),
            Optional.empty());

    private static final NodeChange NOTHING = new NodeChange(
            Optional.empty(), Optional.empty(), Optional.empty(), List.of(), List.of(), Optional.empty());

    private static final NodeChange EVERYTHING = new NodeChange(
            Optional.of(FULL.size()),
            Optional.of(FULL.fullList()),
            Optional.of(FULL.gone()),
            FULL.reservations().all(),
            List.of("p-0"),
            Optional.of(CLAIM));

    static final List<Sample<?>> ALL = List.of(
            Sample.of("blank", new NodeStateCodec(), NodeState.blank("n1"), """
                09 00000002 6e310000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
                00000000 00010000 00000100 00000008 00000000 00000000 00000000 00000000 00800000 00000000
                00000000 00000000 00000000 00000000\
                """),
            Sample.of("named", new NodeStateCodec(), NAMED, """
                09 00000002 6e310000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
                00000000 00010000 00000100 00000008 00000000 00000000 00000000 00000000 00800000 00000000
                0000017f ffffffff ffffff00 00000000 00000000 00000000\
                """),
            Sample.of("full", new NodeStateCodec(), FULL, """
                09 00000002 6e310100 00000000 00000700 00000000 001f4000 00000800 00000000 00000000 001c2000
                00000780 00000001 00000000 6553f22c 00000001 01000000 006553f1 c8000000 00010000 00010000
                0004706f 64730000 00000000 006e0200 00000100 00000367 2d300000 00000000 00025434 00000000
                00004000 00000064 01000000 00000100 00000008 00000000 00000000 00000000 00000000 01000000
                00000000 14010000 00006553 f1000000 00000000 00000200 00000370 2d310000 00026e73 00000008
                64622d31 2d706f64 00000004 64622d31 00000000 6553f100 00000000 000003e8 00000001 00000000
                00000000 000007d0 00000002 00000000 00000000 000000fa 00000000 40000000 00000000 00000001
                00000000 00000002 00000000 000005dc 00000000 000004e2 00000000 000000fa 00000000 40000000
                00000000 000007d0 00000002 00000000 00000000 000000fa 00000000 40000000 01000100 00000000
                00000500 00000372 2d310102 00000002 6e310000 0003702d 31000000 03722d31 00000000 00000005
                00000000 00000002 00000000 000000fa 00000000 40000000 00000000 000007d0 00000002 00000000
                01000000 00000003 e8000000 01000000 00013f00 00000002 01000000 00000000 05000000 00000000
                02000000 00000003 e8000000 01000000 00000000 00000000 0a000000 00010300 00000000 0003e800
                00000000 0007d000 00000000 0003e800 00000000 00006400 00000000 0026ac00 00000000 00271001
                00000000 0000000b 00000000 0000000c 00000000 0000000d 00000000 0000000e 00000000 0000000f
                00000000 00000010 013f0000 00010000 00006553 f1640000 00070101 00000000 6553f15a 00000003
                01000000 00000000 09020101 00000000 6553f1c8 00000000 00000003 612d3100 00000200 00000361
                2d320100 00000361 2d330001 00000011 6d696772 6174696f 6e2f6e73 2f6d6f76 65000000 03612d34
                01010000 00000000 00080000 00000000 01f40000 00008000 00000100 00000000 00000900 00000000
                0003e800 00000100 00000000 00000065 53f1321d cd650001 00000000 0000012c 00000000 00000005
                00000001 00000004 706f6473 00000000 00000001 00000001 00000001 00000000 00000003 672d3000
                00000000 00100000 00003200 00000370 2d320000 00026e73 00000003 6a6f6200 00000000 00000065
                53f10100 00000000 0000fa00 00000040 00000000 00000000 0000fa00 00000040 00000000 00000000
                00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 0003e800 00000000
                0003e800 00000000 0000fa00 00000040 00000000 00000000 0000fa00 00000040 00000000 00000000
                00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 04000000 00000000
                00000000 00000000 00000000 000000ff ffffffff ffffff3b 9ac9ff00 00000000 00000000 00000000
                00000000 00000000 00000000 00000002 00000003 702d3800 00000000 00001200 00000370 2d390000
                00000000 00130000 00020000 0003612d 37000000 006553f2 f4000000 00000000 03612d38 00000000
                6553f290 00000003 01000000 026e3100 00000370 2d370000 00086e73 2f6c6172 67650000 00000000
                03e80000 00010000 00000000 00010000 0004706f 64730000 00000000 00010000 00070000 00006553
                f3580000 00000000 00006553 f3940000 0005\
                """),
            Sample.of("nothing", new NodeChangeCodec(), NOTHING, "09 00 00 00 00000000 00000000 00"),
            Sample.of("everything", new NodeChangeCodec(), EVERYTHING, """
                09 01010000 00000000 00070000 00000000 1f400000 00080000 00000000 00000000 1c200000 00078000
                00000100 00000065 53f22c00 00000101 00000000 6553f1c8 00000000 01000000 01000000 04706f64
                73000000 00000000 6e020000 00010000 0003672d 30000000 00000000 02543400 00000000 00400000
                00006401 00000000 00010000 00000800 00000000 00000000 00000000 00000001 01000000 00000000
                14010000 00006553 f1000000 00000001 00000002 00000003 702d3800 00000000 00001200 00000370
                2d390000 00000000 00130000 00020000 0003612d 37000000 006553f2 f4000000 00000000 03612d38
                00000000 6553f290 00000003 00000002 00000003 702d3100 0000026e 73000000 0864622d 312d706f
                64000000 0464622d 31000000 006553f1 00000000 00000003 e8000000 01000000 00000000 00000007
                d0000000 02000000 00000000 00000000 fa000000 00400000 00000000 00000000 01000000 00000000
                02000000 00000005 dc000000 00000004 e2000000 00000000 fa000000 00400000 00000000 00000007
                d0000000 02000000 00000000 00000000 fa000000 00400000 00010001 00000000 00000005 00000003
                722d3101 02000000 026e3100 00000370 2d310000 0003722d 31000000 00000000 05000000 00000000
                02000000 00000000 fa000000 00400000 00000000 00000007 d0000000 02000000 00010000 00000000
                03e80000 00010000 0000013f 00000000 02010000 00000000 00050000 00000000 00020000 00000000
                03e80000 00010000 00000000 00000000 000a0000 00000103 00000000 000003e8 00000000 000007d0
                00000000 000003e8 00000000 00000064 00000000 000026ac 00000000 00002710 01000000 00000000
                0b000000 00000000 0c000000 00000000 0d000000 00000000 0e000000 00000000 0f000000 00000000
                10013f00 00000100 00000065 53f16400 00000701 01000000 006553f1 5a000000 03010000 00000000
                00090201 01000000 006553f1 c8000000 00000000 03612d31 00000002 00000003 612d3201 00000003
                612d3300 01000000 116d6967 72617469 6f6e2f6e 732f6d6f 76650000 0003612d 34010100 00000000
                00000800 00000000 0001f400 00000080 00000001 00000000 00000009 00000000 000003e8 00000001
                00000000 00000000 6553f132 1dcd6500 01000000 00000001 2c000000 00000000 05000000 01000000
                04706f64 73000000 00000000 01000000 01000000 01000000 00000000 03672d30 00000000 00001000
                00000032 00000003 702d3200 0000026e 73000000 036a6f62 00000000 00000000 6553f101 00000000
                000000fa 00000000 40000000 00000000 000000fa 00000000 40000000 00000000 00000000 00000000
                00000000 00000000 00000000 00000000 00000000 00000000 000003e8 00000000 000003e8 00000000
                000000fa 00000000 40000000 00000000 000000fa 00000000 40000000 00000000 00000000 00000000
                00000000 00000000 00000000 00000000 00000000 00000000 00040000 00000000 00000000 00000000
                00000000 00000000 ffffffff ffffffff 3b9ac9ff 00000000 00000000 00000000 00000000 00000000
                00000000 00000000 01000000 03702d30 01000000 026e3100 00000370 2d370000 00086e73 2f6c6172
                67650000 00000000 03e80000 00010000 00000000 00010000 0004706f 64730000 00000000 00010000
                00070000 00006553 f3580000 00000000 00006553 f3940000 0005\
                """));

    private StateSamples() {}

    /** A reservation under that id with amounts only. */
    static Reservation sized(String id, Resources amount) {
        return new Reservation(
                new PodIdentity(id, "ns", id, "", 0),
                new ReservationAmounts(amount, amount, Resources.NONE, Resources.NONE, Overcommit.OFF),
                BARE_MEMBER.limits(),
                BARE_MEMBER.session(),
                BARE_MEMBER.status(),
                BARE_MEMBER.observations(),
                FixedAmounts.NONE);
    }
}
