package io.sluice.codecs;

import io.sluice.codecs.worker.EndPodCodec;
import io.sluice.codecs.worker.InstancePodsCodec;
import io.sluice.codecs.worker.ListInstancePodsCodec;
import io.sluice.codecs.worker.RunPodCodec;
import io.sluice.messages.worker.EndPod;
import io.sluice.messages.worker.InstancePods;
import io.sluice.messages.worker.ListInstancePods;
import io.sluice.messages.worker.RunPod;
import java.util.List;

/** Messages about instances that run as pods of Kubernetes, and their bytes on the wire. */
final class WorkerSamples {
    static final List<Sample<?>> ALL = List.of(
            Sample.of(new RunPodCodec(), new RunPod("ns", "a-1", "{}"), """
                01000000 026e7300 00000361 2d310000 00010000 00027b7d\
                """),
            Sample.of(new EndPodCodec(), new EndPod("ns", "a-1", "u-1", 10), """
                01000000 026e7300 00000361 2d310000 0003752d 31000000 0a\
                """),
            Sample.of(new ListInstancePodsCodec(), new ListInstancePods("ns"), """
                01000000 026e73\
                """),
            Sample.of(
                    new InstancePodsCodec(),
                    new InstancePods(
                            List.of(new InstancePods.Pod(
                                    "a-1", "u-1", "n1", "a", 1, InstancePods.Phase.FAILED, "Error", 137)),
                            "late"),
                    """
                    01000000 01000000 03612d31 00000003 752d3100 0000026e 31000000 01610000 00000000 00010500 00000100 00000545
                    72726f72 00000089 00000004 6c617465\
                    """));

    private WorkerSamples() {}
}
