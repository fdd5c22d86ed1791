package io.sluice.replay.core.vm;

import io.sluice.agent.core.revision.ReachedRevision;
import io.sluice.agent.core.scaling.ActionSet;
import io.sluice.agent.core.scaling.CoreConfig;
import io.sluice.agent.core.scaling.GoalCu;
import io.sluice.agent.core.scaling.ScalingCore;
import io.sluice.agent.core.scaling.SystemMetrics;
import io.sluice.agent.core.scaling.VmInfo;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A VM that production's {@link ScalingCore} scales in virtual time: a ledger that replies at once, a driver that takes
 * some seconds, and a monitor that denies a downscale below the memory in use. Sizes are in compute units.
 */
final class ScaledVm {
    private static final long NEVER = Long.MAX_VALUE;
    private static final int ACTIONS_MAX = 100_000;

    private final CoreConfig config;
    private final VmModel model;
    private final ScalingCore core;
    private final Resources max;
    private final PermitSource permits;
    private long spec;
    private long usable;
    private long reserved;
    private long usableAt = NEVER;
    private long shownAt = NEVER;
    private long wakeAt = NEVER;
    private Revision patched = Revision.ZERO;
    private long resizes;

    /** @param start the size that it has at first */
    ScaledVm(CoreConfig config, VmModel model, long most, long start, PermitSource permits) {
        this.config = config;
        this.model = model;
        this.max = config.computeUnit().times(most);
        this.permits = permits;
        var size = config.computeUnit().times(start);
        this.core = new ScalingCore(config, observed(size, Optional.empty(), size));
        core.monitorActive(Instant.EPOCH);
        spec = start;
        usable = start;
        reserved = start;
    }

    private VmInfo observed(Resources using, Optional<ReachedRevision> reached, Resources status) {
        return new VmInfo(
                config.computeUnit(),
                max,
                using,
                config.computeUnit().memoryBytes(),
                ScalingOverrides.NONE,
                reached,
                Optional.of(status));
    }

    /** What the guest can use. */
    long usable() {
        return usable;
    }

    /** The size that its object has. */
    long size() {
        return spec;
    }

    /** A migration begins or ends; between both the VM is not patched. */
    void moving(boolean begins, long now) {
        var at = Instant.ofEpochSecond(now);
        if (begins) {
            core.aboutToMove(at);
        } else {
            core.movingRevoked(at);
            wakeAt = now;
        }
    }

    /** What the ledger has reserved for the VM. */
    long reserved() {
        return reserved;
    }

    /** How often its size was changed. */
    long resizes() {
        return resizes;
    }

    /** The next second at which something happens without a scrape. */
    long nextEvent() {
        return Math.min(Math.min(usableAt, shownAt), wakeAt);
    }

    void metrics(SystemMetrics metrics, long now) {
        core.systemMetrics(metrics, Instant.ofEpochSecond(now));
    }

    void goal(int goal, long now) {
        core.goalGiven(
                new GoalCu(
                        goal,
                        true,
                        Optional.of((double) goal),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        false),
                Instant.ofEpochSecond(now));
    }

    /** What the core decides now is done, and what has been due is shown. */
    void advance(long now, double unitsInMemory) {
        if (usableAt <= now) {
            usable = spec;
            usableAt = NEVER;
        }
        var at = Instant.ofEpochSecond(now);
        if (shownAt <= now) {
            shownAt = NEVER;
            var size = config.computeUnit().times(spec);
            core.vmUpdated(observed(size, Optional.of(new ReachedRevision(patched, at)), size), at);
        }
        decide(at, unitsInMemory);
        long using = core.using().milliCpu() / config.computeUnit().milliCpu();
        if (using != spec) {
            resized(using, now);
        }
        if (shownAt == NEVER) {
            reserved = spec;
        }
    }

    private void resized(long using, long now) {
        resizes++;
        boolean grows = using > spec;
        spec = using;
        usableAt = grows ? now + model.growSeconds() : NEVER;
        usable = Math.min(usable, using);
        shownAt = now + (grows ? model.growSeconds() : model.shrinkSeconds());
        reserved = Math.max(reserved, spec);
    }

    private void decide(Instant at, double unitsInMemory) {
        for (int done = 0; done < ACTIONS_MAX; done++) {
            var actions = core.nextActions(at);
            if (!perform(actions, at, unitsInMemory)) {
                boolean settled = actions.desired().equals(core.using())
                        && shownAt == NEVER
                        && !actions.demand().denied();
                wakeAt = settled ? NEVER : wake(actions, at);
                return;
            }
        }
        throw new IllegalStateException("the core never stops acting at " + at);
    }

    private static long wake(ActionSet actions, Instant at) {
        return actions.waitFor()
                .map(wait -> at.plus(wait).plus(Duration.ofNanos(999_999_999)).getEpochSecond())
                .orElse(NEVER);
    }

    /** Performs one action, whose reply comes at once; the next is decided anew. */
    private boolean perform(ActionSet actions, Instant at, double unitsInMemory) {
        if (actions.pluginRequest().isPresent()) {
            var request = actions.pluginRequest().get();
            core.schedulerStarting(at, request.target());
            var granted = permits.request(request.target(), request.load1(), core.reportedUse(), at);
            core.schedulerSuccess(
                    at,
                    granted.permit(),
                    granted.validFor().or(() -> Optional.of(config.permitValidFor())),
                    request.targetRevision());
            return true;
        }
        if (actions.neonVmRequest().isPresent()) {
            var patch = actions.neonVmRequest().get();
            if (core.neonVmStarting(at, patch.target(), patch.targetRevision().revision())) {
                patched = patch.targetRevision().revision();
                core.neonVmSuccess(at);
                return true;
            }
        }
        if (actions.monitorUpscale().isPresent()) {
            core.monitorUpscaleStarting(at, actions.monitorUpscale().get().target());
            core.monitorUpscaleSuccess(at);
            return true;
        }
        if (actions.monitorDownscale().isPresent()) {
            var request = actions.monitorDownscale().get();
            core.monitorDownscaleStarting(at, request.target());
            if (request.target().memoryBytes()
                    < unitsInMemory * config.computeUnit().memoryBytes()) {
                core.monitorDownscaleDenied(at, request.targetRevision());
            } else {
                core.monitorDownscaleAllowed(at, request.targetRevision());
            }
            return true;
        }
        return false;
    }
}
