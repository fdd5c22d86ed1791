package io.sluice.agent.core;

import io.sluice.agent.core.runner.ScalingStatus;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * Where every VM of an agent stands, and what is to be said of that: each change, but of one VM no more often than each
 * {@link #PACE}, where the last of several counts; and all of it again every while. What was said is all that is kept.
 */
public final class VmStatusTracker {
    /** Between two messages about one VM, and between two looks at what is due. */
    public static final Duration PACE = Duration.ofMillis(250);

    private static final Duration REPEAT_EVERY = Duration.ofSeconds(30);
    private static final Duration REPEAT_JITTER = Duration.ofSeconds(3);
    private static final Duration STUCK_AFTER = Duration.ofMinutes(1);

    private final RandomGenerator random;
    private final Map<VmId, Line> lines = new HashMap<>();
    private final Set<VmId> unsaid = new LinkedHashSet<>();

    /** {@code said} is what was last said; {@code last} whether nothing will follow. */
    private record Line(
            ScalingStatus standing,
            Instant since,
            Optional<ScalingStatus> said,
            Instant saidAt,
            Instant repeatAt,
            boolean last) {
        boolean isNews() {
            return said.filter(standing::says).isEmpty();
        }

        boolean mayBeSaid(Instant now) {
            return said.isEmpty() || !now.isBefore(saidAt.plus(PACE));
        }
    }

    /**
     * How many VMs do well, by what they wait for and for how long.
     *
     * @param ok those that wait for nothing, or for what can be expected to come
     * @param stuck those that have waited for a minute for what should not take that long
     * @param failed those whose runner failed and has not been replaced yet
     */
    public record Census(int ok, int stuck, int failed) {}

    /** A board with nothing on it; {@code random} is for jitter alone. */
    public VmStatusTracker(RandomGenerator random) {
        this.random = random;
    }

    /** A VM stands so now. Answers what to say at once. */
    public Optional<RunnerStatus> note(ScalingStatus standing, Instant now) {
        return put(standing, false, now);
    }

    /** A VM is no longer scaled here: once that is said, nothing is kept of it. */
    public Optional<RunnerStatus> ended(ScalingStatus standing, Instant now) {
        return lines.containsKey(standing.member().vm()) ? put(standing, true, now) : Optional.empty();
    }

    /** Nothing is said of a VM any more, nor what was held back. */
    public void forget(VmId vm) {
        lines.remove(vm);
        unsaid.remove(vm);
    }

    private Optional<RunnerStatus> put(ScalingStatus standing, boolean last, Instant now) {
        var vm = standing.member().vm();
        var before = lines.get(vm);
        var line = before == null
                ? new Line(standing, now, Optional.empty(), now, now, last)
                : new Line(
                        standing,
                        since(before, standing, now),
                        before.said(),
                        before.saidAt(),
                        before.repeatAt(),
                        last);
        lines.put(vm, line);
        if (!line.isNews() && !last) {
            unsaid.remove(vm);
            return Optional.empty();
        }
        if (line.mayBeSaid(now)) {
            return Optional.of(say(vm, line, now));
        }
        unsaid.add(vm);
        return Optional.empty();
    }

    private static Instant since(Line before, ScalingStatus standing, Instant now) {
        return before.standing().cause().waiting() == standing.cause().waiting() ? before.since() : now;
    }

    /** What is to be said by now: to be asked for each {@link #PACE}. */
    public List<RunnerStatus> due(Instant now) {
        lines.forEach((vm, line) -> {
            if (!now.isBefore(line.repeatAt())) {
                unsaid.add(vm);
            }
        });
        List<RunnerStatus> due = new ArrayList<>();
        for (var vm : List.copyOf(unsaid)) {
            var line = lines.get(vm);
            if (line.mayBeSaid(now)) {
                due.add(say(vm, line, now));
            }
        }
        return due;
    }

    private RunnerStatus say(VmId vm, Line line, Instant now) {
        unsaid.remove(vm);
        if (line.last()) {
            lines.remove(vm);
        } else {
            var repeatAt = now.plus(REPEAT_EVERY).minusNanos(random.nextLong(REPEAT_JITTER.toNanos()));
            var standing = line.standing();
            lines.put(vm, new Line(standing, line.since(), Optional.of(standing), now, repeatAt, false));
        }
        return line.standing().status(Duration.between(line.since(), now), now);
    }

    /** Where a VM stands; empty for one that is not on the board. */
    public Optional<RunnerStatus> status(VmId vm, Instant now) {
        return Optional.ofNullable(lines.get(vm))
                .map(line -> line.standing().status(Duration.between(line.since(), now), now));
    }

    /** All of the board. */
    public Census census(Instant now) {
        return census(now, vm -> true);
    }

    /** Those of the VMs {@code counted}, from scratch: what is added up and down goes wrong in the end. */
    public Census census(Instant now, Predicate<VmId> counted) {
        int ok = 0;
        int stuck = 0;
        int failed = 0;
        for (var line : lines.values()) {
            if (!counted.test(line.standing().member().vm())) {
                continue;
            }
            switch (condition(line, now)) {
                case OK -> ok++;
                case STUCK -> stuck++;
                case FAILED -> failed++;
                case NOBODY -> {}
            }
        }
        return new Census(ok, stuck, failed);
    }

    private enum Condition {
        OK,
        STUCK,
        FAILED,
        NOBODY
    }

    private static Condition condition(Line line, Instant now) {
        if (line.standing().cause().fault()) {
            return Condition.FAILED;
        }
        return switch (line.standing().cause().waiting()) {
            case MIGRATION, SUPERSEDED, STOPPED -> Condition.NOBODY;
            case NOTHING, PERMIT, ROOM, PERMIT_LAPSED, PATCH, MONITOR, VETO, MAX -> Condition.OK;
            case METRICS, CLAIM, SESSION, NODE, RETRY, DRIVER ->
                now.isBefore(line.since().plus(STUCK_AFTER)) ? Condition.OK : Condition.STUCK;
        };
    }
}
