package io.sluice.agent.core.scaling;

import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Instant;
import java.util.Optional;

/**
 * What stands between a VM and its monitor: the size it knows of, the request under way, and what it asked for or
 * refused. A lost connection clears all of it.
 */
final class MonitorPart {
    private sealed interface Link {
        record Absent() implements Link {}

        record Connected(Resources approved, Request request) implements Link {
            Connected idle() {
                return new Connected(approved, new Request.None());
            }
        }
    }

    private sealed interface Request {
        record None() implements Request {}

        record Upscale(Resources target) implements Request {}

        record Downscale(Resources target) implements Request {}
    }

    private final CoreConfig config;
    private Link link = new Link.Absent();
    private Optional<Desired.Requested> cry = Optional.empty();
    private Optional<Desired.Denied> veto = Optional.empty();
    private Optional<Instant> upscaleFailedAt = Optional.empty();
    private Optional<Instant> downscaleFailedAt = Optional.empty();

    MonitorPart(CoreConfig config) {
        this.config = config;
    }

    void reset() {
        link = new Link.Absent();
        cry = Optional.empty();
        veto = Optional.empty();
        upscaleFailedAt = Optional.empty();
        downscaleFailedAt = Optional.empty();
    }

    void active(Resources using) {
        link = switch (link) {
            case Link.Absent absent -> new Link.Connected(using, new Request.None());
            case Link.Connected known -> new Link.Connected(using, known.request());
        };
    }

    /** A cry that comes before its connection is known counts from the size in use. */
    void upscaleRequested(Instant at, boolean cpu, boolean memory, Resources using) {
        cry = Optional.of(new Desired.Requested(at, approved().orElse(using), cpu, memory));
    }

    void upscaleStarting(Resources target) {
        upscaleFailedAt = Optional.empty();
        begin(new Request.Upscale(target));
    }

    void downscaleStarting(Resources target) {
        downscaleFailedAt = Optional.empty();
        begin(new Request.Downscale(target));
    }

    private void begin(Request request) {
        if (link instanceof Link.Connected known) {
            link = new Link.Connected(known.approved(), request);
        }
    }

    void upscaleSuccess() {
        if (link instanceof Link.Connected(Resources approved, Request.Upscale(Resources target))) {
            link = new Link.Connected(target, new Request.None());
        }
    }

    void upscaleFailed(Instant at) {
        if (link instanceof Link.Connected known && known.request() instanceof Request.Upscale) {
            link = known.idle();
            upscaleFailedAt = Optional.of(at);
        }
    }

    /** Whether this answers a request under way. */
    boolean downscaleAllowed() {
        if (link instanceof Link.Connected(Resources approved, Request.Downscale(Resources target))) {
            link = new Link.Connected(target, new Request.None());
            return true;
        }
        return false;
    }

    /** Whether this answers a request under way. */
    boolean downscaleDenied(Instant at) {
        if (link instanceof Link.Connected(Resources approved, Request.Downscale(Resources target))) {
            link = new Link.Connected(approved, new Request.None());
            veto = Optional.of(new Desired.Denied(at, approved, target));
            return true;
        }
        return false;
    }

    void downscaleFailed(Instant at) {
        if (link instanceof Link.Connected known && known.request() instanceof Request.Downscale) {
            link = known.idle();
            downscaleFailedAt = Optional.of(at);
        }
    }

    /** The monitor may be told of what the VM has, as far as it is desired. */
    PartPlan planUpscale(Instant now, Resources using, Resources desired) {
        return switch (link) {
            case Link.Absent absent -> PartPlan.NOTHING;
            case Link.Connected(Resources approved, Request request) ->
                plan(
                        request,
                        approved,
                        stepped(approved, using.max(approved).min(desired.max(approved))),
                        upscaleFailedAt,
                        now);
        };
    }

    /** The monitor is asked for one compute unit at a time. {@code upscaling}: it is being told of more just now. */
    PartPlan planDownscale(Instant now, Resources desired, boolean upscaling) {
        return switch (link) {
            case Link.Absent absent -> PartPlan.NOTHING;
            case Link.Connected(Resources approved, Request request) ->
                upscaling
                        ? PartPlan.NOTHING
                        : plan(
                                request,
                                approved,
                                approved.min(desired).max(approved.minus(config.computeUnit())),
                                downscaleFailedAt,
                                now);
        };
    }

    private PartPlan plan(
            Request underWay, Resources approved, Resources target, Optional<Instant> failedAt, Instant now) {
        return switch (underWay) {
            case Request.Upscale up -> PartPlan.NOTHING;
            case Request.Downscale down -> PartPlan.NOTHING;
            case Request.None none when target.equals(approved) -> PartPlan.NOTHING;
            case Request.None none ->
                Periods.rest(failedAt, config.monitorRetryWait(), now)
                        .map(PartPlan::waiting)
                        .orElseGet(() -> PartPlan.request(target));
        };
    }

    private Resources stepped(Resources approved, Resources target) {
        return config.maxUpscaleStepCu() == 0
                ? target
                : target.min(approved.plus(config.computeUnit().times(config.maxUpscaleStepCu())));
    }

    boolean requesting() {
        return link instanceof Link.Connected known && !(known.request() instanceof Request.None);
    }

    /** What the monitor knows of; empty while there is none. */
    Optional<Resources> approved() {
        return switch (link) {
            case Link.Absent absent -> Optional.empty();
            case Link.Connected known -> Optional.of(known.approved());
        };
    }

    Optional<Desired.Requested> cry() {
        return cry;
    }

    Optional<Desired.Denied> veto() {
        return veto;
    }

    CoreDetail.Monitor detail(Revision acknowledged) {
        Optional<Request> request =
                link instanceof Link.Connected known ? Optional.of(known.request()) : Optional.empty();
        return new CoreDetail.Monitor(
                approved(),
                request.filter(Request.Upscale.class::isInstance).map(up -> ((Request.Upscale) up).target()),
                request.filter(Request.Downscale.class::isInstance).map(down -> ((Request.Downscale) down).target()),
                cry,
                veto,
                upscaleFailedAt,
                downscaleFailedAt,
                acknowledged);
    }
}
