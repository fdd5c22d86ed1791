package io.sluice.codecs;

import io.sluice.messages.cluster.PodSeen;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.messages.ledger.MemberBooks;
import io.sluice.messages.ledger.MemberTraits;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.monitor.MemoryWanted;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What older releases write, beside what is read from it: fields that came later have the value that changes nothing.
 */
final class OlderSamples {
    private static final PodSeen POD =
            new PodSeen("p-1", "ns", "db-1-pod", "n1", "db-1", 8, new Resources(500, 2L << 30), 1_700_000_000L);
    private static final Resources TWO = new Resources(2_000, 1L << 33);

    private static final VmTraits UNBILLED = ClusterSamples.FULL_VM.traits().billed(Optional.empty(), 0);

    static final List<Sample<?>> ALL = List.of(
            Sample.old(new NodeSeenCodec(), ClusterSamples.NODE, """
                01 00000002 6e31 0000000000000007 0000000000001f40 0000000800000000\
                """),
            Sample.old(new PodSeenCodec(), POD, """
                01 00000003 702d31 00000002 6e73 00000008 64622d312d706f64 00000002 6e31 00000004 64622d31
                0000000000000008 00000000000001f4 0000000080000000 000000006553f100\
                """),
            Sample.old(
                    new LoadNodeCodec(),
                    new LoadNode(ClusterSamples.NODE, 20, List.of(POD), List.of(ClusterSamples.BARE_VM)),
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
            Sample.old(
                    new LoadNodeCodec(),
                    new LoadNode(ClusterSamples.NODE, 20, List.of(ClusterSamples.POD), List.of(ClusterSamples.BARE_VM)),
                    """
                    01 02000000 026e3100 00000000 00000700 00000000 001f4000 00000800 00000000 00000000 00000000
                    00000000 00001400 00000102 00000003 702d3100 0000026e 73000000 0864622d 312d706f 64000000 026e3100
                    00000464 622d3100 00000000 00000800 00000000 0001f400 00000080 00000000 00000065 53f10000
                    00000d73 63686564 706c7567 696e2d78 00000001 03000000 066e656f 6e766d00 0000026e 73000000
                    0464622d 31000000 03752d31 00000000 00000009 00000000 00000000 00000000 01000100 00000000
                    000000fa 00000000 40000000 00000000 00000fa0 00000004 00000000 00000000 000003e8 00000001
                    00000000 00000000 00080000 00000000 00000003 e8000000 00000003 e8000000 00000000 00000000
                    00000000 000000
                    00 00000000 00000000 0000000000000000 00000000
                    0000000000000000 0000000000000000 0000000000000000 0000000000000000 00000000
                    00 0000000000000000\
                    """),
            Sample.old(new LoadReplyCodec(), new LoadReply(14, 12), """
                01 0000000e 0000000c\
                """),
            Sample.old(new VmSeenCodec(), ClusterSamples.BARE_VM, """
                01 00000006 6e656f6e766d 00000002 6e73 00000004 64622d31 00000003 752d31 0000000000000009
                00000000 00000000 00000000 01 00 01 00 00000000000000fa 0000000040000000
                0000000000000fa0 0000000400000000 00000000000003e8 0000000100000000 00
                0000000008000000 00000000000003e8 00000000000003e8 00 00 00 00 00 00 00 00
                00 00 00 00 00000000 00 00\
                """),
            Sample.old(new VmSeenCodec(), ClusterSamples.FULL_VM.with(Optional.empty(), VmTraits.NONE), """
                01 00000006 6e656f6e766d 00000002 6e73 00000004 64622d31 00000003 752d31 000000000000000a
                00000003 702d31 00000008 64622d312d706f64 00000002 6e31 04 01 00 01
                00000000000000fa 0000000040000000 0000000000000fa0 0000000400000000
                00000000000003e8 0000000100000000 01 00000000000002ee 00000000c0000000
                0000000010000000 00000000000005dc 00000000000004e2 01 3feccccccccccccd 01
                3fe8000000000000 01 3fe999999999999a 01 01 01 00 01 3fe0000000000000 01
                00000005 01 0000003c 01 3fd0000000000000 01 3fc0000000000000 01
                000000000000000c 0000000000000001 01 00000000000004e2 0000000140000000
                0000000a 72756e6e65722d612f33 01 00000008 31302e302e302e37 0000238c
                00000008 2f6d657472696373 01 00000008 31302e302e302e37 0000283d 00000008
                2f6d6f6e69746f72\
                """),
            Sample.old(
                    new VmSeenCodec(), ClusterSamples.FULL_VM.with(ClusterSamples.FULL_VM.fileCache(), UNBILLED), """
                    02 00000006 6e656f6e766d 00000002 6e73 00000004 64622d31 00000003 752d31 000000000000000a
                    00000003 702d31 00000008 64622d312d706f64 00000002 6e31 04 01 00 01
                    00000000000000fa 0000000040000000 0000000000000fa0 0000000400000000
                    00000000000003e8 0000000100000000 01 00000000000002ee 00000000c0000000
                    0000000010000000 00000000000005dc 00000000000004e2 01 3feccccccccccccd 01
                    3fe8000000000000 01 3fe999999999999a 01 01 01 00 01 3fe0000000000000 01
                    00000005 01 0000003c 01 3fd0000000000000 01 3fc0000000000000 01
                    000000000000000c 0000000000000001 01 00000000000004e2 0000000140000000
                    0000000a 72756e6e65722d612f33 01 00000008 31302e302e302e37 0000238c
                    00000008 2f6d657472696373 01 00000008 31302e302e302e37 0000283d 00000008
                    2f6d6f6e69746f72
                    01 00000008 31302e302e302e37 0000251b 00000006 2f6361636865
                    00000004 65702d31 00000004 70722d31 0000000000000002
                    0000000a 31302e3130302e302e39 00000000000000fa 0000000020000000
                    0000000000001f40 0000000800000000 00000002 00000001 61 00000002 6263\
                    """),
            Sample.old(
                    new ClaimReplyCodec(),
                    new ClaimReply.Claimed("runner-a/0", ClusterSamples.SIZES, true, Optional.empty()),
                    """
                    01 01 0000000a 72756e6e65722d612f30 01 00000000000000fa 0000000040000000 0000000000000fa0
                    0000000400000000 00000000000003e8 0000000100000000 01 00000000000002ee
                    00000000c0000000 0000000010000000\
                    """),
            Sample.old(
                    new PatchVmCodec(),
                    new PatchVm(
                            ClusterSamples.VM,
                            "",
                            TWO,
                            new Revision(3, 1),
                            "runner-a/0",
                            "runner-a/1",
                            Duration.ofMillis(9_250)),
                    """
                    01 00000006 6e656f6e766d 00000002 6e73 00000004 64622d31 00000003 752d31 00000000000007d0
                    0000000200000000 0000000000000003 0000000000000001 0000000a
                    72756e6e65722d612f30 0000000a 72756e6e65722d612f31 0000000000000009
                    0ee6b280\
                    """),
            Sample.old(
                    new SnapshotCodec(),
                    new Snapshot(List.of(LedgerSamples.books(List.of(untold())), LedgerSamples.books(List.of()))),
                    """
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
            Sample.old(new NodeBooksCodec(), LedgerSamples.books(List.of(untold())), """
                01 00000002 6e31 01 0000000000000015 0000000000000016 0000000000000017 0000000000000018
                0000000000000019 000000000000001a 000000000000001b 000000000000001c
                000000000000001d 000000000000001e 000000000000001f 0000000000000020
                0000000000000021 0000000000000022 0000000000000023 0000000000000024
                0000000000000025 0000000000000026 00 0000000000000027 00000001 00000003
                702d31 00000002 6e73 00000008 64622d312d706f64 00000004 64622d31
                00000000000003e8 0000000100000000 00000000000007d0 0000000200000000
                00000000000000fa 0000000040000000 0000000000000001 0000000000000002
                0000000000000003 0000000000000004 01 00 0000000000000005 0000000000000006\
                """),
            Sample.old(new MonitorStateCodec(), new MonitorState(ClusterSamples.VM, 4, true, "Größe"), """
                01 00000006 6e656f6e766d 00000002 6e73 00000004 64622d31 00000003 752d31 0000000000000004 01
                00000007 4772c3b6c39f65\
                """),
            Sample.old(new MemoryWantedCodec(), new MemoryWanted(ClusterSamples.VM, 4), """
                01 00000006 6e656f6e766d 00000002 6e73 00000004 64622d31 00000003 752d31 0000000000000004\
                """));

    private OlderSamples() {}

    private static MemberBooks untold() {
        var member = LedgerSamples.MEMBER;
        return new MemberBooks(
                member.member(),
                member.namespace(),
                member.name(),
                member.vmName(),
                member.reserved(),
                member.requested(),
                member.pressure(),
                member.buffer(),
                member.max(),
                member.migrating(),
                member.recovered(),
                member.session(),
                member.seq(),
                MemberTraits.NONE);
    }
}
