package io.sluice.codecs;

import io.sluice.codecs.cluster.SchedulingChangeCodec;
import io.sluice.codecs.placement.GangStateCodec;
import io.sluice.codecs.placement.KeptRoomsCodec;
import io.sluice.codecs.placement.ListPendingPodsCodec;
import io.sluice.codecs.placement.NodeRanksCodec;
import io.sluice.codecs.placement.PendingPodListCodec;
import io.sluice.codecs.placement.PlacePodCodec;
import io.sluice.codecs.placement.PlaceReplyCodec;
import io.sluice.codecs.placement.PlacementDecisionCodec;
import io.sluice.codecs.placement.PodGrantQueryCodec;
import io.sluice.codecs.placement.PreemptPodsCodec;
import io.sluice.codecs.placement.RankNodesCodec;
import io.sluice.codecs.placement.RoomWantedCodec;
import io.sluice.codecs.vm.BindPodCodec;
import io.sluice.codecs.vm.ChooseVolumeCodec;
import io.sluice.codecs.vm.ElasticJobListCodec;
import io.sluice.codecs.vm.EvictPodCodec;
import io.sluice.codecs.vm.EvictReplyCodec;
import io.sluice.codecs.vm.GangReportedCodec;
import io.sluice.codecs.vm.ListElasticJobsCodec;
import io.sluice.codecs.vm.NominateNodeCodec;
import io.sluice.codecs.vm.PodBindingCodec;
import io.sluice.codecs.vm.ScaleJobCodec;
import io.sluice.codecs.vm.ScaleReplyCodec;
import io.sluice.codecs.vm.TouchPodCodec;
import io.sluice.codecs.vm.UnschedulablePodCodec;
import io.sluice.codecs.vm.VolumeChoiceCodec;
import io.sluice.messages.cluster.SchedulingChange;
import io.sluice.messages.placement.GangState;
import io.sluice.messages.placement.KeptRooms;
import io.sluice.messages.placement.ListPendingPods;
import io.sluice.messages.placement.NodeRanks;
import io.sluice.messages.placement.PendingPodList;
import io.sluice.messages.placement.PlacePod;
import io.sluice.messages.placement.PlaceReply;
import io.sluice.messages.placement.PlacementDecision;
import io.sluice.messages.placement.PodGrantQuery;
import io.sluice.messages.placement.PreemptPods;
import io.sluice.messages.placement.RankNodes;
import io.sluice.messages.placement.RoomWanted;
import io.sluice.messages.vm.BindPod;
import io.sluice.messages.vm.ChooseVolume;
import io.sluice.messages.vm.ElasticJobList;
import io.sluice.messages.vm.EvictPod;
import io.sluice.messages.vm.EvictReply;
import io.sluice.messages.vm.GangReported;
import io.sluice.messages.vm.ListElasticJobs;
import io.sluice.messages.vm.NominateNode;
import io.sluice.messages.vm.PodBinding;
import io.sluice.messages.vm.ScaleJob;
import io.sluice.messages.vm.ScaleReply;
import io.sluice.messages.vm.TouchPod;
import io.sluice.messages.vm.UnschedulablePod;
import io.sluice.messages.vm.VolumeChoice;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Messages about placing pods, and their bytes on the wire. */
final class PlacementSamples {
    static final List<Sample<?>> ALL = List.of(
            Sample.of(new RankNodesCodec(), new RankNodes("u-1", "ns", "p", List.of("n1", "n2")), """
                01 00000003 752d3100 0000026e 73000000 01700000 00020000 00026e31 00000002 6e32\
                """),
            Sample.of(
                    new PreemptPodsCodec(),
                    new PreemptPods("u-1", List.of(new PreemptPods.Candidate("n1", List.of("u-2", "u-3")))),
                    """
                    01 00000003 752d3100 00000100 0000026e 31000000 02000000 03752d32 00000003 752d33\
                    """),
            Sample.of(
                    new NodeRanksCodec(),
                    new NodeRanks.Ranked(List.of(
                            new NodeRanks.NodeRank("n1", NodeRanks.Obstacle.NONE, Resources.NONE, 73),
                            new NodeRanks.NodeRank(
                                    "n2",
                                    NodeRanks.Obstacle.NO_ROOM,
                                    new Resources(250, 1L << 30),
                                    0,
                                    "",
                                    FixedAmounts.of(Map.of("nvidia.com/gpu", 2L))),
                            new NodeRanks.NodeRank(
                                    "n3",
                                    NodeRanks.Obstacle.DEVICES,
                                    Resources.NONE,
                                    0,
                                    "",
                                    FixedAmounts.NONE,
                                    Optional.of(DeviceSamples.MISFIT)))),
                    """
                    03 01000000 03000000 026e3101 00000000 00000000 00000000 00000000 00000049 00000000
                    00000000 00000000 026e3202 00000000 000000fa 00000000 40000000 00000000 00000000 00000001
                    0000000e 6e766964 69612e63 6f6d2f67 70750000 00000000 00020000 0000026e 33070000 00000000
                    00000000 00000000 00000000 00000000 00000000 00000102 00000002 5434\
                    """),
            Sample.of(new KeptRoomsCodec(), new KeptRooms("own", List.of(LedgerSamples.ROOM)), """
                04 00000003 6f776e00 00000100 0000026e 31000000 03702d37 00000008 6e732f6c 61726765 00000000
                000003e8 00000001 00000000 00000001 00000004 706f6473 00000000 00000001 00000007\
                """),
            Sample.of(new RoomWantedCodec(), new RoomWanted(List.of("u-1", "u-2")), """
                01 00000002 00000003 752d3100 00000375 2d32\
                """),
            Sample.of(
                    new EvictPodCodec(),
                    new EvictPod("u-2", "ns", "v", "n1", new EvictPod.Preemptor("u-1", "ns", "p"), "own"),
                    """
                    01 00000003 752d3200 0000026e 73000000 01760000 00026e31 00000003 752d3100 0000026e 73000000 01700000
                    00036f77 6e\
                    """),
            Sample.of(new PodGrantQueryCodec(), new PodGrantQuery("ns/p"), """
                01 00000004 6e732f70\
                """),
            Sample.of(new EvictReplyCodec(), new EvictReply.Evicted(), """
                01 01\
                """),
            Sample.of(new EvictReplyCodec(), new EvictReply.Gone(), """
                01 02\
                """),
            Sample.of(new EvictReplyCodec(), new EvictReply.RefusedByBudget("no"), """
                01 03000000 026e6f\
                """),
            Sample.of(new EvictReplyCodec(), new EvictReply.Failed("late"), """
                01 04000000 046c6174 65\
                """),
            Sample.of(new NominateNodeCodec(), new NominateNode("u-1", "ns", "p", "n1"), """
                01 00000003 752d3100 0000026e 73000000 01700000 00026e31\
                """),
            Sample.of(new NodeRanksCodec(), new NodeRanks.PodNotPending(), """
                03 02\
                """),
            Sample.of(new ListPendingPodsCodec(), new ListPendingPods("ns/p", 200), """
                01 00000004 6e732f70 000000c8\
                """),
            Sample.of(
                    new PendingPodListCodec(),
                    new PendingPodList(
                            List.of(new PendingPodList.PendingPod(
                                    "u-1",
                                    "ns",
                                    "p",
                                    "vm",
                                    1_700_000_000,
                                    new Resources(500, 2L << 30),
                                    new Resources(250, 1L << 30),
                                    List.of(new NodeRanks.NodeRank(
                                            "n2", NodeRanks.Obstacle.NO_ROOM, new Resources(250, 1L << 30), 0)))),
                            7),
                    """
                    03 00000001 00000003 752d3100 0000026e 73000000 01700000 0002766d 00000000 6553f100
                    00000000 000001f4 00000000 80000000 00000000 000000fa 00000000 40000000 00000001 00000002
                    6e320200 00000000 0000fa00 00000040 00000000 00000000 00000000 00000000 00000007\
                    """),
            Sample.of(new PlacePodCodec(), new PlacePod("u-1", "ns", "p", "n1"), """
                01 00000003 752d3100 0000026e 73000000 01700000 00026e31\
                """),
            Sample.of(new PlaceReplyCodec(), new PlaceReply.Placed(), """
                01 01\
                """),
            Sample.of(new PlaceReplyCodec(), new PlaceReply.NotPlaced("full"), """
                01 02000000 0466756c 6c\
                """),
            Sample.of(new PlaceReplyCodec(), new PlaceReply.InDoubt("late"), """
                01 03000000 046c6174 65\
                """),
            Sample.of(
                    new PlacementDecisionCodec(),
                    new PlacementDecision(PlacementDecision.Kind.WAITS, "u-1", "ns", "p", "", "late"),
                    """
                    02 01000000 03752d31 00000002 6e730000 00017000 00000000 0000046c 617465\
                    """),
            Sample.of(new BindPodCodec(), new BindPod("u-1", "ns", "p", "n1", 7, DeviceSamples.GRANT), """
                03 00000003 752d3100 0000026e 73000000 01700000 00026e31 00000000 00000007 02000000
                01000000 01000000 00000000 03672d30 00000000 00001000 00000032 00000001 00000001\
                """),
            Sample.of(new TouchPodCodec(), new TouchPod("u-1", "ns", "p"), """
                01 00000003 752d3100 0000026e 73000000 0170\
                """),
            Sample.of(new UnschedulablePodCodec(), new UnschedulablePod("u-1", "ns", "p", "sluice", "full"), """
                01 00000003 752d3100 0000026e 73000000 01700000 0006736c 75696365 00000004 66756c6c\
                """),
            Sample.of(new ChooseVolumeCodec(), new ChooseVolume("ns", "c", "u-1", "n1", "v", 7), """
                01 00000002 6e730000 00016300 00000375 2d310000 00026e31 00000001 76000000 00000000 07\
                """),
            Sample.of(new VolumeChoiceCodec(), new VolumeChoice("late"), """
                01 00000004 6c617465\
                """),
            Sample.of(new ListElasticJobsCodec(), new ListElasticJobs(true), """
                01 01\
                """),
            Sample.of(new ElasticJobListCodec(), new ElasticJobList(List.of("{}"), "late"), """
                01 00000001 00000001 00000002 7b7d0000 00046c61 7465\
                """),
            Sample.of(
                    new ScaleJobCodec(),
                    new ScaleJob(
                            "ns",
                            "j",
                            "7",
                            "{}",
                            new ScaleJob.Target("apps/v1", "Deployment", "d", "8"),
                            3,
                            List.of(new ScaleJob.Resize("p", new Resources(250, 1L << 30)))),
                    """
                    01 00000002 6e730000 00016a00 00000137 00000001 00000002 7b7d0000 00076170 70732f76
                    31000000 0a446570 6c6f796d 656e7400 00000164 00000001 38000000 03000000 01000000
                    01700000 00000000 00fa0000 00004000 0000\
                    """),
            Sample.of(new ScaleReplyCodec(), new ScaleReply("late"), """
                01 00000004 6c617465\
                """),
            Sample.of(new GangReportedCodec(), new GangReported("late"), """
                01 00000004 6c617465\
                """),
            Sample.of(
                    new GangStateCodec(),
                    new GangState(
                            "a.b",
                            "ns",
                            "g",
                            "u-9",
                            7,
                            2,
                            "Pending",
                            "full",
                            List.of(new GangState.Member("u-1", "p", "n1", GangState.Step.HELD))),
                    """
                    01 00000003 612e6200 0000026e 73000000 01670000 0003752d 39000000 00000000 07000000 02000000
                    0750656e 64696e67 00000004 66756c6c 00000001 00000003 752d3100 00000170 00000002 6e3102\
                    """),
            Sample.of(
                    new SchedulingChangeCodec(),
                    new SchedulingChange.Observed(SchedulingChange.Kind.NODE, "n1", 7, 9, "{}"),
                    """
                    01 01020000 00026e31 00000000 00000007 00000000 00000009 00000001 00000002 7b7d\
                    """),
            Sample.of(new SchedulingChangeCodec(), new SchedulingChange.Gone(SchedulingChange.Kind.POD, "u-1", 7), """
                01 02010000 0003752d 31000000 00000000 07\
                """),
            Sample.of(new SchedulingChangeCodec(), new SchedulingChange.ListBegun(9), """
                01 03000000 00000000 09\
                """),
            Sample.of(new SchedulingChangeCodec(), new SchedulingChange.Listed(9, 2), """
                01 04000000 00000000 09000000 02\
                """),
            Sample.of(new PodBindingCodec(), new PodBinding.Bound("n1"), """
                01 01000000 026e31\
                """),
            Sample.of(new PodBindingCodec(), new PodBinding.Unbound(), """
                01 02\
                """),
            Sample.of(new PodBindingCodec(), new PodBinding.Gone(), """
                01 03\
                """),
            Sample.of(new PodBindingCodec(), new PodBinding.Refused("no"), """
                01 04000000 026e6f\
                """),
            Sample.of(new PodBindingCodec(), new PodBinding.InDoubt("late"), """
                01 05000000 046c6174 65\
                """));

    private PlacementSamples() {}
}
