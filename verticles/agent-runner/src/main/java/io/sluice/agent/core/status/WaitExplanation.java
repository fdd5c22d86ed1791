package io.sluice.agent.core.status;

import io.sluice.agent.core.scaling.CoreConfig;
import io.sluice.agent.core.scaling.CoreDetail;
import io.sluice.agent.core.scaling.Demand;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.shell.explain.Denial;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Why a VM that is served does not have the size that its load asks for: the first cause that applies. A VM that should
 * grow waits for the last party of the sequence that has not done its part, and so does one that should shrink.
 *
 * @param detail the core's data
 * @param demand the demand of the load
 * @param answers the last replies of the parties
 * @param pod where the VM runs
 * @param phase of the VM
 * @param connected whether its monitor is connected
 * @param now the instant of this explanation
 */
public record WaitExplanation(
        CoreDetail detail,
        Demand demand,
        LastReplies answers,
        VmPod pod,
        VmPhase phase,
        boolean connected,
        Instant now) {
    /** A driver counts as stuck once it has not shown a size for this many times the wait for a status. */
    private static final int STUCK_AFTER_WAITS = 2;

    /** How long a driver may take to show a size before it is what the VM waits for. */
    public static Duration stuckAfter(CoreConfig config) {
        return config.confirmTimeout().multipliedBy(STUCK_AFTER_WAITS);
    }

    public WaitCause cause() {
        if (phase == VmPhase.PRE_MIGRATING) {
            return WaitCause.moving("a migration has locked the VM and not begun to move it");
        }
        if (detail.driver().moving()) {
            return WaitCause.moving("the VM is about to leave node " + pod.node());
        }
        if (demand.size().exceeds(size())) {
            return growing();
        }
        if (!demand.known()) {
            return WaitCause.of(Waiting.METRICS, "no metrics came from the VM, or they are too old");
        }
        return stuckDriver()
                .orElseGet(() -> demand.denied() || size().exceeds(demand.size()) ? shrinking() : inEffect());
    }

    private WaitCause growing() {
        return patching().or(this::roomForAPatch).orElseGet(this::requesting);
    }

    /** If the permit lets the VM grow, only the driver can be the cause. */
    private Optional<WaitCause> roomForAPatch() {
        boolean permitted = detail.effectivePermit(now)
                .filter(permit -> permit.min(demand.size()).exceeds(size()))
                .isPresent();
        return permitted ? driverFailed() : Optional.empty();
    }

    private WaitCause requesting() {
        var ledger = detail.scheduler();
        return switch (answers.ledger()) {
            case LastReplies.Ledger.NotReady(var cause) ->
                WaitCause.of(Waiting.NODE, ScalingStatusText.notReady(cause, pod.node()));
            case LastReplies.Ledger.Failed(var reason) ->
                retry("a permit request failed: " + reason, ledger.failedAt(), config().schedulerRetryWait());
            case LastReplies.Ledger.Short(var ruled) when demand.size().exceeds(ruled.permit()) -> denied(ruled);
            case LastReplies.Ledger.Granted(var permit, var lapsesAt)
            when lapsed(permit, lapsesAt) ->
                WaitCause.of(Waiting.PERMIT_LAPSED, at -> ScalingStatusText.lapsed(permit, lapsesAt.orElse(at), at));
            case LastReplies.Ledger.Nothing _, LastReplies.Ledger.Short _, LastReplies.Ledger.Granted _ ->
                WaitCause.of(
                        Waiting.PERMIT,
                        at -> ledger.last()
                                .map(request -> ScalingStatusText.requested(request, pod.node()))
                                .orElse("a permit request is about to be sent"));
        };
    }

    private boolean lapsed(Resources permit, Optional<Instant> lapsesAt) {
        return permit.exceeds(size())
                && lapsesAt.filter(at -> !now.isBefore(at)).isPresent();
    }

    private WaitCause denied(PermitReply.Ruled ruled) {
        return WaitCause.of(Denial.cause(ruled), at -> Denial.reason(ruled, pod.node()));
    }

    private WaitCause shrinking() {
        return patching()
                .or(this::guest)
                .or(this::driverFailed)
                .orElseGet(() -> WaitCause.of(Waiting.PATCH, "is about to be patched to a smaller size"));
    }

    /** The guest has to agree before the VM shrinks. */
    private Optional<WaitCause> guest() {
        if (!connected) {
            return Optional.of(
                    WaitCause.of(Waiting.MONITOR, "its monitor is not connected: the VM is not shrunk without it"));
        }
        boolean agreed = detail.monitor().most().filter(size()::exceeds).isPresent();
        return switch (answers.guest()) {
            case LastReplies.Doer.DownscaleDenied(var status) -> Optional.of(deniedDownscale(status));
            case LastReplies.Doer.Failed(var reason)
            when !agreed ->
                Optional.of(retry(
                        reason,
                        detail.monitor()
                                .downscaleFailedAt()
                                .or(() -> detail.monitor().upscaleFailedAt()),
                        config().monitorRetryWait()));
            case LastReplies.Doer.Nothing _, LastReplies.Doer.Failed _ ->
                agreed ? Optional.empty() : Optional.of(WaitCause.of(Waiting.MONITOR, this::guestRequest));
        };
    }

    private String guestRequest(Instant at) {
        return detail.monitor()
                .requested()
                .map(target -> "a downscale to " + ScalingStatusText.text(target) + " was requested from the monitor")
                .orElse("a downscale is about to be requested from the monitor");
    }

    private WaitCause deniedDownscale(String status) {
        var refused = detail.monitor().deniedDownscale().map(denial -> ScalingStatusText.text(denial.requested()));
        return WaitCause.of(
                Waiting.DENIED_DOWNSCALE,
                at -> "a downscale to " + refused.orElse("a smaller size") + " is denied: "
                        + (status.isEmpty() ? "no reason was given" : status));
    }

    /** The VM has the size; driver and guest still have to apply it. */
    private WaitCause inEffect() {
        return guestUpscalePending().or(this::patching).or(this::applying).orElseGet(this::content);
    }

    private Optional<WaitCause> guestUpscalePending() {
        if (answers.guest() instanceof LastReplies.Doer.Failed(var reason)
                && detail.monitor().upscaleFailedAt().isPresent()) {
            return Optional.of(retry(reason, detail.monitor().upscaleFailedAt(), config().monitorRetryWait()));
        }
        return detail.monitor()
                .telling()
                .map(target -> WaitCause.of(
                        Waiting.MONITOR, at -> "the monitor is being notified of " + ScalingStatusText.text(target)));
    }

    private Optional<WaitCause> applying() {
        return answers.unshown()
                .map(unshown -> WaitCause.of(Waiting.PATCH, at -> ScalingStatusText.unshown(unshown, detail)))
                .or(() -> detail.driver().inDoubt() ? driverFailed() : Optional.empty());
    }

    private WaitCause content() {
        if (!demand.complete()) {
            return WaitCause.of(Waiting.METRICS, "file cache metrics are missing: the VM is not shrunk without them");
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
            var what = driver.awaitsStatus() ? "is patched to " : "is being patched to ";
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
