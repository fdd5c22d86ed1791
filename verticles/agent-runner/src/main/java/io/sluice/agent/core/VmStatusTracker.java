package io.sluice.agent.core;

import io.sluice.agent.core.status.ScalingStatus;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.shell.explain.NameList;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * The status of every VM of an agent, and which statuses are due to be published: each change, at most one per VM and
 * {@link #PACE}, where the last of several changes counts; and every status again periodically. Only the last published
 * status of each VM is stored.
 */
public final class VmStatusTracker {
    /** The least time between two messages about one VM, and the period of calls of {@link #due}. */
    public static final Duration PACE = Duration.ofMillis(250);

    private static final Duration REPEAT_EVERY = Duration.ofSeconds(30);
    private static final Duration REPEAT_JITTER = Duration.ofSeconds(3);
    private static final Duration STUCK_AFTER = Duration.ofMinutes(1);
    private static final int NAMED_MAX = 3;

    private final RandomGenerator random;
    private final Map<VmId, Line> lines = new HashMap<>();
    private final Set<VmId> unsaid = new LinkedHashSet<>();

    /** {@code published} is the last published status; {@code last} tells whether no other will follow. */
    private record Line(
            ScalingStatus status,
            Instant since,
            Optional<ScalingStatus> published,
            Instant publishedAt,
            Instant repeatAt,
            boolean last) {
        boolean isNews() {
            return published.filter(status::equalsReported).isEmpty();
        }

        boolean mayBePublished(Instant now) {
            return published.isEmpty() || !now.isBefore(publishedAt.plus(PACE));
        }
    }

    /**
     * How many runners are in which state, by what their VMs wait for and for how long.
     *
     * @param ok those that wait for nothing, or for what can be expected to come
     * @param stuck those that have waited for a minute for what should not take that long, or are unhealthy
     * @param failed those whose runner failed and has not been replaced yet
     */
    public record Census(int ok, int stuck, int failed) {}

    /** A tracker without VMs; {@code random} is for jitter alone. */
    public VmStatusTracker(RandomGenerator random) {
        this.random = random;
    }

    /** A new status of a VM. Returns the message to publish at once, if any. */
    public Optional<RunnerStatus> update(ScalingStatus status, Instant now) {
        return put(status, false, now);
    }

    /** A VM is no longer scaled here. Once its last status is published, nothing is stored of it. */
    public Optional<RunnerStatus> ended(ScalingStatus status, Instant now) {
        return lines.containsKey(status.pod().vm()) ? put(status, true, now) : Optional.empty();
    }

    /** Publishes nothing more of a VM, not even a change that the pace held back. */
    public void forget(VmId vm) {
        lines.remove(vm);
        unsaid.remove(vm);
    }

    private Optional<RunnerStatus> put(ScalingStatus status, boolean last, Instant now) {
        var vm = status.pod().vm();
        var before = lines.get(vm);
        var line = before == null
                ? new Line(status, now, Optional.empty(), now, now, last)
                : new Line(
                        status,
                        since(before, status, now),
                        before.published(),
                        before.publishedAt(),
                        before.repeatAt(),
                        last);
        lines.put(vm, line);
        if (!line.isNews() && !last) {
            unsaid.remove(vm);
            return Optional.empty();
        }
        if (line.mayBePublished(now)) {
            return Optional.of(report(vm, line, now));
        }
        unsaid.add(vm);
        return Optional.empty();
    }

    private static Instant since(Line before, ScalingStatus status, Instant now) {
        return before.status().cause().waiting() == status.cause().waiting() ? before.since() : now;
    }

    /** The messages that are due by now; to be called each {@link #PACE}. */
    public List<RunnerStatus> due(Instant now) {
        lines.forEach((vm, line) -> {
            if (!now.isBefore(line.repeatAt())) {
                unsaid.add(vm);
            }
        });
        List<RunnerStatus> due = new ArrayList<>();
        for (var vm : List.copyOf(unsaid)) {
            var line = lines.get(vm);
            if (line.mayBePublished(now)) {
                due.add(report(vm, line, now));
            }
        }
        return due;
    }

    private RunnerStatus report(VmId vm, Line line, Instant now) {
        unsaid.remove(vm);
        if (line.last()) {
            lines.remove(vm);
        } else {
            var repeatAt = now.plus(REPEAT_EVERY).minusNanos(random.nextLong(REPEAT_JITTER.toNanos()));
            var status = line.status();
            lines.put(vm, new Line(status, line.since(), Optional.of(status), now, repeatAt, false));
        }
        return line.status().status(Duration.between(line.since(), now), now);
    }

    /** The current status of a VM; empty for one that is not tracked. */
    public Optional<RunnerStatus> status(VmId vm, Instant now) {
        return Optional.ofNullable(lines.get(vm))
                .map(line -> line.status().status(Duration.between(line.since(), now), now));
    }

    /** Counts all VMs. */
    public Census census(Instant now) {
        return census(now, vm -> true, vm -> false);
    }

    /**
     * Counts the VMs that match {@code counted}. It counts anew each time, as sums that are kept up to date drift.
     *
     * @param unhealthy whose runner is stuck whatever it waits for
     */
    public Census census(Instant now, Predicate<VmId> counted, Predicate<VmId> unhealthy) {
        int ok = 0;
        int stuck = 0;
        int failed = 0;
        for (var line : lines.values()) {
            if (!counted.test(line.status().pod().vm())) {
                continue;
            }
            var condition = condition(line, now);
            switch (condition) {
                case OK, STUCK -> {
                    if (condition == Condition.STUCK
                            || unhealthy.test(line.status().pod().vm())) {
                        stuck++;
                    } else {
                        ok++;
                    }
                }
                case FAILED -> failed++;
                case NONE -> {}
            }
        }
        return new Census(ok, stuck, failed);
    }

    /** Counts all VMs by what they wait for. */
    public Map<Waiting, Integer> waiting() {
        var counts = new EnumMap<Waiting, Integer>(Waiting.class);
        lines.values().forEach(line -> counts.merge(line.status().cause().waiting(), 1, Integer::sum));
        return counts;
    }

    /**
     * What VMs have waited for over a minute and what may need an operator: room on their nodes, and what should not
     * take that long. One sentence for each, with the VMs that have waited longest first.
     */
    public Map<Waiting, String> troubles(Instant now) {
        var waiting = new EnumMap<Waiting, List<Line>>(Waiting.class);
        lines.values().stream()
                .filter(line -> troubles(line, now))
                .sorted(Comparator.comparing(Line::since))
                .forEach(line -> waiting.computeIfAbsent(line.status().cause().waiting(), first -> new ArrayList<>())
                        .add(line));
        var sentences = new EnumMap<Waiting, String>(Waiting.class);
        waiting.forEach((cause, held) -> sentences.put(cause, sentence(held, now)));
        return sentences;
    }

    private static boolean troubles(Line line, Instant now) {
        return switch (condition(line, now)) {
            case STUCK, FAILED -> true;
            case OK ->
                line.status().cause().waiting() == Waiting.ROOM
                        && !now.isBefore(line.since().plus(STUCK_AFTER));
            case NONE -> false;
        };
    }

    private static String sentence(List<Line> held, Instant now) {
        var names = held.stream().map(line -> line.status().pod().vm().label()).toList();
        var first = held.getFirst();
        return "delayed for " + Duration.between(first.since(), now).toSeconds() + " s: "
                + NameList.text(names, NAMED_MAX) + "; "
                + first.status().pod().vm().label() + ": "
                + first.status().cause().words().at(now);
    }

    private enum Condition {
        OK,
        STUCK,
        FAILED,
        NONE
    }

    private static Condition condition(Line line, Instant now) {
        if (line.status().cause().fault()) {
            return Condition.FAILED;
        }
        return switch (line.status().cause().waiting()) {
            case MIGRATION, SUPERSEDED, STOPPED -> Condition.NONE;
            case NOTHING, PERMIT, ROOM, PERMIT_LAPSED, PATCH, MONITOR, DENIED_DOWNSCALE, MAX -> Condition.OK;
            case METRICS, CLAIM, SESSION, NODE, RETRY, DRIVER ->
                now.isBefore(line.since().plus(STUCK_AFTER)) ? Condition.OK : Condition.STUCK;
        };
    }
}
