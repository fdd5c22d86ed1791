package io.sluice.codecs;

import io.sluice.codecs.agent.DecisionCodec;
import io.sluice.codecs.agent.RunnerStepCodec;
import io.sluice.codecs.agent.ScalingRecordedCodec;
import io.sluice.codecs.monitor.AttachMonitorCodec;
import io.sluice.codecs.monitor.DetachMonitorCodec;
import io.sluice.codecs.monitor.MonitorStateCodec;
import io.sluice.codecs.monitor.ResizeGuestCodec;
import io.sluice.codecs.monitor.ResizeReplyCodec;
import io.sluice.codecs.monitor.UpscaleRequestCodec;
import io.sluice.codecs.vm.ClaimReplyCodec;
import io.sluice.codecs.vm.ClaimVmCodec;
import io.sluice.codecs.vm.PatchReplyCodec;
import io.sluice.codecs.vm.PatchVmCodec;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.RunnerStep;
import io.sluice.messages.agent.ScalingRecorded;
import io.sluice.messages.monitor.AttachMonitor;
import io.sluice.messages.monitor.DetachMonitor;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeGuest;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.monitor.UpscaleRequest;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Messages between a VM's runner, its driver and its monitor, and their bytes on the wire. */
final class VmSamples {
    private static final VmId VM = ClusterSamples.VM;
    private static final Resources ONE = new Resources(1_000, 1L << 32);
    private static final Resources TWO = new Resources(2_000, 1L << 33);

    static final List<Sample<?>> ALL = List.of(
            Sample.of(new ClaimVmCodec(), new ClaimVm(VM, "runner-a"), """
                01 00000006 6e656f6e766d 00000002 6e73 00000004 64622d31 00000003 752d31 00000008
                72756e6e65722d61\
                """),
            Sample.of(
                    new ClaimReplyCodec(),
                    new ClaimReply.Claimed("runner-a/0", ClusterSamples.SIZES, true, Optional.of(new Revision(12, 2))),
                    """
                    02 01000000 0a72756e 6e65722d 612f3001 00000000 000000fa 00000000 40000000 00000000
                    00000fa0 00000004 00000000 00000000 000003e8 00000001 00000000 01000000 00000002 ee000000
                    00c00000 00000000 00100000 00010000 00000000 000c0000 00000000 0002\
                    """),
            Sample.of(new ClaimReplyCodec(), new ClaimReply.Failed("gone"), """
                02 02000000 04676f6e 65\
                """),
            Sample.of(
                    new PatchVmCodec(),
                    new PatchVm(
                            VM,
                            "db-1-pod",
                            TWO,
                            new Revision(3, 1),
                            "runner-a/0",
                            "runner-a/1",
                            Duration.ofMillis(9_250)),
                    """
                    02 00000006 6e656f6e 766d0000 00026e73 00000004 64622d31 00000003 752d3100 00000000
                    0007d000 00000200 00000000 00000000 00000300 00000000 00000100 00000a72 756e6e65 722d612f
                    30000000 0a72756e 6e65722d 612f3100 00000000 0000090e e6b28000 00000864 622d312d 706f64\
                    """),
            Sample.of(new PatchReplyCodec(), new PatchReply.Patched(77), """
                01 01 000000000000004d\
                """),
            Sample.of(new PatchReplyCodec(), new PatchReply.Conflict(ONE, "runner-b/0"), """
                01 02 00000000000003e8 0000000100000000 0000000a 72756e6e65722d622f30\
                """),
            Sample.of(new PatchReplyCodec(), new PatchReply.Refused(422, "no"), """
                01 03 000001a6 00000002 6e6f\
                """),
            Sample.of(new PatchReplyCodec(), new PatchReply.InDoubt("503"), """
                01 04 00000003 353033\
                """),
            Sample.of(new AttachMonitorCodec(), new AttachMonitor(VM, ClusterSamples.MONITOR), """
                01 00000006 6e656f6e766d 00000002 6e73 00000004 64622d31 00000003 752d31 00000008
                31302e302e302e37 0000283d 00000008 2f6d6f6e69746f72\
                """),
            Sample.of(new DetachMonitorCodec(), new DetachMonitor(VM), """
                01 00000006 6e656f6e766d 00000002 6e73 00000004 64622d31 00000003 752d31\
                """),
            Sample.of(new MonitorStateCodec(), new MonitorState(VM, 4, true, "Größe", "m-2"), """
                02 00000006 6e656f6e766d 00000002 6e73 00000004 64622d31 00000003 752d31 0000000000000004 01
                00000007 4772c3b6c39f65 00000003 6d2d32\
                """),
            Sample.of(new UpscaleRequestCodec(), new UpscaleRequest(VM, 4, "m-2"), """
                02 00000006 6e656f6e766d 00000002 6e73 00000004 64622d31 00000003 752d31 0000000000000004
                00000003 6d2d32\
                """),
            Sample.of(new ResizeGuestCodec(), new ResizeGuest(VM, 4, TWO), """
                01 00000006 6e656f6e766d 00000002 6e73 00000004 64622d31 00000003 752d31 0000000000000004
                00000000000007d0 0000000200000000\
                """),
            Sample.of(new ResizeReplyCodec(), new ResizeReply.Accepted("ok"), """
                01 01 00000002 6f6b\
                """),
            Sample.of(new ResizeReplyCodec(), new ResizeReply.Denied("full"), """
                01 02 00000004 66756c6c\
                """),
            Sample.of(new ResizeReplyCodec(), new ResizeReply.Failed("lost"), """
                01 03 00000004 6c6f7374\
                """),
            Sample.of(
                    new DecisionCodec(),
                    new Decision(Decision.Kind.DENIED, VM, "n1", ONE, TWO, Optional.empty(), GoalBasis.NONE, "full", 3),
                    """
                    02 03 00000006 6e656f6e766d 00000002 6e73 00000004 64622d31 00000003 752d31 00000002 6e31
                    00000000000003e8 0000000100000000 00000000000007d0 0000000200000000 00
                    00000000 00 00 00 00 00 00 00000000 00000000 00000004 66756c6c 00000003\
                    """),
            Sample.of(
                    new DecisionCodec(),
                    new Decision(
                            Decision.Kind.SCALED_UP,
                            VM,
                            "n1",
                            ONE,
                            TWO,
                            Optional.of(Duration.ofMillis(12)),
                            new GoalBasis(
                                    8,
                                    Optional.of(7.5),
                                    Optional.of(3.25),
                                    Optional.of(2.0),
                                    Optional.of(1.75),
                                    Optional.of(1.5),
                                    Optional.of(1e9),
                                    5,
                                    6),
                            "load",
                            1),
                    """
                    02 01 00000006 6e656f6e766d 00000002 6e73 00000004 64622d31 00000003 752d31 00000002 6e31
                    00000000000003e8 0000000100000000 00000000000007d0 0000000200000000 01
                    0000000000000000 00b71b00 00000008 01 401e000000000000 01 400a000000000000
                    01 4000000000000000 01 3ffc000000000000 01 3ff8000000000000 01
                    41cdcd6500000000 00000005 00000006 00000004 6c6f6164 00000001\
                    """),
            Sample.of(
                    new ScalingRecordedCodec(),
                    new ScalingRecorded(
                            ScalingRecorded.Kind.ACTUAL,
                            VM,
                            "",
                            Instant.parse("2025-03-04T05:06:07.123456789Z"),
                            250,
                            500,
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty()),
                    """
                    01 01 00000006 6e656f6e766d 00000002 6e73 00000004 64622d31 00000003 752d31 00000000
                    0000000067c68a3f075bcd15 00000000000000fa 00000000000001f4 00 00 00\
                    """),
            Sample.of(
                    new ScalingRecordedCodec(),
                    new ScalingRecorded(
                            ScalingRecorded.Kind.HYPOTHETICAL,
                            VM,
                            "ep-1",
                            Instant.parse("2025-03-04T05:06:07.5Z"),
                            500,
                            750,
                            Optional.of(0.625),
                            Optional.of(0.5),
                            Optional.of(0.25)),
                    """
                    01 02 00000006 6e656f6e766d 00000002 6e73 00000004 64622d31 00000003 752d31 00000004 65702d31
                    0000000067c68a3f1dcd6500 00000000000001f4 00000000000002ee 01 3fe4000000000000
                    01 3fe0000000000000 01 3fd0000000000000\
                    """),
            Sample.of(
                    new RunnerStepCodec(),
                    new RunnerStep(VM, "n1", "r-1", 7, 3, Optional.of(4), List.of("[1", "]")),
                    """
                    01000000066e656f6e766d000000026e730000000464622d3100000003752d31000000026e3100000003722d31
                    000000000000000700000003010000000400000002000000025b31000000015d\
                    """));

    private VmSamples() {}
}
