package io.sluice.agent.core.scaling;

import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Instant;
import java.util.Optional;

/**
 * The core's state towards the VM's monitor: the size it last accepted, the request under way, and its upscale request
 * or denied downscale. A lost connection clears all of it.
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
    private Optional<Desired.Requested> upscaleRequest = Optional.empty();
    private Optional<Desired.Denied> deniedDownscale = Optional.empty();
    private Optional<Instant> upscaleFailedAt = Optional.empty();
    private Optional<Instant> downscaleFailedAt = Optional.empty();

    MonitorPart(CoreConfig config) {
        this.config = config;
    }

    void reset() {
        link = new Link.Absent();
        upscaleRequest = Optional.empty();
        deniedDownscale = Optional.empty();
        upscaleFailedAt = Optional.empty();
        downscaleFailedAt = Optional.empty();
    }

    void active(Resources using) {
        link = switch (link) {
            case Link.Absent absent -> new Link.Connected(using, new Request.None());
            case Link.Connected known -> new Link.Connected(using, known.request());
        };
    }

    /** An upscale request that arrives before its connection is known counts from the size in use. */
    void upscaleRequested(Instant at, boolean cpu, boolean memory, Resources using) {
        upscaleRequest = Optional.of(new Desired.Requested(at, approved().orElse(using), cpu, memory));
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

    /** Whether this is the reply to a request under way. */
    boolean downscaleAllowed() {
        if (link instanceof Link.Connected(Resources approved, Request.Downscale(Resources target))) {
            link = new Link.Connected(target, new Request.None());
            return true;
        }
        return false;
    }

    /** Whether this is the reply to a request under way. */
    boolean downscaleDenied(Instant at) {
        if (link instanceof Link.Connected(Resources approved, Request.Downscale(Resources target))) {
            link = new Link.Connected(approved, new Request.None());
            deniedDownscale = Optional.of(new Desired.Denied(at, approved, target));
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

    /** The monitor may be notified of what the VM has, as far as it is desired. */
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

    /**
     * The downscale is requested one compute unit at a time. {@code upscaling}: an upscale notification is under way.
     */
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

    /** The size that the monitor last accepted; empty while there is no monitor. */
    Optional<Resources> approved() {
        return switch (link) {
            case Link.Absent absent -> Optional.empty();
            case Link.Connected known -> Optional.of(known.approved());
        };
    }

    Optional<Desired.Requested> upscaleRequest() {
        return upscaleRequest;
    }

    Optional<Desired.Denied> deniedDownscale() {
        return deniedDownscale;
    }

    CoreDetail.Monitor detail(Revision acknowledged) {
        Optional<Request> request =
                link instanceof Link.Connected known ? Optional.of(known.request()) : Optional.empty();
        return new CoreDetail.Monitor(
                approved(),
                request.filter(Request.Upscale.class::isInstance).map(up -> ((Request.Upscale) up).target()),
                request.filter(Request.Downscale.class::isInstance).map(down -> ((Request.Downscale) down).target()),
                upscaleRequest,
                deniedDownscale,
                upscaleFailedAt,
                downscaleFailedAt,
                acknowledged);
    }
}
