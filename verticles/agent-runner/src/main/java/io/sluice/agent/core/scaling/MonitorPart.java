package io.sluice.agent.core.scaling;

import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Instant;
import java.util.Optional;

/**
 * The core's state towards the VM's monitor: the size it last accepted, the request under way, and its upscale request
 * or denied downscale. A lost connection clears all of it.
 *
 * <p>A request without a reply may have been accepted. So under {@link PermitSafety#STRICT} there are two sizes beside
 * the last accepted one: the least and the most that the guest may have accepted. The next reply ends the difference,
 * as a monitor replies in the order of the requests. Nothing up to the most is taken from the guest without its
 * consent, and it is notified again of what exceeds the least.
 */
final class MonitorPart {
    private sealed interface Link {
        record Absent() implements Link {}

        record Connected(Resources approved, Accepted accepted, Request request) implements Link {
            static Connected at(Resources size) {
                return new Connected(size, new Accepted(size, size), new Request.None());
            }

            Connected idle(Accepted maybe) {
                return new Connected(approved, maybe, new Request.None());
            }
        }
    }

    /**
     * What the guest has accepted last is between these sizes. {@code least} is nothing while that is unknown, as in a
     * session that is older than this core.
     */
    private record Accepted(Resources least, Resources most) {
        boolean isKnown() {
            return !least.equals(Resources.NONE);
        }

        Accepted or(Resources size) {
            return new Accepted(least.min(size), most.max(size));
        }
    }

    private sealed interface Request {
        record None() implements Request {}

        record Upscale(Resources target) implements Request {}

        record Downscale(Resources from, Resources target) implements Request {}
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
            case Link.Absent absent -> Link.Connected.at(using);
            case Link.Connected known ->
                new Link.Connected(using, Link.Connected.at(using).accepted(), known.request());
        };
    }

    /** The session is older than this core: what the guest has accepted in it is unknown until it replies. */
    void found(Resources using) {
        active(using);
        if (config.strict() && link instanceof Link.Connected known) {
            link = new Link.Connected(using, known.accepted().or(Resources.NONE), known.request());
        }
    }

    /** An upscale request that arrives before its connection is known counts from the size in use. */
    void upscaleRequested(Instant at, boolean cpu, boolean memory, Resources using) {
        upscaleRequest = Optional.of(new Desired.Requested(at, approved().orElse(using), cpu, memory));
    }

    /** The notification may be accepted from now on, whether or not a reply follows. */
    void upscaleStarting(Resources target) {
        upscaleFailedAt = Optional.empty();
        if (link instanceof Link.Connected known) {
            link = new Link.Connected(known.approved(), or(known, target), new Request.Upscale(target));
        }
    }

    void downscaleStarting(Resources target, Resources least) {
        downscaleFailedAt = Optional.empty();
        if (link instanceof Link.Connected known) {
            var request = new Request.Downscale(downscalesFrom(least), target);
            link = new Link.Connected(known.approved(), known.accepted(), request);
        }
    }

    private Accepted or(Link.Connected known, Resources target) {
        return config.strict() ? known.accepted().or(target) : known.accepted();
    }

    void upscaleSuccess() {
        if (link instanceof Link.Connected known && known.request() instanceof Request.Upscale(Resources target)) {
            link = Link.Connected.at(target);
        }
    }

    void upscaleFailed(Instant at) {
        if (link instanceof Link.Connected known && known.request() instanceof Request.Upscale) {
            link = known.idle(known.accepted());
            upscaleFailedAt = Optional.of(at);
        }
    }

    /** Whether this is the reply to a request under way. */
    boolean downscaleAllowed() {
        if (link instanceof Link.Connected known && known.request() instanceof Request.Downscale down) {
            link = Link.Connected.at(down.target());
            return true;
        }
        return false;
    }

    /** Whether this is the reply to a request under way. */
    boolean downscaleDenied(Instant at) {
        if (link instanceof Link.Connected known && known.request() instanceof Request.Downscale down) {
            deniedDownscale = Optional.of(new Desired.Denied(at, down.from(), down.target()));
            link = known.idle(known.accepted());
            return true;
        }
        return false;
    }

    void downscaleFailed(Instant at) {
        if (link instanceof Link.Connected known && known.request() instanceof Request.Downscale down) {
            link = known.idle(or(known, down.target()));
            downscaleFailedAt = Optional.of(at);
        }
    }

    /**
     * The monitor may be notified of what the VM has, as far as it is desired, unless it has to be corrected first. In
     * a session that is older than this core it is notified in any case.
     *
     * @param least what the VM has once every patch that takes something is applied
     */
    PartPlan planUpscale(Instant now, Resources least, Resources desired) {
        return link instanceof Link.Connected known
                ? plan(known, upscale(known.accepted(), least, desired), upscaleFailedAt, now)
                : PartPlan.NOTHING;
    }

    private Optional<Resources> upscale(Accepted accepted, Resources least, Resources desired) {
        if (!accepted.isKnown()) {
            return Optional.of(least);
        }
        Resources useful = least.min(desired);
        boolean due = useful.exceeds(accepted.least())
                && !(config.strict() && accepted.most().exceeds(least));
        return Optional.of(stepped(accepted.least(), useful).max(accepted.most()))
                .filter(target -> due);
    }

    private Resources stepped(Resources from, Resources target) {
        return config.maxUpscaleStepCu() == 0
                ? target
                : target.min(from.plus(config.computeUnit().times(config.maxUpscaleStepCu())));
    }

    /**
     * The downscale is requested one compute unit at a time: to what is desired, and to what the VM has. In a session
     * that is older than this core a notification goes first; where that fails, a reply to this is as good.
     *
     * @param least what the VM has once every patch that takes something is applied
     * @param upscaling whether a notification is planned
     */
    PartPlan planDownscale(Instant now, Resources least, Resources desired, boolean upscaling) {
        if (upscaling
                || !(link instanceof Link.Connected known)
                || !known.accepted().isKnown() && upscaleFailedAt.isEmpty()) {
            return PartPlan.NOTHING;
        }
        Resources from = downscalesFrom(least);
        Resources wanted = config.strict() ? desired.min(least) : desired;
        Resources target = from.min(wanted).max(from.minus(config.computeUnit()));
        return plan(known, Optional.of(target).filter(from::exceeds), downscaleFailedAt, now);
    }

    private PartPlan plan(Link.Connected known, Optional<Resources> target, Optional<Instant> failedAt, Instant now) {
        return known.request() instanceof Request.None && target.isPresent()
                ? Periods.rest(failedAt, config.monitorRetryWait(), now)
                        .map(PartPlan::waiting)
                        .orElseGet(() -> PartPlan.request(target.get()))
                : PartPlan.NOTHING;
    }

    /** The size that the next notification is counted from. */
    Resources upscalesFrom(Resources using) {
        return link instanceof Link.Connected known && known.accepted().isKnown()
                ? known.accepted().least()
                : using;
    }

    /** The size that the next downscale is counted from. */
    Resources downscalesFrom(Resources least) {
        return most().orElse(least);
    }

    /** What may be taken without its consent ends here; empty if nothing may be taken. */
    Optional<Resources> most() {
        return link instanceof Link.Connected known && known.accepted().isKnown()
                ? Optional.of(known.accepted().most())
                : Optional.empty();
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
                link instanceof Link.Connected known
                        ? Optional.of(known.accepted().least())
                        : Optional.empty(),
                most(),
                request.filter(Request.Upscale.class::isInstance).map(up -> ((Request.Upscale) up).target()),
                request.filter(Request.Downscale.class::isInstance).map(down -> ((Request.Downscale) down).target()),
                upscaleRequest,
                deniedDownscale,
                upscaleFailedAt,
                downscaleFailedAt,
                acknowledged);
    }
}
