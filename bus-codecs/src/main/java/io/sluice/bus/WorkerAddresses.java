package io.sluice.bus;

import io.sluice.codecs.vm.BindPodCodec;
import io.sluice.codecs.vm.PodBindingCodec;
import io.sluice.codecs.vm.TouchPodCodec;
import io.sluice.messages.vm.BindPod;
import io.sluice.messages.vm.PodBinding;
import io.sluice.messages.vm.TouchPod;
import java.time.Duration;

/** Requests to the role that runs instances on machines which register themselves. */
public final class WorkerAddresses {
    /** A little more than a commit of its store may take. */
    private static final Duration BEYOND_THE_STORE = Duration.ofSeconds(12);

    /** Assigns an instance to the worker of a node. */
    public static final RequestAddress<BindPod, PodBinding> BIND =
            new RequestAddress<>("worker.bind", new BindPodCodec(), new PodBindingCodec(), BEYOND_THE_STORE, 1_000);

    /** Ends earlier attempts to assign an instance, and reads whether it is assigned. */
    public static final RequestAddress<TouchPod, PodBinding> TOUCH =
            new RequestAddress<>("worker.touch", new TouchPodCodec(), new PodBindingCodec(), BEYOND_THE_STORE, 1_000);

    private WorkerAddresses() {}
}
