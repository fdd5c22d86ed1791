package io.sluice.agent.core.scaling;

import io.sluice.messages.agent.GoalBasis;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The desired size of a VM: its goal, raised by its monitor's upscale request and by a denied downscale, within the
 * VM's bounds. A denied downscale may exceed the upper bound: a bound must not cause the guest to run out of memory.
 *
 * @param resources the size
 * @param goal the goal it began with
 * @param requestedCu what the upscale request asks for; 0 while none counts
 * @param deniedCu what the denied downscale keeps; 0 while none counts
 * @param requestEnds until the upscale request no longer counts; empty unless it asks for more than the goal
 * @param denialEnds until the denied downscale no longer counts; empty unless it changed the size
 * @param demand the size without the denied downscale
 */
public record Desired(
        Resources resources,
        GoalCu goal,
        int requestedCu,
        int deniedCu,
        Optional<Duration> requestEnds,
        Optional<Duration> denialEnds,
        Demand demand) {
    /**
     * An upscale request.
     *
     * @param at when it was received
     * @param base the size that the guest had accepted then
     * @param cpu whether it requests CPU
     * @param memory whether it requests memory
     */
    public record Requested(Instant at, Resources base, boolean cpu, boolean memory) {}

    /**
     * A denied downscale.
     *
     * @param at when it was denied
     * @param current the size that the guest had accepted then
     * @param requested the smaller size that was denied
     */
    public record Denied(Instant at, Resources current, Resources requested) {}

    static Desired of(
            GoalCu goal,
            VmInfo vm,
            CoreConfig config,
            Optional<Requested> upscaleRequest,
            Optional<Denied> denial,
            Instant now) {
        Resources unit = config.computeUnit();
        Optional<Duration> upscaleRequestRest =
                Periods.rest(upscaleRequest.map(Requested::at), config.requestedUpscaleValid(), now);
        Optional<Duration> denialRest = Periods.rest(denial.map(Denied::at), config.deniedDownscaleCooldown(), now);
        Optional<Denied> current = denial.filter(kept -> denialRest.isPresent());
        int requestedCu = upscaleRequestRest.isEmpty()
                ? 0
                : upscaleRequest
                        .map(request -> requestedCu(unit, request.base(), request.cpu(), request.memory()))
                        .orElse(0);
        int deniedCu = current.map(kept -> deniedCu(unit, kept.requested())).orElse(0);
        int raised = Math.max(goal.goal(), Math.max(requestedCu, deniedCu));
        Resources bounded = bounded(unit.times(raised), goal, vm);
        Resources floor = current.map(kept -> deniedFloor(unit, kept.current(), kept.requested()))
                .orElse(Resources.NONE);
        boolean denialCounts = deniedCu > goal.goal() || floor.exceeds(bounded);
        Resources size = bounded.max(floor);
        return new Desired(
                size,
                goal,
                requestedCu,
                deniedCu,
                upscaleRequestRest.filter(rest -> requestedCu > goal.goal()),
                denialRest.filter(rest -> denialCounts),
                demand(size, goal, vm, unit, upscaleRequestRest.flatMap(rest -> upscaleRequest)));
    }

    private static Demand demand(
            Resources desired, GoalCu goal, VmInfo vm, Resources unit, Optional<Requested> statusUpscaleRequest) {
        int cpuCu = statusUpscaleRequest
                .map(request -> requestedCu(unit, request.base(), request.cpu(), false))
                .orElse(0);
        int memoryCu = statusUpscaleRequest
                .map(request -> requestedCu(unit, request.base(), false, request.memory()))
                .orElse(0);
        Resources upscaleRequested = new Resources(unit.milliCpu() * cpuCu, unit.memoryBytes() * memoryCu);
        Resources wanted = bounded(unit.times(Math.max(goal.goal(), Math.max(cpuCu, memoryCu))), goal, vm);
        return new Demand(
                wanted,
                goal.ofEachKind(unit).max(upscaleRequested),
                statusUpscaleRequest.isPresent()
                        || goal.cpu().isPresent()
                        || goal.lfc().isPresent(),
                goal.hasAllMetrics(),
                desired.exceeds(wanted));
    }

    private static Resources bounded(Resources size, GoalCu goal, VmInfo vm) {
        Resources atLeast = goal.hasAllMetrics() ? size : size.max(vm.using());
        return atLeast.min(vm.max()).max(vm.min());
    }

    /** One compute unit more than {@code base} in each requested kind, whichever is most. */
    public static int requestedCu(Resources unit, Resources base, boolean cpu, boolean memory) {
        long forCpu = cpu ? 1 + base.milliCpu() / unit.milliCpu() : 0;
        long forMemory = memory ? 1 + base.memoryBytes() / unit.memoryBytes() : 0;
        return (int) Math.min(GoalCu.MOST_CU, Math.max(forCpu, forMemory));
    }

    /** One compute unit more than the denied size, in whichever kind that is most. */
    public static int deniedCu(Resources unit, Resources requested) {
        return requestedCu(unit, requested, true, true);
    }

    /** The size that a denied downscale keeps: the next unit above the denied size, but no more than there was. */
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
                deniedCu);
    }
}
