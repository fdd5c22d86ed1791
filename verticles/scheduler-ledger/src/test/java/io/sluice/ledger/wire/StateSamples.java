package io.sluice.ledger.wire;

import io.sluice.ledger.core.Amounts;
import io.sluice.ledger.core.Arrival;
import io.sluice.ledger.core.Contact;
import io.sluice.ledger.core.Identity;
import io.sluice.ledger.core.Limits;
import io.sluice.ledger.core.Member;
import io.sluice.ledger.core.NodeChange;
import io.sluice.ledger.core.NodeState;
import io.sluice.ledger.core.Roster;
import io.sluice.ledger.core.Seen;
import io.sluice.ledger.core.Standing;
import io.sluice.ledger.core.Sums;
import io.sluice.ledger.core.Talk;
import io.sluice.ledger.core.Tombstones;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.KindRuling;
import io.sluice.messages.ledger.KindRuling.Verdict;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Books as they stand on the wire. */
final class StateSamples {
    static final Resources UNIT = new Resources(250, 1L << 30);
    static final Resources ONE = new Resources(1_000, 1L << 32);
    static final Resources TWO = new Resources(2_000, 1L << 33);
    static final Overcommit OVERCOMMIT = new Overcommit(1_500, 1_250);
    static final Identity VM = new Identity("p-1", "ns", "db-1-pod", "db-1", 1_700_000_000L);
    static final Identity POD = new Identity("p-2", "ns", "job", "", 1_700_000_001L);
    static final PermitReply.Ruled RULED = new PermitReply.Ruled(
            5,
            2,
            ONE,
            Duration.ofSeconds(10),
            true,
            new KindRuling(Verdict.CUT_TO_ROOM, 1_000, 2_000, 1_000, 100, 9_900, 10_000),
            new KindRuling(Verdict.NOTED, 11, 12, 13, 14, 15, 16));

    /** Whatever can be there is there. */
    private static final Member FULL_MEMBER = new Member(
            VM,
            new Amounts(ONE, TWO, UNIT, new Resources(1, 2), OVERCOMMIT),
            new Limits(UNIT, TWO, UNIT, true, false, true),
            new Talk(
                    5,
                    "r-1",
                    Optional.of(new Talk.Taken(
                            new PermitRequest("n1", "p-1", "r-1", 5, 2, UNIT, TWO, Optional.of(ONE), Optional.of(0.5f)),
                            RULED)),
                    Optional.of(0.5f),
                    Optional.of(Instant.ofEpochSecond(1_700_000_100L, 7)),
                    true),
            new Standing(
                    Contact.SETTLED,
                    true,
                    Optional.of(Instant.ofEpochSecond(1_700_000_200L)),
                    true,
                    true,
                    new Arrival("migration/ns/move", true)),
            new Seen(
                    Optional.of(new Seen.Fact(8, new Resources(500, 2L << 30))),
                    Optional.of(new Seen.Fact(9, ONE)),
                    Instant.ofEpochSecond(1_700_000_050L, 500_000_000)));

    private static final Member BARE_MEMBER = new Member(
            POD,
            new Amounts(UNIT, UNIT, Resources.NONE, Resources.NONE, Overcommit.OFF),
            new Limits(UNIT, UNIT, Resources.NONE, false, false, false),
            new Talk(0, "", Optional.empty(), Optional.empty(), Optional.empty(), false),
            new Standing(Contact.HEARD, false, Optional.empty(), false, false, new Arrival("", false)),
            new Seen(Optional.empty(), Optional.empty(), Instant.ofEpochSecond(-1, 999_999_999)));

    static final NodeState FULL = new NodeState(
            "n1",
            new NodeState.Size(
                    Optional.of(7L),
                    new Resources(8_000, 1L << 35),
                    new Resources(7_200, 15L << 31),
                    Optional.of(Instant.ofEpochSecond(1_700_000_300L, 1))),
            new NodeState.Listing(true, 20, Optional.of(Instant.ofEpochSecond(1_700_000_000L))),
            Sums.over(Roster.of(List.of(FULL_MEMBER, BARE_MEMBER))),
            Roster.of(List.of(FULL_MEMBER, BARE_MEMBER)),
            new Tombstones(Map.of("p-9", 19L, "p-8", 18L)));

    private static final NodeChange NOTHING =
            new NodeChange(Optional.empty(), Optional.empty(), Optional.empty(), List.of(), List.of());

    private static final NodeChange EVERYTHING = new NodeChange(
            Optional.of(FULL.size()),
            Optional.of(FULL.listing()),
            Optional.of(FULL.gone()),
            FULL.members().all(),
            List.of("p-0"));

    static final List<Sample<?>> ALL = List.of(
            Sample.of("blank", new NodeStateCodec(), NodeState.blank("n1"), """
                01 00000002 6e31 00 0000000000000000 0000000000000000 0000000000000000 0000000000000000 00 00
                8000000000000000 00 00000000 00000000\
                """),
            Sample.of("full", new NodeStateCodec(), FULL, """
                01 00000002 6e31 01 0000000000000007 0000000000001f40 0000000800000000 0000000000001c20
                0000000780000000 01 000000006553f22c 00000001 01 0000000000000014 01 000000006553f100 00000000
                00000002 00000003 702d31 00000002 6e73 00000008 64622d312d706f64 00000004 64622d31
                000000006553f100 00000000000003e8 0000000100000000 00000000000007d0 0000000200000000
                00000000000000fa 0000000040000000 0000000000000001 0000000000000002 00000000000005dc
                00000000000004e2 00000000000000fa 0000000040000000 00000000000007d0 0000000200000000
                00000000000000fa 0000000040000000 01 00 01 0000000000000005 00000003 722d31 01 01 00000002 6e31
                00000003 702d31 00000003 722d31 0000000000000005 0000000000000002 00000000000000fa
                0000000040000000 00000000000007d0 0000000200000000 01 00000000000003e8 0000000100000000 01
                3f000000 01 01 0000000000000005 0000000000000002 00000000000003e8 0000000100000000
                000000000000000a 00000000 01 03 00000000000003e8 00000000000007d0 00000000000003e8
                0000000000000064 00000000000026ac 0000000000002710 01 000000000000000b 000000000000000c
                000000000000000d 000000000000000e 000000000000000f 0000000000000010 01 3f000000 01
                000000006553f164 00000007 01 02 01 01 000000006553f1c8 00000000 01 01 00000011
                6d6967726174696f6e2f6e732f6d6f7665 01 01 0000000000000008 00000000000001f4 0000000080000000 01
                0000000000000009 00000000000003e8 0000000100000000 000000006553f132 1dcd6500 00000003 702d32
                00000002 6e73 00000003 6a6f62 00000000 000000006553f101 00000000000000fa 0000000040000000
                00000000000000fa 0000000040000000 0000000000000000 0000000000000000 0000000000000000
                0000000000000000 00000000000003e8 00000000000003e8 00000000000000fa 0000000040000000
                00000000000000fa 0000000040000000 0000000000000000 0000000000000000 00 00 00 0000000000000000
                00000000 00 00 00 00 04 00 00 00 00 00000000 00 00 00 ffffffffffffffff 3b9ac9ff 00000002
                00000003 702d38 0000000000000012 00000003 702d39 0000000000000013\
                """),
            Sample.of("nothing", new NodeChangeCodec(), NOTHING, "01 00 00 00 00000000 00000000"),
            Sample.of("everything", new NodeChangeCodec(), EVERYTHING, """
                01 01 01 0000000000000007 0000000000001f40 0000000800000000 0000000000001c20 0000000780000000 01
                000000006553f22c 00000001 01 01 0000000000000014 01 000000006553f100 00000000 01 00000002 00000003
                702d38 0000000000000012 00000003 702d39 0000000000000013 00000002 00000003 702d31 00000002 6e73
                00000008 64622d312d706f64 00000004 64622d31 000000006553f100 00000000000003e8 0000000100000000
                00000000000007d0 0000000200000000 00000000000000fa 0000000040000000 0000000000000001
                0000000000000002 00000000000005dc 00000000000004e2 00000000000000fa 0000000040000000
                00000000000007d0 0000000200000000 00000000000000fa 0000000040000000 01 00 01 0000000000000005
                00000003 722d31 01 01 00000002 6e31 00000003 702d31 00000003 722d31 0000000000000005
                0000000000000002 00000000000000fa 0000000040000000 00000000000007d0 0000000200000000 01
                00000000000003e8 0000000100000000 01 3f000000 01 01 0000000000000005 0000000000000002
                00000000000003e8 0000000100000000 000000000000000a 00000000 01 03 00000000000003e8 00000000000007d0
                00000000000003e8 0000000000000064 00000000000026ac 0000000000002710 01 000000000000000b
                000000000000000c 000000000000000d 000000000000000e 000000000000000f 0000000000000010 01 3f000000 01
                000000006553f164 00000007 01 02 01 01 000000006553f1c8 00000000 01 01 00000011
                6d6967726174696f6e2f6e732f6d6f7665 01 01 0000000000000008 00000000000001f4 0000000080000000 01
                0000000000000009 00000000000003e8 0000000100000000 000000006553f132 1dcd6500 00000003 702d32
                00000002 6e73 00000003 6a6f62 00000000 000000006553f101 00000000000000fa 0000000040000000
                00000000000000fa 0000000040000000 0000000000000000 0000000000000000 0000000000000000
                0000000000000000 00000000000003e8 00000000000003e8 00000000000000fa 0000000040000000
                00000000000000fa 0000000040000000 0000000000000000 0000000000000000 00 00 00 0000000000000000
                00000000 00 00 00 00 04 00 00 00 00 00000000 00 00 00 ffffffffffffffff 3b9ac9ff 00000001 00000003
                702d30\
                """));

    private StateSamples() {}

    /** A member that is only sized, under that id. */
    static Member sized(String id, Resources amount) {
        return new Member(
                new Identity(id, "ns", id, "", 0),
                new Amounts(amount, amount, Resources.NONE, Resources.NONE, Overcommit.OFF),
                BARE_MEMBER.limits(),
                BARE_MEMBER.talk(),
                BARE_MEMBER.standing(),
                BARE_MEMBER.seen());
    }
}
