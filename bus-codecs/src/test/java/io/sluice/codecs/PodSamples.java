package io.sluice.codecs;

import io.sluice.codecs.pod.PodSampledCodec;
import io.sluice.codecs.pod.PodUseCodec;
import io.sluice.codecs.pod.ReadPodUseCodec;
import io.sluice.messages.pod.PodSampled;
import io.sluice.messages.pod.PodUse;
import io.sluice.messages.pod.ReadPodUse;
import java.util.List;

/** Messages about pods that are resized in place, and their bytes on the wire. */
final class PodSamples {
    static final List<Sample<?>> ALL = List.of(
            Sample.of(new ReadPodUseCodec(), new ReadPodUse(ClusterSamples.VM, "n1", 1_700_000_000_123L), """
                01000000 066e656f 6e766d00 0000026e 73000000 0464622d 31000000 03752d31 00000002 6e310000 018bcfe5
                687b\
                """),
            Sample.of(new PodUseCodec(), new PodUse.Sampled(1_700_000_000_123L, 1.5, 0.25, 1_048_576), """
                02010000 018bcfe5 687b3ff8 00000000 00003fd0 00000000 00004130 00000000 0000\
                """),
            Sample.of(new PodUseCodec(), new PodUse.Unknown("no sample"), """
                02020000 00096e6f 2073616d 706c65\
                """),
            Sample.of(new PodUseCodec(), new PodUse.Unchanged(), "0203"),
            Sample.of(
                    new PodSampledCodec(),
                    new PodSampled(
                            ClusterSamples.VM,
                            PodSampled.Cause.MEMORY_LIMITED,
                            new PodSampled.Moment(1_700_000_000_123L, List.of()),
                            new PodSampled.Moment(
                                    1_700_000_000_223L, List.of(new PodSampled.Container("main", 7, 4_096, 5, 3, 2)))),
                    """
                    01000000 066e656f 6e766d00 0000026e 73000000 0464622d 31000000 03752d31 03000001 8bcfe568
                    7b000000 00000001 8bcfe568 df000000 01000000 046d6169 6e000000 00000000 07000000 00000010
                    00000000 00000000 05000000 00000000 03000000 00000000 02\
                    """));

    private PodSamples() {}
}
