package io.sluice.pods;

import io.sluice.messages.agent.RunnerStatus;
import io.sluice.pods.api.PodApi;
import io.sluice.pods.core.PodKey;
import io.sluice.pods.core.Predecessors;
import io.sluice.pods.core.ResizePlan;
import io.sluice.shell.LogKeys;
import io.sluice.shell.pods.PodStart;
import io.sluice.shell.pods.ScaledPod;
import io.sluice.units.Resources;
import io.sluice.units.ScaledPodKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives pods that are made anew the least that their predecessors needed, by an annotation that raises their minimum
 * for a while: so their runners request it from the ledger before there are samples.
 */
final class PodStarts {
    private static final Logger LOG = LoggerFactory.getLogger(PodStarts.class);
    private static final Duration WITHIN = Duration.ofSeconds(5);
    private static final Duration HOLDS_FOR = Duration.ofMinutes(5);

    private final PodApi api;
    private final boolean isOn;
    private final CleanUps ends;
    private final Predecessors predecessors = new Predecessors();

    /**
     * @param isOn whether pods begin as their predecessors
     * @param random spreads the waits after clean-ups that have failed
     */
    PodStarts(PodApi api, boolean isOn, RandomGenerator random) {
        this.api = api;
        this.ends = new CleanUps(random);
        this.isOn = isOn;
    }

    /** Takes the status of a runner. */
    void received(RunnerStatus status) {
        if (isOn && ScaledPodKeys.isPod(status.vm())) {
            status.goal().ifPresent(goal -> predecessors.needs(status.vm().uid(), goal));
        }
    }

    /** Takes what the watch observed of a pod. */
    void observed(ScaledPod pod, Instant now) {
        if (!isOn) {
            return;
        }
        if (pod.isDeleted()) {
            predecessors.ended(pod, now);
        } else {
            predecessors
                    .begins(pod, now)
                    .filter(size -> size.exceeds(pod.spec()))
                    .ifPresent(size -> begin(pod, size, now));
        }
    }

    /** Takes the end of a pod. */
    void ended(ScaledPod pod, Instant now) {
        if (isOn) {
            predecessors.ended(pod, now);
        }
    }

    private void begin(ScaledPod pod, Resources size, Instant now) {
        var start = new PodStart(size, now.plus(HOLDS_FOR));
        api.patch(path(pod), text(pod, start.text()), WITHIN)
                .onComplete(written -> LOG.atInfo()
                        .addKeyValue(LogKeys.VM, pod.id().label())
                        .addKeyValue(LogKeys.REASON, size)
                        .log("A pod begins at the size that its predecessor needed."));
    }

    /** Ends what is over, also where it is switched off by now. */
    void tend(ScaledPod pod, Instant now) {
        var start = PodStart.of(pod.annotation(ScaledPodKeys.START));
        if (start.isEmpty()) {
            ends.over(pod);
        } else if (!now.isBefore(start.get().until())) {
            ends.due(pod, now, () -> api.patchLast(path(pod), text(pod, ""), WITHIN));
        }
    }

    private static String path(ScaledPod pod) {
        return PodApi.path(PodKey.of(pod.id()));
    }

    private static String text(ScaledPod pod, String text) {
        return ResizePlan.annotation(pod, ScaledPodKeys.START, text);
    }
}
