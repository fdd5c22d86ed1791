package io.sluice.agent.core.runner;

import io.sluice.agent.core.scaling.ActionSet;
import io.sluice.agent.core.scaling.ScalingCore;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.monitor.ResizeGuest;
import io.sluice.messages.monitor.ResizeReply;
import java.time.Instant;

/** A serving runner's talk with the monitor in its VM: what the core wants of it, and what its answers mean. */
final class GuestRequests {
    private final RunnerContext setting;
    private final ScalingCore core;
    private final LastReplies answers;

    GuestRequests(RunnerContext setting, ScalingCore core, LastReplies answers) {
        this.setting = setting;
        this.core = core;
        this.answers = answers;
    }

    void tell(ActionSet.MonitorUpscale offer, Instant now) {
        core.monitorUpscaleStarting(now, offer.target());
        var question = new ResizeGuest(setting.member().vm(), setting.link().generation(), offer.target());
        setting.requests()
                .send(
                        new PendingRequest.GuestUp(),
                        now,
                        number -> new RunnerAction.UpscaleGuest(number, question, offer.current(), keeper()));
    }

    void ask(ActionSet.MonitorDownscale offer, GoalBasis basis, Instant now) {
        core.monitorDownscaleStarting(now, offer.target());
        var question = new ResizeGuest(setting.member().vm(), setting.link().generation(), offer.target());
        setting.requests()
                .send(
                        new PendingRequest.GuestDown(offer, basis),
                        now,
                        number -> new RunnerAction.DownscaleGuest(number, question, offer.current(), keeper()));
    }

    private String keeper() {
        return setting.link().at().orElse("");
    }

    void told(ResizeReply reply, Instant now) {
        switch (reply) {
            case ResizeReply.Accepted _ -> {
                core.monitorUpscaleSuccess(now);
                answers.guestAgreed();
            }
            case ResizeReply.Denied vetoed -> tellingFailed(vetoed.status(), now);
            case ResizeReply.Failed failed -> tellingFailed(failed.reason(), now);
        }
    }

    void tellingFailed(String reason, Instant now) {
        core.monitorUpscaleFailed(now);
        trouble("the monitor could not be told of more: " + reason, now);
    }

    void answered(PendingRequest.GuestDown asked, ResizeReply reply, Instant now) {
        var request = asked.request();
        switch (reply) {
            case ResizeReply.Accepted _ -> {
                core.monitorDownscaleAllowed(now, request.targetRevision());
                answers.guestAgreed();
            }
            case ResizeReply.Denied vetoed -> {
                core.monitorDownscaleDenied(now, request.targetRevision());
                answers.guestVetoed(vetoed.status());
                setting.reports().vetoed(request.current(), request.target(), vetoed.status(), asked.basis(), now);
            }
            case ResizeReply.Failed failed -> askingFailed(failed.reason(), now);
        }
    }

    void askingFailed(String reason, Instant now) {
        core.monitorDownscaleFailed(now);
        trouble("the monitor could not be asked for less: " + reason, now);
    }

    private void trouble(String sentence, Instant now) {
        answers.guestFailed(sentence);
        setting.reports().warn(RunnerReports.Topic.GUEST, sentence, now);
    }

    /** The session with the monitor is another one now, or there is none; what was asked in the old one is void. */
    void sessionChanged(Instant now) {
        setting.requests().forget(pending -> switch (pending) {
            case PendingRequest.GuestUp _, PendingRequest.GuestDown _ -> true;
            case PendingRequest.Open _, PendingRequest.Claim _, PendingRequest.Permit _, PendingRequest.Patch _ ->
                false;
            case PendingRequest.Attach _, PendingRequest.Scrape _, PendingRequest.ScrapeLfc _ -> false;
        });
        core.monitorReset(now);
        answers.forgetGuest();
        greet(now);
    }

    /** Begins with what is known of the session, which may have cried before it was known to be there. */
    void greet(Instant now) {
        if (setting.link().connected()) {
            core.monitorActive(now);
            setting.link().criedAt().ifPresent(this::cried);
        }
    }

    /** Monitors cry for memory alone. */
    void cried(Instant at) {
        core.upscaleRequested(at, false, true);
    }
}
