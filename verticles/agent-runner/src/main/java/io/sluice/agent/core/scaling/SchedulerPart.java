package io.sluice.agent.core.scaling;

import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The core's state towards the scheduler: the permit request under way, the permit, and when to send the next request.
 *
 * <p>Under {@link PermitSafety#STRICT} a decrease report counts as applied the moment it is sent, as it is unknown
 * whether the request or its reply was lost; the permit is cut then. And a permit lapses some time after its request
 * was sent: from then on it counts only up to the VM's exposure, which the ledger must hold anyway. So a scheduler that
 * lost its state can wait until all permits that it no longer has have lapsed.
 */
final class SchedulerPart {
    private record Sent(Instant at, Resources resources) {}

    private record Permit(Resources resources, Instant requestedAt, Duration validFor) {
        Instant lapsesAt() {
            return requestedAt.plus(validFor);
        }
    }

    private sealed interface Phase {
        record Silent() implements Phase {}

        /**
         * {@code cuts}: whether it is a decrease report, so that the permit may differ from the reservation if it
         * fails.
         */
        record NextRequest(Sent request, boolean cuts) implements Phase {}

        /** {@code lost}: whether it was a decrease report and failed. */
        record Requested(Sent request, boolean lost) implements Phase {}
    }

    private final CoreConfig config;
    private Phase phase = new Phase.Silent();
    private Optional<Instant> failedAt = Optional.empty();
    private Optional<Permit> permit = Optional.empty();

    SchedulerPart(CoreConfig config) {
        this.config = config;
    }

    void starting(Instant at, Resources target, Resources exposure) {
        Optional<Permit> before = permit;
        if (config.strict()) {
            permit = permit.map(granted -> new Permit(
                    effective(granted, at, exposure).min(target), granted.requestedAt(), granted.validFor()));
        }
        phase = new Phase.NextRequest(new Sent(at, target), !before.equals(permit));
    }

    /** Whether the permit was accepted. One that is impossible counts as a failure, and changes nothing else. */
    boolean success(Instant at, Resources granted, Optional<Duration> validFor, Resources using) {
        if (!(phase instanceof Phase.NextRequest(Sent request, boolean cuts))) {
            return false;
        }
        if (granted.hasZero() || granted.exceeds(request.resources()) || using.exceeds(granted)) {
            failed(at);
            return false;
        }
        Duration valid = validFor.filter(reported -> reported.compareTo(config.permitValidFor()) < 0)
                .orElse(config.permitValidFor());
        permit = Optional.of(new Permit(granted, request.at(), valid));
        phase = new Phase.Requested(request, false);
        return true;
    }

    void failed(Instant at) {
        if (phase instanceof Phase.NextRequest(Sent request, boolean cuts)) {
            phase = new Phase.Requested(request, cuts);
            failedAt = Optional.of(at);
        }
    }

    /**
     * When to send which permit request.
     *
     * @param desired what the VM should hold on its way to the desired size
     * @param inform what it holds, for a request that is due by time alone
     */
    PartPlan plan(Instant now, Resources desired, Resources inform, Resources exposure) {
        return switch (phase) {
            case Phase.NextRequest next -> PartPlan.NOTHING;
            case Phase.Silent silent -> PartPlan.request(inform);
            case Phase.Requested request ->
                Periods.rest(failedAt, config.schedulerRetryWait(), now)
                        .map(PartPlan::waiting)
                        .orElseGet(() -> again(request, now, desired, inform, exposure));
        };
    }

    private PartPlan again(Phase.Requested last, Instant now, Resources desired, Resources inform, Resources exposure) {
        Optional<Instant> requestedAt = Optional.of(last.request().at());
        Optional<Duration> tick = Periods.rest(requestedAt, config.requestTick(), now);
        Optional<Duration> backOff =
                denied(last.request()) ? Periods.rest(requestedAt, config.deniedRetryWait(), now) : Optional.empty();
        boolean differs = effective(now, exposure)
                .filter(held -> last.lost() || !desired.equals(held))
                .isPresent();
        if (differs && backOff.isEmpty()) {
            return PartPlan.request(desired);
        }
        return tick.map(rest -> PartPlan.waiting(Periods.sooner(tick, backOff).orElse(rest)))
                .orElseGet(() -> PartPlan.request(inform));
    }

    private boolean denied(Sent last) {
        return permit.filter(granted -> last.resources().exceeds(granted.resources()))
                .isPresent();
    }

    /** The size that the permit allows at {@code now}; empty until something was granted. */
    Optional<Resources> effective(Instant now, Resources exposure) {
        return permit.map(granted -> effective(granted, now, exposure));
    }

    private Resources effective(Permit granted, Instant now, Resources exposure) {
        return !config.strict() || now.isBefore(granted.lapsesAt())
                ? granted.resources()
                : granted.resources().min(exposure);
    }

    /** From then on the permit counts only up to the exposure; empty where permits do not lapse. */
    Optional<Instant> lapsesAt() {
        return config.strict() ? permit.map(Permit::lapsesAt) : Optional.empty();
    }

    Optional<Resources> permit() {
        return permit.map(Permit::resources);
    }

    Optional<Resources> requesting() {
        return phase instanceof Phase.NextRequest next
                ? Optional.of(next.request().resources())
                : Optional.empty();
    }

    CoreDetail.Scheduler detail(Revision acknowledged) {
        Optional<Sent> last = switch (phase) {
            case Phase.Silent _ -> Optional.empty();
            case Phase.NextRequest next -> Optional.of(next.request());
            case Phase.Requested request -> Optional.of(request.request());
        };
        return new CoreDetail.Scheduler(
                phase instanceof Phase.NextRequest,
                last.map(request -> new CoreDetail.Requested(request.at(), request.resources())),
                failedAt,
                permit(),
                lapsesAt(),
                acknowledged);
    }
}
