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
record WaitExplanation(
        CoreDetail detail,
        Demand demand,
        LastReplies answers,
        VmPod member,
        VmPhase phase,
        boolean connected,
        Instant now) {
    /** A driver counts as stuck once it has not shown a size for this many times the wait for a status. */
    private static final int STUCK_AFTER_WAITS = 2;

    /** How long a driver may take to show a size before it is what the VM waits for. */
    static Duration stuckAfter(CoreConfig config) {
        return config.confirmTimeout().multipliedBy(STUCK_AFTER_WAITS);
    }

    WaitCause cause() {
        if (phase == VmPhase.PRE_MIGRATING) {
            return WaitCause.moving("a migration has locked the VM and not begun to move it");
        }
        if (detail.driver().moving()) {
            return WaitCause.moving("the VM is about to leave node " + member.node());
        }
        if (demand.size().exceeds(size())) {
            return growing();
        }
        if (!demand.known()) {
            return WaitCause.of(Waiting.METRICS, "no metrics came from the VM, or they are too old");
        }
        return stuckDriver()
                .orElseGet(() -> demand.vetoed() || size().exceeds(demand.size()) ? shrinking() : settled());
    }

    private WaitCause growing() {
        return patching().or(this::roomForAPatch).orElseGet(this::asking);
    }

    /** The permit lets it grow: then only the driver can be in the way. */
    private Optional<WaitCause> roomForAPatch() {
        boolean permitted = detail.effectivePermit(now)
                .filter(permit -> permit.min(demand.size()).exceeds(size()))
                .isPresent();
        return permitted ? driverFailed() : Optional.empty();
    }

    private WaitCause asking() {
        var ledger = detail.scheduler();
        return switch (answers.ledger()) {
            case LastReplies.Ledger.NotReady(var cause) ->
                WaitCause.of(Waiting.NODE, ScalingStatusText.notReady(cause, member.node()));
            case LastReplies.Ledger.Failed(var reason) ->
                retry("a question to the ledger failed: " + reason, ledger.failedAt(), config().schedulerRetryWait());
            case LastReplies.Ledger.Short(var ruled) when demand.size().exceeds(ruled.permit()) -> denied(ruled);
            case LastReplies.Ledger.Granted(var permit, var lapsesAt)
            when lapsed(permit, lapsesAt) ->
                WaitCause.of(Waiting.PERMIT_LAPSED, at -> ScalingStatusText.lapsed(permit, lapsesAt.orElse(at), at));
            case LastReplies.Ledger.Nothing _, LastReplies.Ledger.Short _, LastReplies.Ledger.Granted _ ->
                WaitCause.of(
                        Waiting.PERMIT,
                        at -> ledger.last()
                                .map(asked -> ScalingStatusText.asked(asked, member.node()))
                                .orElse("the ledger is about to be asked"));
        };
    }

    private boolean lapsed(Resources permit, Optional<Instant> lapsesAt) {
        return permit.exceeds(size())
                && lapsesAt.filter(at -> !now.isBefore(at)).isPresent();
    }

    private WaitCause denied(PermitReply.Ruled ruled) {
        return WaitCause.of(Denial.cause(ruled), at -> Denial.reason(ruled, member.node()));
    }

    private WaitCause shrinking() {
        return patching()
                .or(this::guest)
                .or(this::driverFailed)
                .orElseGet(() -> WaitCause.of(Waiting.PATCH, "is about to be told to shrink"));
    }

    /** The guest has to agree before the VM shrinks. */
    private Optional<WaitCause> guest() {
        if (!connected) {
            return Optional.of(
                    WaitCause.of(Waiting.MONITOR, "its monitor is not connected: it is not shrunk without one"));
        }
        boolean agreed = detail.monitor().approved().filter(size()::exceeds).isPresent();
        return switch (answers.guest()) {
            case LastReplies.Doer.DownscaleDenied(var status) -> Optional.of(veto(status));
            case LastReplies.Doer.Failed(var reason)
            when !agreed ->
                Optional.of(retry(reason, detail.monitor().downscaleFailedAt(), config().monitorRetryWait()));
            case LastReplies.Doer.Nothing _, LastReplies.Doer.Failed _ ->
                agreed ? Optional.empty() : Optional.of(WaitCause.of(Waiting.MONITOR, this::guestAsked));
        };
    }

    private String guestAsked(Instant at) {
        return detail.monitor()
                .asking()
                .map(target -> "the monitor was asked whether " + ScalingStatusText.text(target) + " will do")
                .orElse("the monitor is about to be asked for less");
    }

    private WaitCause veto(String status) {
        var refused = detail.monitor().veto().map(veto -> ScalingStatusText.text(veto.requested()));
        return WaitCause.of(
                Waiting.VETO,
                at -> "refused to shrink to " + refused.orElse("less") + ": "
                        + (status.isEmpty() ? "no reason was given" : status));
    }

    /** It has the size; what is left is that driver and guest take it in. */
    private WaitCause settled() {
        return guestToBeTold().or(this::patching).or(this::applying).orElseGet(this::content);
    }

    private Optional<WaitCause> guestToBeTold() {
        if (answers.guest() instanceof LastReplies.Doer.Failed(var reason)
                && detail.monitor().upscaleFailedAt().isPresent()) {
            return Optional.of(retry(reason, detail.monitor().upscaleFailedAt(), config().monitorRetryWait()));
        }
        return detail.monitor()
                .telling()
                .map(target -> WaitCause.of(
                        Waiting.MONITOR, at -> "the monitor is told that it has " + ScalingStatusText.text(target)));
    }

    private Optional<WaitCause> applying() {
        return answers.unshown()
                .map(unshown -> WaitCause.of(Waiting.PATCH, at -> ScalingStatusText.unshown(unshown, detail)))
                .or(() -> detail.driver().inDoubt() ? driverFailed() : Optional.empty());
    }

    private WaitCause content() {
        if (!demand.complete()) {
            return WaitCause.of(Waiting.METRICS, "the file cache's metrics are missing: it is not shrunk without them");
        }
        return demand.unbounded().exceeds(detail.vm().max())
                ? WaitCause.of(
                        Waiting.MAX,
                        at -> ScalingStatusText.beyondMax(demand, detail.vm().max()))
                : WaitCause.of(Waiting.NOTHING, "");
    }

    private Optional<WaitCause> patching() {
        var driver = detail.driver();
        return driver.patching().map(target -> {
            var what = driver.awaitsStatus() ? "is told to be " : "is being told to be ";
            return stuckDriver()
                    .filter(stuck -> driver.awaitsStatus())
                    .orElseGet(() -> WaitCause.of(Waiting.PATCH, at -> what + ScalingStatusText.text(target)));
        });
    }

    private Optional<WaitCause> stuckDriver() {
        return answers.unshown()
                .filter(unshown -> !now.isBefore(unshown.since().plus(stuckAfter(config()))))
                .map(unshown -> WaitCause.of(Waiting.DRIVER, at -> ScalingStatusText.stuck(unshown, detail, at)));
    }

    private Optional<WaitCause> driverFailed() {
        return answers.driver() instanceof LastReplies.Doer.Failed(var reason)
                ? Optional.of(retry(reason, detail.driver().failedAt(), config().neonVmRetryWait()))
                : Optional.empty();
    }

    private WaitCause retry(String reason, Optional<Instant> failedAt, Duration wait) {
        var until = failedAt.orElse(now).plus(wait);
        return WaitCause.of(Waiting.RETRY, at -> reason + ScalingStatusText.again(until, at));
    }

    private Resources size() {
        return detail.vm().using();
    }

    private CoreConfig config() {
        return detail.config();
    }
}
