package io.sluice.replay.core.vm;

import io.sluice.agent.core.policy.DemandPolicy;
import io.sluice.agent.core.policy.GoalPolicy;
import io.sluice.agent.core.policy.PolicyConfig;
import io.sluice.agent.core.policy.Quantiles;
import io.sluice.agent.core.policy.ReferencePolicy;
import io.sluice.agent.core.policy.Scrape;
import io.sluice.agent.core.scaling.CoreConfig;
import io.sluice.replay.core.score.VmScore;
import io.sluice.replay.core.trace.TraceSeries;
import io.sluice.units.ResourceKind;

/**
 * Replays the series of one VM under a policy. The samples before the first that counts are what the policy may know of
 * the VM. The same arguments give the same score.
 */
public final class VmReplay {
    /** The part of the history that is replayed before the first sample that counts, so that sizes have settled. */
    public static final int SETTLING_SAMPLES = 12;

    private final VmModel model;
    private final CoreConfig core;
    private final boolean exact;

    /**
     * A replay.
     *
     * @param core production's config; its compute unit is the model's
     * @param exact whether production's core decides after each scrape, instead of only when its goal changes
     */
    public VmReplay(VmModel model, CoreConfig core, boolean exact) {
        this.model = model;
        this.core = core;
        this.exact = exact;
    }

    /**
     * A VM that is scaled step by step, with permits of a ledger.
     *
     * @param policy of a kind that production can run
     * @param start the size that the VM has at first, in compute units
     */
    public ScaledReplay scaled(TraceSeries series, PolicyConfig policy, int first, long start, PermitSource permits) {
        return new ScaledReplay(series, policy(series, policy, first), first, start, permits);
    }

    /** The score of the samples from {@code first} on. */
    public VmScore score(TraceSeries series, PolicyConfig policy, int first) {
        return switch (policy.kind()) {
            case QUANTILE -> fixed(series, quantileUnits(series.cut(0, first), policy), first);
            case HINDSIGHT -> hindsight(series, first);
            case AGENT, DEMAND ->
                new ScaledReplay(series, policy(series, policy, first), first, most(series), PermitSource.ROOM_FOR_ALL)
                        .run();
        };
    }

    private GoalPolicy policy(TraceSeries series, PolicyConfig policy, int first) {
        return switch (policy.kind()) {
            case AGENT -> new ReferencePolicy(core.scaling(), core.computeUnit());
            case DEMAND ->
                new DemandPolicy(
                        policy,
                        series.kind(),
                        unit(series.kind()),
                        model.scrapeSeconds(),
                        series.cut(0, start(first)).samples());
            case QUANTILE, HINDSIGHT ->
                throw new IllegalArgumentException(policy.kind() + " is no policy that scales step by step");
        };
    }

    private static int start(int first) {
        return Math.max(0, first - SETTLING_SAMPLES);
    }

    private double unit(ResourceKind kind) {
        return kind == ResourceKind.CPU ? model.unitMilliCpu() : model.unitMebibytes();
    }

    private long units(TraceSeries series, double amount) {
        return Math.clamp((long) Math.ceil(amount / unit(series.kind())), 1, most(series));
    }

    private long most(TraceSeries series) {
        return Math.max(1, (long) Math.ceil(series.capacity() / unit(series.kind())));
    }

    private long quantileUnits(TraceSeries history, PolicyConfig policy) {
        return units(history, Quantiles.of(history.sorted(), policy.quantile()) * (1 + policy.headroom()));
    }

    private VmScore fixed(TraceSeries series, long units, int first) {
        return stepped(series, first, sample -> units);
    }

    private VmScore hindsight(TraceSeries series, int first) {
        var shape = shape(series);
        return stepped(
                series,
                first,
                sample -> Double.isNaN(series.samples()[sample]) ? 1 : units(series, shape.highest(sample)));
    }

    private DemandShape shape(TraceSeries series) {
        return new DemandShape(series, model, new SeededNoise(model.seed(), series.vm()));
    }

    /** How many units a VM has in a sample. */
    private interface UnitsBySample {
        long of(int sample);
    }

    private VmScore stepped(TraceSeries series, int first, UnitsBySample size) {
        var shape = shape(series);
        var tally = new SampleTally(series, model, first);
        long resizes = 0;
        for (int sample = first; sample < series.samples().length; sample++) {
            long units = size.of(sample);
            resizes += sample > first && units != size.of(sample - 1) ? 1 : 0;
            double amount = units * unit(series.kind());
            for (int second = 0; second < series.periodSeconds(); second += model.scrapeSeconds()) {
                tally.add(length(series, second), shape.at(sample, second), amount, amount);
            }
            tally.end(sample, resizes);
        }
        return tally.score(resizes);
    }

    private int length(TraceSeries series, int second) {
        return Math.min(model.scrapeSeconds(), series.periodSeconds() - second);
    }

    /** A replay in which production's core scales the VM. */
    public final class ScaledReplay {
        private final TraceSeries series;
        private final GoalPolicy policy;
        private final int first;
        private final DemandShape shape;
        private final SampleTally tally;
        private final SeededNoise noise;
        private final ScaledVm vm;
        private final double unit;
        private final boolean cpu;
        private final boolean readsLoads;
        private final LoadAverages loads;
        private double last;
        private double demandBefore;
        private int goalBefore = -1;
        private long now;

        private ScaledReplay(TraceSeries series, GoalPolicy policy, int first, long start, PermitSource permits) {
            this.series = series;
            this.policy = policy;
            this.first = first;
            shape = shape(series);
            tally = new SampleTally(series, model, first);
            noise = new SeededNoise(model.seed() + 1, series.vm());
            unit = unit(series.kind());
            cpu = series.kind() == ResourceKind.CPU;
            readsLoads = cpu && policy instanceof ReferencePolicy;
            vm = new ScaledVm(core, model, most(series), start, permits);
            loads = new LoadAverages(model.scrapeSeconds(), 0);
        }

        private VmScore run() {
            for (int sample = start(first); sample < series.samples().length; sample++) {
                for (int second = 0; second < series.periodSeconds(); second += model.scrapeSeconds()) {
                    scrape(sample, second);
                }
                end(sample);
            }
            return score();
        }

        /** The time from this second of a sample to the next scrape; scrapes come in their order. */
        public void scrape(int sample, int second) {
            last = Double.isNaN(series.samples()[sample]) ? last : shape.at(sample, second);
            step(last, length(series, second));
        }

        /** The sample is over. */
        public void end(int sample) {
            tally.end(sample, vm.resizes());
        }

        /** What it was given and lacked. */
        public VmScore score() {
            return tally.score(vm.resizes());
        }

        /** A scrape, the decision that follows it, and the seconds until the next. */
        private void step(double demand, int seconds) {
            decide();
            int passed = 0;
            while (passed < seconds) {
                long event = vm.nextEvent();
                int until = event >= now + seconds - passed ? seconds : passed + (int) Math.max(0, event - now);
                if (until > passed) {
                    tally.add(until - passed, demand, vm.usable() * unit, vm.reserved() * unit);
                    now += until - passed;
                    passed = until;
                }
                if (passed < seconds) {
                    vm.advance(now, memoryUnits(demand));
                }
            }
            demandBefore = demand;
            if (readsLoads) {
                loads.add(demand / 1_000 * (1 + model.loadNoise() * noise.around(now)));
            }
        }

        private void decide() {
            var scrape = scrape();
            if (exact && policy instanceof ReferencePolicy) {
                vm.metrics(ReferencePolicy.metrics(scrape), now);
                vm.advance(now, memoryUnits(demandBefore));
                return;
            }
            int goal = policy.goal(scrape);
            if (exact || goal != goalBefore) {
                goalBefore = goal;
                vm.goal(goal, now);
                vm.advance(now, memoryUnits(demandBefore));
            }
        }

        private Scrape scrape() {
            int second = (int) ((series.startSecond() + now) % TraceSeries.DAY_SECONDS);
            if (!cpu) {
                return new Scrape(second, 0, 0, 0, demandBefore, vm.usable());
            }
            double used = Math.min(demandBefore, vm.usable() * unit);
            double missing = demandBefore - used;
            double waiting = missing == 0 ? 0 : missing * (1 + model.loadNoise() * noise.around(-1 - now));
            return new Scrape(second, loads.load1(), loads.load5(), (used + waiting) / 1_000, 0, vm.usable());
        }

        private double memoryUnits(double demand) {
            return cpu ? 0 : demand / unit;
        }
    }
}
