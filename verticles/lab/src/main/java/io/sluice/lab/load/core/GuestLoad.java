package io.sluice.lab.load.core;

import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;

/**
 * Replays a plan: the guest's CPU demand, load averages and memory.
 *
 * <p>A day of the series passes in the plan's day. Averages are damped in the series' own time, so they look as they
 * did on the recorded machine. The run queue has every task that runs or waits, so a guest that needs more CPU than it
 * has shows a load above its size. Time never goes back.
 */
public final class GuestLoad {
    private static final Duration ONE_MINUTE = Duration.ofMinutes(1);
    private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);
    private static final Duration MEMORY_INERTIA = Duration.ofMinutes(30);
    private static final double PERCENT = 100.0;

    private final LoadPlan plan;
    private final Instant start;
    private Instant last;
    private LoadAverage load1;
    private LoadAverage load5;
    private LoadAverage held;
    private GuestTask task = GuestTask.NONE;

    /** A guest that has had the load of its start for long. */
    public GuestLoad(LoadPlan plan, Instant start) {
        this.plan = plan;
        this.start = start;
        this.last = start;
        double demand = demandAt(start);
        this.load1 = new LoadAverage(ONE_MINUTE, demand);
        this.load5 = new LoadAverage(FIVE_MINUTES, demand);
        this.held = new LoadAverage(MEMORY_INERTIA, demand);
    }

    /** Advances the time. A time before the last one changes nothing. */
    public void advance(Instant now) {
        while (last.isBefore(now)) {
            var next = nextEdge(now);
            double queue = demandAt(last);
            var elapsed = inSeries(Duration.between(last, next));
            load1 = load1.after(queue, elapsed);
            load5 = load5.after(queue, elapsed);
            held = held.after(queue, elapsed);
            last = next;
        }
    }

    /** Sets the additional work from the last time on. */
    public void run(GuestTask request) {
        task = request;
    }

    /** The CPU that it needs now, in vCPUs, whatever its size. */
    public double demand() {
        return demandAt(last);
    }

    /** The 1-minute load average. */
    public double load1() {
        return load1.value();
    }

    /** The 5-minute load average. */
    public double load5() {
        return load5.value();
    }

    /** Its memory, at a size of the VM. */
    public GuestMemory memory(Resources size) {
        long total = Math.max(0, size.memoryBytes() - MemoryModel.KERNEL_BYTES);
        long wanted = plan.memory().baseBytes() + (long) (plan.memory().bytesPerVcpu() * held.value()) + allocated();
        long used = Math.min(wanted, total);
        long cached = Math.min(plan.memory().cacheBytes(), total - used);
        return new GuestMemory(total, used, cached, Math.max(used, (long) (total * holdShare())));
    }

    /** The end of the time in which the demand is constant. */
    private Instant nextEdge(Instant now) {
        var holds = plan.series().holdsFor(seriesTime(last)).toNanos() / plan.speed();
        var next = last.plusNanos(Math.max(1, (long) Math.ceil(holds)));
        var edge = next.isBefore(now) ? next : now;
        for (var event : plan.events()) {
            edge = earlier(edge, start.plus(event.from()));
            edge = earlier(edge, start.plus(event.from()).plus(event.lasts()));
        }
        return edge;
    }

    private Instant earlier(Instant edge, Instant other) {
        return other.isAfter(last) && other.isBefore(edge) ? other : edge;
    }

    private double demandAt(Instant now) {
        double demand = plan.vCpus() * plan.series().percentAt(seriesTime(now)) / PERCENT + task.vCpus();
        for (var event : plan.events()) {
            if (event instanceof ScenarioEvent.Surge surge && surge.active(start, now)) {
                demand += surge.vCpus();
            }
        }
        return demand;
    }

    private long allocated() {
        long bytes = task.bytes();
        for (var event : plan.events()) {
            if (event instanceof ScenarioEvent.Allocation allocation && allocation.active(start, last)) {
                bytes += allocation.bytes();
            }
        }
        return bytes;
    }

    private double holdShare() {
        double share = 0;
        for (var event : plan.events()) {
            if (event instanceof ScenarioEvent.Hold hold && hold.active(start, last)) {
                share = Math.max(share, hold.share());
            }
        }
        return share;
    }

    private Duration seriesTime(Instant now) {
        return plan.offset().plus(inSeries(Duration.between(start, now)));
    }

    private Duration inSeries(Duration real) {
        return Duration.ofNanos((long) (real.toNanos() * plan.speed()));
    }
}
