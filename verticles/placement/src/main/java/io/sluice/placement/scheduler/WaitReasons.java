package io.sluice.placement.scheduler;

import io.sluice.bus.Bus;
import io.sluice.bus.PlacementAddresses;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.placement.PlacementDecision;
import io.sluice.messages.vm.PodBinding;
import io.sluice.messages.vm.UnschedulablePod;
import io.sluice.placement.core.PendingPods;
import io.sluice.placement.core.queue.SchedulingQueue;
import io.sluice.placement.core.rules.ClusterTable;
import io.sluice.placement.core.rules.SchedulingRules;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.spec.PodSpec.PodId;
import io.sluice.placement.scheduler.OwnSchedulerMetrics.Outcome;
import io.sluice.shell.explain.GrantText;
import io.vertx.core.Future;
import java.time.Duration;

/** Reports why pods wait, each reason once. */
final class WaitReasons {
    /** How long volumes are awaited before the pod's condition says so. */
    static final Duration VOLUMES_WITHIN = Duration.ofMinutes(10);

    /** More than are remembered of a pod: one that may run on more may run on any. */
    private static final int CANDIDATES_MAX = 100;

    private final SchedulingRules withoutRoom = SchedulingRules.withoutRoom();
    private final String scheduler;
    private final Bus bus;
    private final SchedulingQueue queue;
    private final OwnSchedulerMetrics meters;

    WaitReasons(String scheduler, Bus bus, SchedulingQueue queue, OwnSchedulerMetrics meters) {
        this.scheduler = scheduler;
        this.bus = bus;
        this.queue = queue;
        this.meters = meters;
    }

    /** Why no node can take a pod, and what would let one: {@code …; it would be granted with node-c uncordoned}. */
    static String of(PendingPod pod, SchedulingRules rules, ClusterTable table) {
        var nearest = GrantText.sentence(rules.excludedAlone(pod, table));
        return rules.reason(pod, table) + (nearest.isEmpty() ? "" : "; " + nearest);
    }

    /** No node can take a pod. */
    void noNode(PodId pod, String reason) {
        report(pod, reason, true);
    }

    /**
     * The node of a pod is chosen, and its volumes are not there yet. The condition makes node autoscalers add nodes,
     * which helps only if the volumes do not come.
     *
     * @param late whether that lasts for long
     */
    void awaitsVolumes(PodId pod, String node, boolean late) {
        var since = late ? ", for longer than " + VOLUMES_WITHIN.toMinutes() + " minutes" : "";
        report(pod, "its volumes are awaited for node " + node + since, late);
    }

    /** A pod waits with its gang; it is called once for each reason. Returns whether the reason was written. */
    Future<Boolean> waitsForGang(PodId pod, String reason) {
        publish(pod, reason);
        return write(new UnschedulablePod(pod.uid(), pod.namespace(), pod.name(), scheduler, reason));
    }

    private void publish(PodId pod, String reason) {
        bus.publish(
                PlacementAddresses.DECISION,
                new PlacementDecision(
                        PlacementDecision.Kind.WAITS, pod.uid(), pod.namespace(), pod.name(), "", reason));
    }

    private void report(PodId pod, String reason, boolean withCondition) {
        if (!queue.isNew(pod.uid(), reason)) {
            return;
        }
        publish(pod, reason);
        if (withCondition) {
            write(new UnschedulablePod(pod.uid(), pod.namespace(), pod.name(), scheduler, reason));
        }
    }

    private Future<Boolean> write(UnschedulablePod pod) {
        return bus.request(VmAddresses.REPORT_UNSCHEDULABLE, pod)
                .otherwise(lost -> new PodBinding.InDoubt(lost.getMessage()))
                .map(reply -> !(reply instanceof PodBinding.InDoubt || reply instanceof PodBinding.Refused))
                .onSuccess(written -> {
                    if (!written) {
                        queue.notReported(pod.uid());
                        meters.ended(Outcome.NOT_REPORTED);
                    }
                });
    }

    /** Room is kept for a pod only on nodes that lack nothing else, and not if pods were evicted for it. */
    void lacksRoom(PendingPod pod, ClusterTable table, String reason, PendingPods pods) {
        var uid = pod.spec().uid();
        var allowed = withoutRoom.fitting(pod, table);
        if (allowed.isEmpty() || table.nominations().node(uid).isPresent()) {
            pods.someNode(uid);
        } else {
            pods.noNode(
                    uid,
                    reason,
                    allowed.stream().limit(CANDIDATES_MAX).mapToObj(table::name).toList());
        }
    }
}
