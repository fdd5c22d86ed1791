package io.sluice.workers.kubernetes.core;

import io.sluice.messages.worker.InstancePods.Pod;
import io.sluice.workers.core.Order;
import java.util.List;

/** What is done about an order to a node of Kubernetes. */
public sealed interface PodAnswer {
    /** The pod of the order is created; one of that name that exists is taken for it. */
    record Create(Order order) implements PodAnswer {}

    /** These pods end. */
    record End(List<Pod> pods) implements PodAnswer {
        public End {
            pods = List.copyOf(pods);
        }
    }

    /**
     * The order is not carried out.
     *
     * @param reason in words
     */
    record Refuse(String reason) implements PodAnswer {}

    /** That depends on the pods, which are to be listed. */
    record ListPods() implements PodAnswer {}
}
