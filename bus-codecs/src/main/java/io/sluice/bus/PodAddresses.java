package io.sluice.bus;

import io.sluice.codecs.monitor.ResizeGuestCodec;
import io.sluice.codecs.monitor.ResizeReplyCodec;
import io.sluice.codecs.pod.PodSampledCodec;
import io.sluice.codecs.pod.PodUseCodec;
import io.sluice.codecs.pod.ReadPodUseCodec;
import io.sluice.codecs.vm.ClaimReplyCodec;
import io.sluice.codecs.vm.ClaimVmCodec;
import io.sluice.codecs.vm.PatchReplyCodec;
import io.sluice.codecs.vm.PatchVmCodec;
import io.sluice.messages.monitor.ResizeGuest;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.pod.PodSampled;
import io.sluice.messages.pod.PodUse;
import io.sluice.messages.pod.ReadPodUse;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import java.time.Duration;

/** Requests to the driver that resizes pods in place, and what node agents report to it. */
public final class PodAddresses {
    /**
     * A little more than the driver waits: 10 s for the API server, and 8 s for a kubelet's decision about a resize,
     * with 3 s more until one that it has deferred is withdrawn.
     */
    private static final Duration BEYOND_THE_API = Duration.ofSeconds(12);

    /** The driver waits for 10 s, and looks at the end of the read that is under way then. */
    private static final Duration BEYOND_THE_SAMPLE = Duration.ofSeconds(14);

    private static final int IN_FLIGHT_MAX = 10_000;

    /** Writes a runner's fence on a pod. */
    public static final RequestAddress<ClaimVm, ClaimReply> CLAIM =
            new RequestAddress<>("pod.claim", new ClaimVmCodec(), new ClaimReplyCodec(), BEYOND_THE_API, IN_FLIGHT_MAX);

    /** Resizes a pod; the reply comes when the kubelet has decided, or the resize was withdrawn. */
    public static final RequestAddress<PatchVm, PatchReply> RESIZE = new RequestAddress<>(
            "pod.resize", new PatchVmCodec(), new PatchReplyCodec(), BEYOND_THE_API, IN_FLIGHT_MAX);

    /** Requests whether a pod may shrink: the driver replies in place of a monitor. */
    public static final RequestAddress<ResizeGuest, ResizeReply> DOWNSCALE = new RequestAddress<>(
            "pod.downscale", new ResizeGuestCodec(), new ResizeReplyCodec(), ResizeGuest.REPLY_WITHIN, IN_FLIGHT_MAX);

    /** Reads what a pod uses; the reply comes with the next sample. */
    public static final RequestAddress<ReadPodUse, PodUse> USE =
            new RequestAddress<>("pod.use", new ReadPodUseCodec(), new PodUseCodec(), BEYOND_THE_SAMPLE, IN_FLIGHT_MAX);

    /** A pod lacks something by its control groups, which were read. */
    public static final EventAddress<PodSampled> SAMPLED = new EventAddress<>("pod.sampled", new PodSampledCodec());

    private PodAddresses() {}
}
