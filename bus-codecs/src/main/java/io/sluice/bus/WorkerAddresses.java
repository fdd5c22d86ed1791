package io.sluice.bus;

import io.sluice.codecs.vm.BindPodCodec;
import io.sluice.codecs.vm.EndReplyCodec;
import io.sluice.codecs.vm.PodBindingCodec;
import io.sluice.codecs.vm.TouchPodCodec;
import io.sluice.codecs.worker.EndPodCodec;
import io.sluice.codecs.worker.InstancePodsCodec;
import io.sluice.codecs.worker.ListInstancePodsCodec;
import io.sluice.codecs.worker.RunPodCodec;
import io.sluice.messages.vm.BindPod;
import io.sluice.messages.vm.EndReply;
import io.sluice.messages.vm.PodBinding;
import io.sluice.messages.vm.TouchPod;
import io.sluice.messages.worker.EndPod;
import io.sluice.messages.worker.InstancePods;
import io.sluice.messages.worker.ListInstancePods;
import io.sluice.messages.worker.RunPod;
import java.time.Duration;

/** Requests about instances: to the role that runs them, and to the driver of those that are pods of Kubernetes. */
public final class WorkerAddresses {
    /** A little more than a commit of its store may take. */
    private static final Duration BEYOND_THE_STORE = Duration.ofSeconds(12);

    /** A little more than the API server has for a request. */
    private static final Duration BEYOND_THE_API = Duration.ofSeconds(12);

    /** Assigns an instance to the worker of a node. */
    public static final RequestAddress<BindPod, PodBinding> BIND =
            new RequestAddress<>("worker.bind", new BindPodCodec(), new PodBindingCodec(), BEYOND_THE_STORE, 1_000);

    /** Ends earlier attempts to assign an instance, and reads whether it is assigned. */
    public static final RequestAddress<TouchPod, PodBinding> TOUCH =
            new RequestAddress<>("worker.touch", new TouchPodCodec(), new PodBindingCodec(), BEYOND_THE_STORE, 1_000);

    /** Creates the pod of an instance. */
    public static final RequestAddress<RunPod, PodBinding> RUN_POD =
            new RequestAddress<>("worker.run-pod", new RunPodCodec(), new PodBindingCodec(), BEYOND_THE_API, 1_000);

    /** Deletes the pod of an instance. */
    public static final RequestAddress<EndPod, EndReply> END_POD =
            new RequestAddress<>("worker.end-pod", new EndPodCodec(), new EndReplyCodec(), BEYOND_THE_API, 1_000);

    /** Lists the pods of instances. */
    public static final RequestAddress<ListInstancePods, InstancePods> PODS = new RequestAddress<>(
            "worker.pods", new ListInstancePodsCodec(), new InstancePodsCodec(), BEYOND_THE_API, 10);

    private WorkerAddresses() {}
}
