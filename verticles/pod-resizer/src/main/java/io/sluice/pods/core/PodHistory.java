package io.sluice.pods.core;

import io.sluice.messages.pod.PodUse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;

/**
 * What one pod has used for the last five minutes, by the samples of its kubelet. Rates are taken between the times of
 * the samples themselves; a sample that is repeated, or older, changes nothing.
 */
public final class PodHistory {
    private static final Duration SPAN = Duration.ofMinutes(5);
    private static final int SAMPLES_MAX = 300;
    private static final double MILLIS = 1_000;

    private final Deque<Sample> samples = new ArrayDeque<>();
    private Optional<Waiting> waiting = Optional.empty();
    private double waitingShare;

    /** The samples of all containers of a pod, by container; each has a time of its own. */
    public record Sample(Map<String, ContainerUse> uses) {
        public Sample {
            uses = Map.copyOf(uses);
        }

        /** When the newest part was taken. */
        Instant at() {
            return uses.values().stream()
                    .map(ContainerUse::at)
                    .max(Instant::compareTo)
                    .orElse(Instant.MIN);
        }

        long workingSetBytes() {
            return uses.values().stream()
                    .mapToLong(ContainerUse::workingSetBytes)
                    .sum();
        }
    }

    /**
     * How much a pod has waited for CPU since its start.
     *
     * @param at when it was taken
     * @param stalledSeconds time in which some of its tasks waited for a CPU
     * @param periods periods of its CPU limit
     * @param throttled those of them in which it was throttled
     */
    public record Waiting(Instant at, double stalledSeconds, double periods, double throttled) {}

    /** Takes a sample. Returns whether it is a new one. */
    public boolean took(Sample sample) {
        if (sample.uses().isEmpty()
                || !samples.isEmpty() && !sample.at().isAfter(samples.getLast().at())) {
            return false;
        }
        samples.addLast(sample);
        while (samples.size() > SAMPLES_MAX
                || samples.size() > 2
                        && samples.getFirst().at().isBefore(sample.at().minus(SPAN))) {
            samples.removeFirst();
        }
        return true;
    }

    /** Takes how much it has waited. A counter that fell began anew. */
    public void took(Waiting now) {
        if (waiting.filter(before -> !now.at().isAfter(before.at())).isPresent()) {
            return;
        }
        waitingShare = waiting.map(before -> share(before, now)).orElse(0.0);
        waiting = Optional.of(now);
    }

    private static double share(Waiting before, Waiting now) {
        double seconds = Duration.between(before.at(), now.at()).toMillis() / MILLIS;
        double stalled = (now.stalledSeconds() - before.stalledSeconds()) / seconds;
        double periods = now.periods() - before.periods();
        double throttled = periods > 0 ? (now.throttled() - before.throttled()) / periods : 0;
        return Math.clamp(Math.max(stalled, throttled), 0.0, 1.0);
    }

    /**
     * What the pod uses by a sample that is newer than that time. Its load is the CPUs in use, and as many again as the
     * share of time in which it waited for more.
     */
    public Optional<PodUse.Sampled> since(long after) {
        if (samples.size() < 2 || samples.getLast().at().toEpochMilli() <= after) {
            return Optional.empty();
        }
        var newest = samples.getLast();
        var before = samples.stream().skip(samples.size() - 2L).findFirst().orElseThrow();
        // What it waited for before that is what a larger size may have ended.
        boolean isCurrent =
                waiting.filter(known -> known.at().isAfter(before.at())).isPresent();
        double waits = 1 + (isCurrent ? waitingShare : 0);
        return Optional.of(new PodUse.Sampled(
                newest.at().toEpochMilli(),
                cpus(before, newest) * waits,
                cpus(samples.getFirst(), newest) * waits,
                newest.workingSetBytes()));
    }

    /** The last sample of a container. */
    public Optional<ContainerUse> last(String container) {
        return samples.isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(samples.getLast().uses().get(container));
    }

    private static double cpus(Sample before, Sample now) {
        return now.uses().entrySet().stream()
                .mapToDouble(use -> cpus(before.uses().get(use.getKey()), use.getValue()))
                .sum();
    }

    /** A container whose CPU time fell was started anew: all that it has used since then counts. */
    private static double cpus(ContainerUse before, ContainerUse now) {
        if (before == null || !now.at().isAfter(before.at())) {
            return 0;
        }
        double used =
                now.cpuSeconds() >= before.cpuSeconds() ? now.cpuSeconds() - before.cpuSeconds() : now.cpuSeconds();
        return used * MILLIS / Duration.between(before.at(), now.at()).toMillis();
    }
}
