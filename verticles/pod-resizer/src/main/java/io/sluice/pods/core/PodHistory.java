package io.sluice.pods.core;

import io.sluice.messages.pod.PodSampled;
import io.sluice.messages.pod.PodUse;
import io.sluice.shell.pods.ScaledPod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What one pod has used for the last five minutes, by the samples of its kubelet. Rates are taken between the times of
 * the samples themselves; a sample that is repeated, or older, changes nothing.
 */
public final class PodHistory {
    private static final Duration SPAN = Duration.ofMinutes(5);

    /** One a second for the span, and what a node agent adds within the newest seconds. */
    private static final int SAMPLES_MAX = 320;

    /** Older samples than this are kept once a second. */
    private static final Duration ALL_KEPT = Duration.ofSeconds(5);

    private static final double MILLIS = 1_000;
    private static final double MICROS = 1_000_000;

    /** Within a shorter time a busy pod may pause. Rates over longer ones need no more samples than this. */
    private static final Duration RATE_MIN = Duration.ofSeconds(1);

    private final Deque<Sample> samples = new ArrayDeque<>();
    private Optional<Waiting> waiting = Optional.empty();
    private double waitingShare;

    /**
     * The samples of all containers of a pod.
     *
     * @param uses by container; each has a time of its own
     * @param at when the newest part was taken
     */
    public record Sample(Map<String, ContainerUse> uses, Instant at) {
        public Sample {
            uses = Collections.unmodifiableMap(new TreeMap<>(uses));
        }

        public Sample(Map<String, ContainerUse> uses) {
            this(
                    uses,
                    uses.values().stream()
                            .map(ContainerUse::at)
                            .max(Instant::compareTo)
                            .orElse(Instant.MIN));
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
        thin(sample.at().minus(ALL_KEPT));
        while (samples.size() > SAMPLES_MAX
                || samples.size() > 2
                        && samples.getFirst().at().isBefore(sample.at().minus(SPAN))) {
            samples.removeFirst();
        }
        return true;
    }

    /** Of what is older than that time, a sample stays only a second or more after the one before it. */
    private void thin(Instant recent) {
        var kept = Instant.MIN;
        for (var each = samples.iterator(); each.hasNext(); ) {
            var at = each.next().at();
            if (!at.isBefore(recent)) {
                return;
            }
            if (at.isBefore(kept.plus(RATE_MIN))) {
                each.remove();
            } else {
                kept = at;
            }
        }
    }

    /** Takes what its control groups showed at one time; the counters are those that its kubelet reads too. */
    public void took(PodSampled.Moment moment) {
        var at = Instant.ofEpochMilli(moment.at());
        var uses = new HashMap<String, ContainerUse>();
        double stalled = 0;
        double periods = 0;
        double throttled = 0;
        for (var container : moment.containers()) {
            uses.put(
                    container.name(),
                    new ContainerUse(at, container.cpuMicros() / MICROS, container.workingSetBytes()));
            stalled += container.stalledMicros() / MICROS;
            periods += container.periods();
            throttled += container.throttled();
        }
        took(new Sample(uses));
        took(new Waiting(at, stalled, periods, throttled));
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
                lately(newest) * waits,
                cpus(samples.getFirst(), newest) * waits,
                newest.workingSetBytes()));
    }

    /** Whether the newest sample is not old. */
    public boolean isCurrent(Instant now) {
        return !samples.isEmpty() && now.isBefore(samples.getLast().at().plus(DownscaleRules.SAMPLE_AGE_MAX));
    }

    /**
     * Since the sample before; where that is closer than a second, also since the last one that is not, if that is
     * more.
     */
    private double lately(Sample newest) {
        double most = 0;
        var older = samples.descendingIterator();
        older.next();
        boolean isFar = false;
        while (!isFar && older.hasNext()) {
            var before = older.next();
            most = Math.max(most, cpus(before, newest));
            isFar = !newest.at().isBefore(before.at().plus(RATE_MIN));
        }
        return most;
    }

    /** The last sample of what is scaled: of the container, or of all together, as old as its oldest part. */
    public Optional<ContainerUse> last(ScaledPod pod) {
        if (samples.isEmpty()) {
            return Optional.empty();
        }
        var uses = samples.getLast().uses();
        return pod.isWhole()
                ? uses.values().stream()
                        .reduce((one, other) -> new ContainerUse(
                                one.at().isBefore(other.at()) ? one.at() : other.at(),
                                one.cpuSeconds() + other.cpuSeconds(),
                                one.workingSetBytes() + other.workingSetBytes()))
                : Optional.ofNullable(uses.get(pod.container().path("name").asText()));
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
