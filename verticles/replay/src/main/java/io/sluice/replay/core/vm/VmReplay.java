package io.sluice.replay.core.vm;

import io.sluice.agent.core.policy.DemandPolicy;
import io.sluice.agent.core.policy.GoalPolicy;
import io.sluice.agent.core.policy.PolicyConfig;
import io.sluice.agent.core.policy.Quantiles;
import io.sluice.agent.core.policy.ReferencePolicy;
import io.sluice.agent.core.scaling.CoreConfig;
import io.sluice.replay.core.score.VmScore;
import io.sluice.replay.core.trace.TraceSeries;
import io.sluice.units.ResourceKind;
import java.util.List;

/**
 * Replays the series of one VM under a policy. The samples before the first that counts are what the policy may know of
 * the VM. The same arguments give the same score.
 */
public final class VmReplay {
    /** The part of the history that is replayed before the first sample that counts, so that sizes have settled. */
    private static final int SETTLING_SAMPLES = 12;

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
     * @param series of one resource or of both, of equal lengths
     * @param policy of a kind that production can run
     * @param start the size that the VM has at first, in compute units
     */
    public ScaledReplay scaled(
            List<TraceSeries> series, PolicyConfig policy, int first, long start, PermitSource permits) {
        var resources = series.stream()
                .map(one -> {
                    var own = policy(one, policy, first);
                    boolean readsLoads = own instanceof ReferencePolicy || permits != PermitSource.ROOM_FOR_ALL;
                    return new ReplayedResource(one, model, own, unit(one.kind()), first, readsLoads);
                })
                .toList();
        return new ScaledReplay(model, core, exact, resources, most(series), start, permits);
    }

    /** The score of the samples from {@code first} on. */
    public VmScore score(TraceSeries series, PolicyConfig policy, int first) {
        return switch (policy.kind()) {
            case QUANTILE -> fixed(series, quantileUnits(series.cut(0, first), policy), first);
            case HINDSIGHT -> hindsight(series, first);
            case AGENT, DEMAND ->
                scaled(List.of(series), policy, first, most(series), PermitSource.ROOM_FOR_ALL)
                        .run(start(first));
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

    /** The first sample that is replayed. */
    public static int start(int first) {
        return Math.max(0, first - SETTLING_SAMPLES);
    }

    private double unit(ResourceKind kind) {
        return kind == ResourceKind.CPU ? model.unitMilliCpu() : model.unitMebibytes();
    }

    /** The compute units that hold an amount, within the size that the VM has at most. */
    public long units(TraceSeries series, double amount) {
        return Math.clamp((long) Math.ceil(amount / unit(series.kind())), 1, most(series));
    }

    private long most(TraceSeries series) {
        return Math.max(1, (long) Math.ceil(series.capacity() / unit(series.kind())));
    }

    /** The size that a VM has at most: enough for each of these series. */
    public long most(List<TraceSeries> series) {
        return series.stream().mapToLong(this::most).max().orElse(1);
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
}
