package io.sluice.agent.core.scaling;

import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What stands between a VM and the scheduler: the question under way, the permit, and when to ask next.
 *
 * <p>Under {@link PermitSafety#STRICT}: a question for less counts as taken the moment it is sent, as nobody knows
 * whether its answer was lost on the way there or back; the permit is cut then. And a permit lapses some time after its
 * question was sent: from then on it counts only up to the VM's exposure, which the books must hold anyway. A scheduler
 * that lost its books can so wait out all permits that it no longer knows of.
 */
final class SchedulerPart {
    private record Sent(Instant at, Resources resources) {}

    private record Permit(Resources resources, Instant askedAt, Duration validFor) {
        Instant lapsesAt() {
            return askedAt.plus(validFor);
        }
    }

    private sealed interface Phase {
        record Silent() implements Phase {}

        /**
         * {@code cuts}: whether it told of less, so that the permit no longer shows what the books hold if it fails.
         */
        record NextRequest(Sent question, boolean cuts) implements Phase {}

        /** {@code lost}: whether it told of less and failed. */
        record Asked(Sent question, boolean lost) implements Phase {}
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
            permit = permit.map(granted ->
                    new Permit(effective(granted, at, exposure).min(target), granted.askedAt(), granted.validFor()));
        }
        phase = new Phase.NextRequest(new Sent(at, target), !before.equals(permit));
    }

    /** Whether the permit was taken. One that is impossible counts as a failure, and changes nothing else. */
    boolean success(Instant at, Resources granted, Optional<Duration> validFor, Resources using) {
        if (!(phase instanceof Phase.NextRequest(Sent question, boolean cuts))) {
            return false;
        }
        if (granted.hasZero() || granted.exceeds(question.resources()) || using.exceeds(granted)) {
            failed(at);
            return false;
        }
        Duration valid = validFor.filter(told -> told.compareTo(config.permitValidFor()) < 0)
                .orElse(config.permitValidFor());
        permit = Optional.of(new Permit(granted, question.at(), valid));
        phase = new Phase.Asked(question, false);
        return true;
    }

    void failed(Instant at) {
        if (phase instanceof Phase.NextRequest(Sent question, boolean cuts)) {
            phase = new Phase.Asked(question, cuts);
            failedAt = Optional.of(at);
        }
    }

    /**
     * When to ask what.
     *
     * @param want what the VM should hold on its way to the desired size
     * @param inform what it holds, for a question that is due for no other reason than time
     */
    PartPlan plan(Instant now, Resources want, Resources inform, Resources exposure) {
        return switch (phase) {
            case Phase.NextRequest asking -> PartPlan.NOTHING;
            case Phase.Silent silent -> PartPlan.request(inform);
            case Phase.Asked asked ->
                Periods.rest(failedAt, config.schedulerRetryWait(), now)
                        .map(PartPlan::waiting)
                        .orElseGet(() -> again(asked, now, want, inform, exposure));
        };
    }

    private PartPlan again(Phase.Asked last, Instant now, Resources want, Resources inform, Resources exposure) {
        Optional<Instant> askedAt = Optional.of(last.question().at());
        Optional<Duration> tick = Periods.rest(askedAt, config.requestTick(), now);
        Optional<Duration> backOff =
                denied(last.question()) ? Periods.rest(askedAt, config.deniedRetryWait(), now) : Optional.empty();
        boolean differs = effective(now, exposure)
                .filter(held -> last.lost() || !want.equals(held))
                .isPresent();
        if (differs && backOff.isEmpty()) {
            return PartPlan.request(want);
        }
        return tick.map(rest -> PartPlan.waiting(Periods.sooner(tick, backOff).orElse(rest)))
                .orElseGet(() -> PartPlan.request(inform));
    }

    private boolean denied(Sent last) {
        return permit.filter(granted -> last.resources().exceeds(granted.resources()))
                .isPresent();
    }

    /** What the VM may be put to at {@code now}; empty until something was granted. */
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

    Optional<Resources> asking() {
        return phase instanceof Phase.NextRequest asking
                ? Optional.of(asking.question().resources())
                : Optional.empty();
    }

    CoreDetail.Scheduler detail(Revision acknowledged) {
        Optional<Sent> last = switch (phase) {
            case Phase.Silent _ -> Optional.empty();
            case Phase.NextRequest asking -> Optional.of(asking.question());
            case Phase.Asked asked -> Optional.of(asked.question());
        };
        return new CoreDetail.Scheduler(
                phase instanceof Phase.NextRequest,
                last.map(question -> new CoreDetail.Asked(question.at(), question.resources())),
                failedAt,
                permit(),
                lapsesAt(),
                acknowledged);
    }
}
