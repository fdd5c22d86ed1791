package io.sluice.pods;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.PlacementAddresses;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.placement.PlacementDecision;
import io.sluice.messages.vm.EvictPod;
import io.sluice.messages.vm.EvictReply;
import io.sluice.pods.core.EvictionChoice;
import io.sluice.pods.core.KubeletDecision;
import io.sluice.pods.core.PodEvents;
import io.sluice.pods.core.PodsConfig;
import io.sluice.shell.LogKeys;
import io.sluice.shell.config.Durations;
import io.sluice.shell.pods.ScaledPod;
import io.sluice.units.ScaledPodKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has pods evicted whose node has had no room for their growth for too long, one after the other. It knows that from
 * the statuses of their runners, and from what their kubelets defer.
 */
final class PodEvictor {
    private static final Logger LOG = LoggerFactory.getLogger(PodEvictor.class);
    private static final String SENDER = "sluice";
    private static final List<String> OUTCOMES = List.of("evicted", "gone", "refused_by_budget", "failed");

    private final Bus bus;
    private final MeterRegistry meters;
    private final EventWriter events;
    private final EvictionChoice choice;
    private boolean underWay;

    /** Writes Events of pods. */
    @FunctionalInterface
    interface EventWriter {
        void write(ScaledPod pod, PodEvents.Reason reason, String words);
    }

    PodEvictor(Bus bus, MeterRegistry meters, PodsConfig config, EventWriter events) {
        this.bus = bus;
        this.meters = meters;
        this.events = events;
        this.choice = new EvictionChoice(config.evictAfter(), config.evictionsPerMinute());
        OUTCOMES.forEach(this::evictions);
    }

    /** Takes the status of a runner. */
    void received(RunnerStatus status, Instant now) {
        if (!ScaledPodKeys.isPod(status.vm())) {
            return;
        }
        boolean grows =
                status.goal().filter(goal -> goal.exceeds(status.size())).isPresent();
        if (grows && status.waiting() == Waiting.ROOM) {
            choice.lacksRoom(status.vm().uid(), status.reason(), now);
        } else if (status.goal().isPresent() && !grows) {
            choice.lacksNothing(status.vm().uid());
        }
    }

    /** Takes what the watch observed of a pod. */
    void observed(ScaledPod pod, Instant now) {
        if (pod.isGrowing() && KubeletDecision.of(pod) instanceof KubeletDecision.Deferred(var reason)) {
            choice.lacksRoom(pod.id().uid(), "its kubelet defers a resize: " + reason, now);
        }
    }

    /** Evicts the next one, if one is due. */
    void tend(List<ScaledPod> pods, Instant now) {
        if (underWay) {
            return;
        }
        choice.next(pods, now).ifPresent(due -> {
            underWay = true;
            bus.request(VmAddresses.EVICT_POD, request(due))
                    .otherwise(lost -> new EvictReply.Failed(String.valueOf(lost.getMessage())))
                    .onSuccess(reply -> {
                        underWay = false;
                        ended(due, reply, pods, now);
                    });
        });
    }

    private static EvictPod request(EvictionChoice.Due due) {
        var id = due.pod().id();
        var itself = new EvictPod.Preemptor(id.uid(), id.namespace(), id.name());
        return new EvictPod(id.uid(), id.namespace(), id.name(), due.node(), itself, SENDER);
    }

    private void ended(EvictionChoice.Due due, EvictReply reply, List<ScaledPod> pods, Instant now) {
        var why = "its node has had no room for its growth for "
                + Durations.text(Duration.ofSeconds(due.waited().toSeconds())) + ": " + due.reason();
        switch (reply) {
            case EvictReply.Evicted() -> {
                evictions("evicted").increment();
                choice.evicted(due, pods, now);
                evicted(due, why);
            }
            case EvictReply.Gone() -> {
                evictions("gone").increment();
                choice.lacksNothing(due.pod().id().uid());
            }
            case EvictReply.RefusedByBudget(var reason) -> {
                evictions("refused_by_budget").increment();
                refused(due, why, "a disruption budget refuses it: " + reason, now);
            }
            case EvictReply.Failed(var reason) -> {
                evictions("failed").increment();
                refused(due, why, reason, now);
            }
        }
    }

    private void evicted(EvictionChoice.Due due, String why) {
        var id = due.pod().id();
        events.write(due.pod(), PodEvents.Reason.EVICTED, "it is evicted: " + why);
        bus.publish(
                PlacementAddresses.DECISION,
                new PlacementDecision(
                        PlacementDecision.Kind.EVICTED, id.uid(), id.namespace(), id.name(), due.node(), why));
        LOG.atInfo()
                .addKeyValue(LogKeys.VM, id.label())
                .addKeyValue(LogKeys.NODE, due.node())
                .addKeyValue(LogKeys.REASON, why)
                .log("A pod is evicted.");
    }

    private void refused(EvictionChoice.Due due, String why, String refusal, Instant now) {
        var again = choice.refused(due, now);
        var words = "it is not evicted: " + refusal + "; again in " + Durations.text(again) + ", as " + why;
        events.write(due.pod(), PodEvents.Reason.NOT_EVICTED, words);
        LOG.atInfo()
                .addKeyValue(LogKeys.VM, due.pod().id().label())
                .addKeyValue(LogKeys.REASON, words)
                .log("A pod is not evicted.");
    }

    private Counter evictions(String outcome) {
        return Counter.builder("sluice.pods.evictions")
                .description("Evictions of pods whose node had no room for their growth, by outcome")
                .tag("outcome", outcome)
                .register(meters);
    }
}
