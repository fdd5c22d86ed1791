package io.sluice.agent.core.runner;

import io.sluice.agent.core.pace.PendingRequest;
import io.sluice.agent.core.status.ScalingStatusText;
import io.sluice.agent.core.status.WaitCause;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.ledger.permit.NotReadyCause;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.Optional;

/** The start of a runner: it requests a session from the ledger, and then writes its fence on the VM. */
final class SessionOpening {
    private final RunnerContext setting;
    private final RunnerHandover resume;
    private Step step = new Step.Opening(Optional.empty());
    private Trouble trouble = new Trouble.None();
    private long claims;

    private sealed interface Step {
        /** {@code again}: when to send the request again, if it must wait. */
        record Opening(Optional<Instant> again) implements Step {}

        record Claiming(long session, Resources reserved, Optional<Instant> again) implements Step {}
    }

    /** Why the current step is not done yet, by the last reply. */
    private sealed interface Trouble {
        record None() implements Trouble {}

        record NotReady(NotReadyCause cause) implements Trouble {}

        record Failed(String reason, Instant until) implements Trouble {}
    }

    /**
     * The runner may begin to scale.
     *
     * @param session its ledger session
     * @param reserved what the ledger holds for the VM at most
     * @param fence that the VM has
     * @param claim the reply to the claim
     */
    record Entered(long session, Resources reserved, Fence fence, ClaimReply.Claimed claim) {}

    SessionOpening(RunnerContext setting, RunnerHandover resume) {
        this.setting = setting;
        this.resume = resume;
    }

    /** Sends what is due. */
    void advance(Instant now) {
        switch (step) {
            case Step.Opening(var again) when due(again, now) && !waitsFor(PendingRequest.Open.class) -> open(now);
            case Step.Claiming(var session, var reserved, var again)
            when due(again, now) && !waitsFor(PendingRequest.Claim.class) -> claim(session, reserved, now);
            case Step.Opening _, Step.Claiming _ -> {}
        }
    }

    private void open(Instant now) {
        var pod = setting.pod();
        var request = new OpenSession(pod.node(), pod.pod(), setting.runnerId(), resume.lastSessionOf(pod.pod()));
        step = new Step.Opening(Optional.empty());
        setting.requests()
                .send(new PendingRequest.Open(), now, number -> new RunnerAction.OpenLedgerSession(number, request));
    }

    /**
     * {@code most}: the VM's maximum. The ledger reserves it for a pod whose agent has not reported yet, unless more
     * use was observed.
     */
    void opened(OpenReply reply, Resources most, Instant now) {
        if (!(step instanceof Step.Opening)) {
            return;
        }
        switch (reply) {
            case OpenReply.Opened(var session, var reserved, var recovered) -> {
                trouble = new Trouble.None();
                step = new Step.Claiming(session, recovered ? reserved.max(most) : reserved, Optional.empty());
            }
            case OpenReply.NotReady(var cause, var retryAfter) -> {
                trouble = new Trouble.NotReady(cause);
                step = new Step.Opening(Optional.of(now.plus(retryAfter)));
            }
            case OpenReply.Refused(var cause) -> openFailed(cause.sentence(), now);
        }
    }

    void openFailed(String reason, Instant now) {
        setting.reports().warn(RunnerReports.Topic.SESSION, "the ledger opened no session: " + reason, now);
        if (step instanceof Step.Opening) {
            var until = now.plus(setting.config().core().schedulerRetryWait());
            trouble = new Trouble.Failed("the ledger opened no session: " + reason, until);
            step = new Step.Opening(Optional.of(until));
        }
    }

    /** Each attempt has its own owner, so that one that is applied late is separate from the one that counts. */
    private void claim(long session, Resources reserved, Instant now) {
        claims++;
        var owner = setting.runnerId() + "." + claims;
        step = new Step.Claiming(session, reserved, Optional.empty());
        var request = new ClaimVm(setting.pod().vm(), owner);
        setting.requests()
                .send(new PendingRequest.Claim(owner), now, number -> new RunnerAction.ClaimFence(number, request));
    }

    /** Empty if the VM does not have the fence. */
    Optional<Entered> claimed(PendingRequest.Claim request, ClaimReply reply, Instant now) {
        switch (reply) {
            case ClaimReply.Claimed claim -> {
                var fence = Fence.claimed(request.owner(), claim.fence());
                if (fence.isPresent() && step instanceof Step.Claiming(var session, var reserved, var _)) {
                    return Optional.of(new Entered(session, reserved, fence.get(), claim));
                }
                claimFailed("the reply has the fence of another owner, " + claim.fence(), now);
            }
            case ClaimReply.Failed(var reason) -> claimFailed(reason, now);
        }
        return Optional.empty();
    }

    void claimFailed(String reason, Instant now) {
        setting.reports().warn(RunnerReports.Topic.FENCE, "the fence was not written: " + reason, now);
        if (step instanceof Step.Claiming(var session, var reserved, var _)) {
            var until = now.plus(setting.config().core().neonVmRetryWait());
            trouble = new Trouble.Failed("the fence was not written: " + reason, until);
            step = new Step.Claiming(session, reserved, Optional.of(until));
        }
    }

    Optional<Instant> wakeAt() {
        return switch (step) {
            case Step.Opening(var again) -> again;
            case Step.Claiming(var _, var _, var again) -> again;
        };
    }

    /** 0 while there is none. */
    long session() {
        return switch (step) {
            case Step.Opening _ -> 0;
            case Step.Claiming(var session, var _, var _) -> session;
        };
    }

    RunnerState.Stage stage() {
        return switch (step) {
            case Step.Opening _ -> RunnerState.Stage.OPENING;
            case Step.Claiming _ -> RunnerState.Stage.CLAIMING;
        };
    }

    Optional<Resources> reserved() {
        return switch (step) {
            case Step.Opening _ -> Optional.empty();
            case Step.Claiming(var _, var reserved, var _) -> Optional.of(reserved);
        };
    }

    WaitCause cause() {
        return switch (trouble) {
            case Trouble.NotReady(var cause) ->
                WaitCause.of(
                        Waiting.NODE,
                        ScalingStatusText.notReady(cause, setting.pod().node()));
            case Trouble.Failed(var reason, var until) ->
                WaitCause.of(Waiting.RETRY, now -> reason + ScalingStatusText.again(until, now));
            case Trouble.None _ ->
                switch (step) {
                    case Step.Opening _ ->
                        WaitCause.of(
                                Waiting.SESSION,
                                "a session was requested from the ledger for node "
                                        + setting.pod().node());
                    case Step.Claiming(var session, var _, var _) ->
                        WaitCause.of(Waiting.CLAIM, "the driver has to write the fence of session " + session);
                };
        };
    }

    private boolean waitsFor(Class<? extends PendingRequest> kind) {
        return setting.requests().any(kind::isInstance);
    }

    private static boolean due(Optional<Instant> again, Instant now) {
        return again.filter(now::isBefore).isEmpty();
    }
}
