package io.sluice.agent.core.scaling;

import io.sluice.messages.agent.GoalBasis;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The size that a VM should come to have: its goal, raised by what its monitor cried for and by what its monitor
 * refused to give back, within the VM's bounds. A refusal goes beyond the upper bound: a guest is not killed to honour
 * one.
 *
 * @param resources the size
 * @param goal the goal it began with
 * @param requestedCu what the cry asks for; 0 while none counts
 * @param vetoedCu what the refusal keeps; 0 while none counts
 * @param requestEnds until the cry no longer counts; empty unless it asks for more than the goal
 * @param vetoEnds until the refusal no longer counts; empty unless it changed the size
 * @param demand what it would be without the refusal
 */
public record Desired(
        Resources resources,
        GoalCu goal,
        int requestedCu,
        int vetoedCu,
        Optional<Duration> requestEnds,
        Optional<Duration> vetoEnds,
        Demand demand) {
    /**
     * A cry for more.
     *
     * @param at when it was heard
     * @param base what the guest knew of then
     * @param cpu whether it asks for CPU
     * @param memory whether it asks for memory
     */
    public record Requested(Instant at, Resources base, boolean cpu, boolean memory) {}

    /**
     * A downscale that a guest refused.
     *
     * @param at when it did
     * @param current what the guest knew of then
     * @param requested what it was asked to shrink to
     */
    public record Denied(Instant at, Resources current, Resources requested) {}

    static Desired of(
            GoalCu goal, VmInfo vm, CoreConfig config, Optional<Requested> cry, Optional<Denied> veto, Instant now) {
        Resources unit = config.computeUnit();
        Optional<Duration> cryRest = Periods.rest(cry.map(Requested::at), config.requestedUpscaleValid(), now);
        Optional<Duration> vetoRest = Periods.rest(veto.map(Denied::at), config.deniedDownscaleCooldown(), now);
        Optional<Denied> standing = veto.filter(kept -> vetoRest.isPresent());
        int requestedCu = cryRest.isEmpty()
                ? 0
                : cry.map(asked -> requestedCu(unit, asked.base(), asked.cpu(), asked.memory()))
                        .orElse(0);
        int vetoedCu = standing.map(kept -> deniedCu(unit, kept.requested())).orElse(0);
        int raised = Math.max(goal.goal(), Math.max(requestedCu, vetoedCu));
        Resources bounded = bounded(unit.times(raised), goal, vm);
        Resources floor = standing.map(kept -> deniedFloor(unit, kept.current(), kept.requested()))
                .orElse(Resources.NONE);
        boolean vetoCounts = vetoedCu > goal.goal() || floor.exceeds(bounded);
        Resources size = bounded.max(floor);
        return new Desired(
                size,
                goal,
                requestedCu,
                vetoedCu,
                cryRest.filter(rest -> requestedCu > goal.goal()),
                vetoRest.filter(rest -> vetoCounts),
                demand(size, goal, vm, unit, cryRest.flatMap(rest -> cry)));
    }

    private static Demand demand(
            Resources desired, GoalCu goal, VmInfo vm, Resources unit, Optional<Requested> standingCry) {
        int cpuCu = standingCry
                .map(asked -> requestedCu(unit, asked.base(), asked.cpu(), false))
                .orElse(0);
        int memoryCu = standingCry
                .map(asked -> requestedCu(unit, asked.base(), false, asked.memory()))
                .orElse(0);
        Resources cried = new Resources(unit.milliCpu() * cpuCu, unit.memoryBytes() * memoryCu);
        Resources wanted = bounded(unit.times(Math.max(goal.goal(), Math.max(cpuCu, memoryCu))), goal, vm);
        return new Demand(
                wanted,
                goal.ofEachKind(unit).max(cried),
                standingCry.isPresent() || goal.cpu().isPresent() || goal.lfc().isPresent(),
                goal.hasAllMetrics(),
                desired.exceeds(wanted));
    }

    private static Resources bounded(Resources size, GoalCu goal, VmInfo vm) {
        Resources atLeast = goal.hasAllMetrics() ? size : size.max(vm.using());
        return atLeast.min(vm.max()).max(vm.min());
    }

    /** One compute unit more than {@code base} in each kind that is asked for, whichever is most. */
    public static int requestedCu(Resources unit, Resources base, boolean cpu, boolean memory) {
        long forCpu = cpu ? 1 + base.milliCpu() / unit.milliCpu() : 0;
        long forMemory = memory ? 1 + base.memoryBytes() / unit.memoryBytes() : 0;
        return (int) Math.min(GoalCu.MOST_CU, Math.max(forCpu, forMemory));
    }

    /** One compute unit more than the refused size, in whichever kind that is most. */
    public static int deniedCu(Resources unit, Resources requested) {
        return requestedCu(unit, requested, true, true);
    }

    /** The size that a refusal keeps: the next unit above what was refused, but no more than there was. */
    public static Resources deniedFloor(Resources unit, Resources current, Resources requested) {
        return new Resources(
                nextAbove(requested.milliCpu(), unit.milliCpu(), current.milliCpu()),
                nextAbove(requested.memoryBytes(), unit.memoryBytes(), current.memoryBytes()));
    }

    private static long nextAbove(long amount, long unit, long most) {
        long whole = amount - amount % unit;
        return most - whole <= unit ? most : whole + unit;
    }

    GoalBasis basis(Optional<SystemMetrics> system) {
        return new GoalBasis(
                goal.goal(),
                goal.cpu(),
                goal.memory(),
                goal.lfc(),
                system.map(SystemMetrics::load1),
                system.map(SystemMetrics::load5),
                system.map(SystemMetrics::usageBytes),
                requestedCu,
                vetoedCu);
    }
}
