package io.sluice.codecs;

import io.sluice.codecs.cluster.FullListPublishedCodec;
import io.sluice.codecs.cluster.ListerWithoutViewCodec;
import io.sluice.codecs.cluster.NodeGoneCodec;
import io.sluice.codecs.cluster.NodeObservedCodec;
import io.sluice.codecs.cluster.PodGoneCodec;
import io.sluice.codecs.cluster.PodObservedCodec;
import io.sluice.codecs.cluster.RelistRequestCodec;
import io.sluice.codecs.cluster.VmGoneCodec;
import io.sluice.codecs.cluster.VmObservedCodec;
import io.sluice.codecs.cluster.VmsWatchedCodec;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.cluster.FullListPublished;
import io.sluice.messages.cluster.ListerWithoutView;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.ObservedMigrations;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.cluster.VmsWatched;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.sluice.units.VmId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Observations of the Kubernetes cluster and their bytes on the wire. */
final class ClusterSamples {
    static final VmId VM = new VmId("neonvm", "ns", "db-1", "u-1");
    static final Endpoint MONITOR = new Endpoint("10.0.0.7", 10_301, "/monitor");
    static final VmSizes SIZES = new VmSizes(
            new Resources(250, 1L << 30),
            new Resources(4_000, 1L << 34),
            new Resources(1_000, 1L << 32),
            Optional.of(new Resources(750, 3L << 30)),
            1L << 28);
    static final NodeObserved NODE = new NodeObserved("n1", 7, new Resources(8_000, 1L << 35));
    static final PodObserved POD = new PodObserved(
            "p-1",
            "ns",
            "db-1-pod",
            "n1",
            "db-1",
            8,
            new Resources(500, 2L << 30),
            1_700_000_000L,
            "schedplugin-x",
            7,
            FixedAmounts.of(Map.of("pods", 1L)),
            DeviceSamples.DEMAND);
    static final VmObserved BARE_VM = new VmObserved(
            VM,
            9,
            "",
            "",
            "",
            VmPhase.PENDING,
            false,
            true,
            false,
            new VmSizes(SIZES.min(), SIZES.max(), SIZES.spec(), Optional.empty(), 1L << 27),
            Overcommit.OFF,
            ScalingOverrides.NONE,
            Optional.empty(),
            Optional.empty(),
            "",
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            VmTraits.NONE);
    static final VmObserved FULL_VM = new VmObserved(
            VM,
            10,
            "p-1",
            "db-1-pod",
            "n1",
            VmPhase.PRE_MIGRATING,
            true,
            false,
            true,
            SIZES,
            new Overcommit(1_500, 1_250),
            new ScalingOverrides(
                    Optional.of(0.9),
                    Optional.of(0.75),
                    Optional.of(0.8),
                    Optional.of(true),
                    Optional.of(false),
                    Optional.of(0.5),
                    Optional.of(5),
                    Optional.of(60),
                    Optional.of(0.25),
                    Optional.of(0.125)),
            Optional.of(new Revision(12, Revision.UP)),
            Optional.of(new Resources(1_250, 5L << 30)),
            "runner-a/3",
            Optional.of(new Endpoint("10.0.0.7", 9_100, "/metrics")),
            Optional.of(new Endpoint("10.0.0.7", 9_499, "/cache")),
            Optional.of(MONITOR),
            new VmTraits(
                            "ep-1",
                            "pr-1",
                            2,
                            "10.100.0.9",
                            new Resources(250, 1L << 29),
                            new Resources(8_000, 1L << 35),
                            List.of("a", "bc"))
                    .billed(Optional.of("ep-2"), 1_700_000_003L),
            new Resources(15, 16));

    static final List<Sample<?>> ALL = List.of(
            Sample.of(new NodeObservedCodec(), NODE, """
                06 00000002 6e310000 00000000 00070000 00000000 1f400000 00080000 00000000 00000000
                00000100 00000001 00000000 01000000 00080000 00000000 00000000 00000000 0000\
                """),
            Sample.of(
                    new NodeObservedCodec(),
                    new NodeObserved(
                            "n1",
                            7,
                            new Resources(8_000, 1L << 35),
                            "cordoned",
                            List.of("a=b:NoSchedule"),
                            false,
                            FixedAmounts.of(Map.of("pods", 110L)),
                            DeviceSamples.NODE),
                    """
                    06 00000002 6e310000 00000000 00070000 00000000 1f400000 00080000 00000000 0008636f
                    72646f6e 65640000 00010000 000e613d 623a4e6f 53636865 64756c65 00000000 01000000
                    04706f64 73000000 00000000 6e030000 00020000 0003672d 30000000 00000000 02543400
                    00000000 00400000 00006401 01000000 01000000 01000000 03672d31 01000000 03672d31
                    00000001 00000002 54340000 00000000 40000000 00640000 00000000 04010000 00080000
                    00000000 00070000 00037066 70000000 01000000 01000000 01000000 03637075 00000000
                    00000fa0 00000001 00000003 63707500 00000000 0003e800 00000100 00000000 000014\
                    """),
            Sample.of(new NodeGoneCodec(), new NodeGone("n1", 11), """
                01 00000002 6e31 000000000000000b\
                """),
            Sample.of(new PodObservedCodec(), POD, """
                04 00000003 702d3100 0000026e 73000000 0864622d 312d706f 64000000 026e3100 00000464
                622d3100 00000000 00000800 00000000 0001f400 00000080 00000000 00000065 53f10000 00000d73
                63686564 706c7567 696e2d78 00000007 00000001 00000004 706f6473 00000000 00000001 00000001
                00000001 00000006 616c6e61 69720000 00020000 00000000 10000000 00000000 00320000 00000100
                00000254 34000000 01000000 034b3830 02010100 00000100 00000100 00000000 00000367 2d300000
                00000000 10000000 00320000 00046d61 696e\
                """),
            Sample.of(new PodGoneCodec(), new PodGone("p-1", "n1", 12), """
                01 00000003 702d31 00000002 6e31 000000000000000c\
                """),
            Sample.of(new VmObservedCodec(), BARE_VM, """
                04 00000006 6e656f6e 766d0000 00026e73 00000004 64622d31 00000003 752d3100 00000000 00000900
                00000000 00000000 00000001 00010000 00000000 0000fa00 00000040 00000000 00000000 000fa000
                00000400 00000000 00000000 0003e800 00000100 00000000 00000000 08000000 00000000 000003e8
                00000000 000003e8 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
                00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
                00000000 00000000 00000000 00000000 00000000 00000000 00000000\
                """),
            Sample.of(new VmObservedCodec(), FULL_VM, """
                04 00000006 6e656f6e 766d0000 00026e73 00000004 64622d31 00000003 752d3100 00000000 00000a00
                00000370 2d310000 00086462 2d312d70 6f640000 00026e31 04010001 00000000 000000fa 00000000
                40000000 00000000 00000fa0 00000004 00000000 00000000 000003e8 00000001 00000000 01000000
                00000002 ee000000 00c00000 00000000 00100000 00000000 00000005 dc000000 00000004 e2013fec
                cccccccc cccd013f e8000000 00000001 3fe99999 9999999a 01010100 013fe000 00000000 00010000
                00050100 00003c01 3fd00000 00000000 013fc000 00000000 00010000 00000000 000c0000 00000000
                00010100 00000000 0004e200 00000140 00000000 00000a72 756e6e65 722d612f 33010000 00083130
                2e302e30 2e370000 238c0000 00082f6d 65747269 63730100 00000831 302e302e 302e3700 00283d00
                0000082f 6d6f6e69 746f7201 00000008 31302e30 2e302e37 0000251b 00000006 2f636163 68650000
                00046570 2d310000 00047072 2d310000 00000000 00020000 000a3130 2e313030 2e302e39 00000000
                000000fa 00000000 20000000 00000000 00001f40 00000008 00000000 00000002 00000001 61000000
                02626301 00000004 65702d32 00000000 6553f103 00000000 0000000f 00000000 00000010\
                """),
            Sample.of(new VmGoneCodec(), new VmGone(VM, 13), """
                01 00000006 6e656f6e766d 00000002 6e73 00000004 64622d31 00000003 752d31 000000000000000d\
                """),
            Sample.of(new VmsWatchedCodec(), new VmsWatched("neonvm", 14), """
                01 00000006 6e656f6e766d 000000000000000e\
                """),
            Sample.of(
                    new FullListPublishedCodec(),
                    new FullListPublished(3, 14, 12, Optional.of(new ObservedMigrations(20, Set.of("mu-2", "mu-1")))),
                    """
                    02 00000003 0000000e 0000000c 01000000 00000000 14000000 02000000 046d752d 31000000 046d752d 32\
                    """),
            Sample.of(new FullListPublishedCodec(), new FullListPublished(3, 14, 12), """
                02 00000003 0000000e 0000000c 00\
                """),
            Sample.of(new ListerWithoutViewCodec(), new ListerWithoutView("m-1", "no pods"), """
                01 00000003 6d2d31 00000007 6e6f20706f6473\
                """),
            Sample.of(new RelistRequestCodec(), new RelistRequest("agent"), """
                01 00000005 6167656e74\
                """));

    private ClusterSamples() {}
}
