package io.sluice.agent.core.runner;

import io.sluice.agent.core.scaling.CoreConfig;
import io.sluice.agent.core.scaling.CoreDetail;
import io.sluice.agent.core.scaling.Demand;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.shell.Denial;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Why a VM that is served does not have the size that its load asks for: the first cause that holds. A VM that should
 * grow waits for the last party on the way that has not done its part, and so does one that should shrink.
 *
 * @param detail what the core knows
 * @param demand what it makes of the load
 * @param answers what the parties last said
 * @param member where the VM runs
 * @param phase where it is in its life
 * @param connected whether its monitor can be asked
 * @param now the instant that this is true of
 */
record Diagnosis(
        CoreDetail detail,
        Demand demand,
        LastAnswers answers,
        Member member,
        VmPhase phase,
        boolean connected,
        Instant now) {
    /** A driver counts as stuck once it has not shown a size for this many times the wait for a status. */
    private static final int STUCK_AFTER_WAITS = 2;

    /** How long a driver may take to show a size before it is what the VM waits for. */
    static Duration stuckAfter(CoreConfig config) {
        return config.confirmTimeout().multipliedBy(STUCK_AFTER_WAITS);
    }

    Cause cause() {
        if (phase == VmPhase.PRE_MIGRATING) {
            return Cause.moving("a migration has locked the VM and not begun to move it");
        }
        if (detail.driver().moving()) {
            return Cause.moving("the VM is about to leave node " + member.node());
        }
        if (demand.size().exceeds(size())) {
            return growing();
        }
        if (!demand.known()) {
            return Cause.of(Waiting.METRICS, "no metrics came from the VM, or they are too old");
        }
        return stuckDriver()
                .orElseGet(() -> demand.vetoed() || size().exceeds(demand.size()) ? shrinking() : settled());
    }

    private Cause growing() {
        return patching().or(this::roomForAPatch).orElseGet(this::asking);
    }

    /** The permit lets it grow: then only the driver can be in the way. */
    private Optional<Cause> roomForAPatch() {
        boolean permitted = detail.effectivePermit(now)
                .filter(permit -> permit.min(demand.size()).exceeds(size()))
                .isPresent();
        return permitted ? driverFailed() : Optional.empty();
    }

    private Cause asking() {
        var ledger = detail.scheduler();
        return switch (answers.ledger()) {
            case LastAnswers.Ledger.NotReady(var cause) ->
                Cause.of(Waiting.NODE, StandingText.notReady(cause, member.node()));
            case LastAnswers.Ledger.Failed(var reason) ->
                retry("a question to the ledger failed: " + reason, ledger.failedAt(), config().schedulerRetryWait());
            case LastAnswers.Ledger.Short(var ruled) when demand.size().exceeds(ruled.permit()) -> denied(ruled);
            case LastAnswers.Ledger.Granted(var permit, var lapsesAt)
            when lapsed(permit, lapsesAt) ->
                Cause.of(Waiting.PERMIT_LAPSED, at -> StandingText.lapsed(permit, lapsesAt.orElse(at), at));
            case LastAnswers.Ledger.Nothing _, LastAnswers.Ledger.Short _, LastAnswers.Ledger.Granted _ ->
                Cause.of(
                        Waiting.PERMIT,
                        at -> ledger.last()
                                .map(asked -> StandingText.asked(asked, member.node()))
                                .orElse("the ledger is about to be asked"));
        };
    }

    private boolean lapsed(Resources permit, Optional<Instant> lapsesAt) {
        return permit.exceeds(size())
                && lapsesAt.filter(at -> !now.isBefore(at)).isPresent();
    }

    private Cause denied(PermitReply.Ruled ruled) {
        return Cause.of(Denial.cause(ruled), at -> Denial.reason(ruled, member.node()));
    }

    private Cause shrinking() {
        return patching()
                .or(this::guest)
                .or(this::driverFailed)
                .orElseGet(() -> Cause.of(Waiting.PATCH, "is about to be told to shrink"));
    }

    /** The guest has to agree before the VM shrinks. */
    private Optional<Cause> guest() {
        if (!connected) {
            return Optional.of(Cause.of(Waiting.MONITOR, "its monitor is not connected: it is not shrunk without one"));
        }
        boolean agreed = detail.monitor().approved().filter(size()::exceeds).isPresent();
        return switch (answers.guest()) {
            case LastAnswers.Doer.Vetoed(var status) -> Optional.of(veto(status));
            case LastAnswers.Doer.Failed(var reason)
            when !agreed ->
                Optional.of(retry(reason, detail.monitor().downscaleFailedAt(), config().monitorRetryWait()));
            case LastAnswers.Doer.Nothing _, LastAnswers.Doer.Failed _ ->
                agreed ? Optional.empty() : Optional.of(Cause.of(Waiting.MONITOR, this::guestAsked));
        };
    }

    private String guestAsked(Instant at) {
        return detail.monitor()
                .asking()
                .map(target -> "the monitor was asked whether " + StandingText.text(target) + " will do")
                .orElse("the monitor is about to be asked for less");
    }

    private Cause veto(String status) {
        var refused = detail.monitor().veto().map(veto -> StandingText.text(veto.requested()));
        return Cause.of(
                Waiting.VETO,
                at -> "refused to shrink to " + refused.orElse("less") + ": "
                        + (status.isEmpty() ? "no reason was given" : status));
    }

    /** It has the size; what is left is that driver and guest take it in. */
    private Cause settled() {
        return guestToBeTold().or(this::patching).or(this::applying).orElseGet(this::content);
    }

    private Optional<Cause> guestToBeTold() {
        if (answers.guest() instanceof LastAnswers.Doer.Failed(var reason)
                && detail.monitor().upscaleFailedAt().isPresent()) {
            return Optional.of(retry(reason, detail.monitor().upscaleFailedAt(), config().monitorRetryWait()));
        }
        return detail.monitor()
                .telling()
                .map(target -> Cause.of(
                        Waiting.MONITOR, at -> "the monitor is told that it has " + StandingText.text(target)));
    }

    private Optional<Cause> applying() {
        return answers.unshown()
                .map(unshown -> Cause.of(Waiting.PATCH, at -> StandingText.unshown(unshown, detail)))
                .or(() -> detail.driver().inDoubt() ? driverFailed() : Optional.empty());
    }

    private Cause content() {
        if (!demand.complete()) {
            return Cause.of(Waiting.METRICS, "the file cache's metrics are missing: it is not shrunk without them");
        }
        return demand.unbounded().exceeds(detail.vm().max())
                ? Cause.of(
                        Waiting.MAX,
                        at -> StandingText.beyondMax(demand, detail.vm().max()))
                : Cause.of(Waiting.NOTHING, "");
    }

    private Optional<Cause> patching() {
        var driver = detail.driver();
        return driver.patching().map(target -> {
            var what = driver.awaitsStatus() ? "is told to be " : "is being told to be ";
            return stuckDriver()
                    .filter(stuck -> driver.awaitsStatus())
                    .orElseGet(() -> Cause.of(Waiting.PATCH, at -> what + StandingText.text(target)));
        });
    }

    private Optional<Cause> stuckDriver() {
        return answers.unshown()
                .filter(unshown -> !now.isBefore(unshown.since().plus(stuckAfter(config()))))
                .map(unshown -> Cause.of(Waiting.DRIVER, at -> StandingText.stuck(unshown, detail, at)));
    }

    private Optional<Cause> driverFailed() {
        return answers.driver() instanceof LastAnswers.Doer.Failed(var reason)
                ? Optional.of(retry(reason, detail.driver().failedAt(), config().neonVmRetryWait()))
                : Optional.empty();
    }

    private Cause retry(String reason, Optional<Instant> failedAt, Duration wait) {
        var until = failedAt.orElse(now).plus(wait);
        return Cause.of(Waiting.RETRY, at -> reason + StandingText.again(until, at));
    }

    private Resources size() {
        return detail.vm().using();
    }

    private CoreConfig config() {
        return detail.config();
    }
}
