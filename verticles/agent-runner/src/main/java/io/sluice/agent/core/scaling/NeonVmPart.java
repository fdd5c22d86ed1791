package io.sluice.agent.core.scaling;

import io.sluice.agent.core.revision.ActionRevision;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The core's state towards the VM's driver: the patch under way and when to send the next. Each method that ends a
 * patch returns the size that counts as the VM's spec from then on, if that changed. {@link Exposure} computes what the
 * VM may come to use.
 *
 * <p>Under {@link ConfirmationMode#STATUS} an acknowledged upscale stays under way until the status shows its revision.
 * When that takes too long, another patch may replace it. As the VM's spec has the size that is waited for, a patch
 * back to the size in use is then worth sending, and one to the size that is waited for is not.
 */
final class NeonVmPart {
    private record Patch(Resources target, Revision revision) {}

    private sealed interface Phase {
        record Idle() implements Phase {}

        /** {@code replaces}: the earlier patch that still waits for its status, restored if this one is refused. */
        record UnderWay(Patch patch, Phase replaces) implements Phase {}

        record Unconfirmed(Patch patch, Instant since) implements Phase {}
    }

    private final CoreConfig config;
    private final Exposure exposure;
    private Phase phase = new Phase.Idle();
    private Optional<Instant> failedAt = Optional.empty();
    private boolean moving;

    NeonVmPart(CoreConfig config, Exposure exposure) {
        this.config = config;
        this.exposure = exposure;
    }

    /** Whether a patch may begin: none is under way, and the VM is not about to migrate. */
    boolean mayStart() {
        return !moving && !(phase instanceof Phase.UnderWay);
    }

    void starting(Resources target, Revision revision) {
        phase = new Phase.UnderWay(new Patch(target, revision), phase);
    }

    Optional<Resources> success(Instant at, Resources using) {
        if (!(phase instanceof Phase.UnderWay(Patch patch, Phase replaced))) {
            return Optional.empty();
        }
        exposure.acknowledged(patch.target(), patch.revision());
        boolean waits =
                config.confirmedByStatus() && patch.target().exceeds(using) && !exposure.shows(patch.revision());
        phase = waits ? new Phase.Unconfirmed(patch, at) : new Phase.Idle();
        return waits ? Optional.empty() : Optional.of(patch.target());
    }

    /** The patch was certainly not applied. */
    void failed(Instant at) {
        if (phase instanceof Phase.UnderWay underWay) {
            phase = underWay.replaces();
            failedAt = Optional.of(at);
        }
    }

    /** It is unknown whether the patch was or will be applied. */
    void lost(Instant at) {
        if (phase instanceof Phase.UnderWay underWay) {
            exposure.lost(underWay.patch().target());
        }
        failed(at);
    }

    /**
     * The next patch follows after the usual wait: another component that changes the size again and again must not
     * cause a patch each time.
     */
    Optional<Resources> conflict(Instant at, Resources size) {
        if (!(phase instanceof Phase.UnderWay)) {
            return Optional.empty();
        }
        exposure.patchedByAnother(size);
        phase = new Phase.Idle();
        failedAt = Optional.of(at);
        return Optional.of(size);
    }

    Optional<Resources> statusObserved() {
        if (phase instanceof Phase.Unconfirmed(Patch patch, Instant since) && exposure.shows(patch.revision())) {
            phase = new Phase.Idle();
            return Optional.of(patch.target());
        }
        return Optional.empty();
    }

    void moving(boolean now) {
        moving = now;
    }

    /**
     * The patch to send.
     *
     * @param target where the VM may go from {@code using}
     * @param requested what is being requested from the scheduler, or is about to be: a patch beyond it waits for the
     *     reply
     */
    PartPlan plan(Instant now, Resources using, Resources target, Optional<Resources> requested) {
        if (moving) {
            return PartPlan.NOTHING;
        }
        return switch (phase) {
            case Phase.UnderWay underWay -> PartPlan.NOTHING;
            case Phase.Unconfirmed waiting when target.equals(waiting.patch().target()) -> PartPlan.NOTHING;
            case Phase.Unconfirmed waiting ->
                confirmRest(waiting, now).map(PartPlan::waiting).orElseGet(() -> send(now, target, requested));
            case Phase.Idle idle when target.equals(using) && !mustShutOut() -> PartPlan.NOTHING;
            case Phase.Idle idle -> send(now, target, requested);
        };
    }

    private Optional<Duration> confirmRest(Phase.Unconfirmed waiting, Instant now) {
        return Periods.rest(Optional.of(waiting.since()), config.confirmTimeout(), now);
    }

    private boolean mustShutOut() {
        return config.strict() && exposure.inDoubt();
    }

    private PartPlan send(Instant now, Resources target, Optional<Resources> requested) {
        if (requested.filter(target::exceeds).isPresent()) {
            return PartPlan.NOTHING;
        }
        return Periods.rest(failedAt, config.neonVmRetryWait(), now)
                .map(PartPlan::waiting)
                .orElseGet(() -> PartPlan.request(target));
    }

    /** The target of the patch that is under way or waits for its status. */
    Optional<Resources> target() {
        return switch (phase) {
            case Phase.Idle idle -> Optional.empty();
            case Phase.UnderWay underWay -> Optional.of(underWay.patch().target());
            case Phase.Unconfirmed waiting -> Optional.of(waiting.patch().target());
        };
    }

    /** What the VM has once every patch is applied that takes something and is under way or in doubt. */
    Resources least(Resources using) {
        return least(phase, exposure.leastInDoubt().map(using::min).orElse(using));
    }

    private static Resources least(Phase phase, Resources least) {
        return switch (phase) {
            case Phase.Idle idle -> least;
            case Phase.UnderWay underWay ->
                least(underWay.replaces(), least.min(underWay.patch().target()));
            case Phase.Unconfirmed waiting -> least.min(waiting.patch().target());
        };
    }

    boolean moving() {
        return moving;
    }

    CoreDetail.Driver detail(Resources reach, ActionRevision offered, long confirmed) {
        return new CoreDetail.Driver(
                target(),
                phase instanceof Phase.Unconfirmed,
                failedAt,
                exposure.inDoubt(),
                moving,
                reach,
                offered,
                confirmed);
    }
}
