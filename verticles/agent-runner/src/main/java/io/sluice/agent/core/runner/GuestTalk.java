package io.sluice.agent.core.runner;

import io.sluice.agent.core.scaling.ActionSet;
import io.sluice.agent.core.scaling.ScalingCore;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.monitor.ResizeGuest;
import io.sluice.messages.monitor.ResizeReply;
import java.time.Instant;

/** A serving runner's talk with the monitor in its VM: what the core wants of it, and what its answers mean. */
final class GuestTalk {
    private final Setting setting;
    private final ScalingCore core;
    private final LastAnswers answers;

    GuestTalk(Setting setting, ScalingCore core, LastAnswers answers) {
        this.setting = setting;
        this.core = core;
        this.answers = answers;
    }

    void tell(ActionSet.MonitorUpscale offer, Instant now) {
        core.monitorUpscaleStarting(now, offer.target());
        var question = new ResizeGuest(setting.member().vm(), setting.link().generation(), offer.target());
        setting.requests()
                .send(
                        new Pending.GuestUp(),
                        now,
                        number -> new RunnerAction.TellGuest(number, question, offer.current(), keeper()));
    }

    void ask(ActionSet.MonitorDownscale offer, GoalBasis basis, Instant now) {
        core.monitorDownscaleStarting(now, offer.target());
        var question = new ResizeGuest(setting.member().vm(), setting.link().generation(), offer.target());
        setting.requests()
                .send(
                        new Pending.GuestDown(offer, basis),
                        now,
                        number -> new RunnerAction.AskGuest(number, question, offer.current(), keeper()));
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
            case ResizeReply.Vetoed vetoed -> tellingFailed(vetoed.status(), now);
            case ResizeReply.Failed failed -> tellingFailed(failed.reason(), now);
        }
    }

    void tellingFailed(String reason, Instant now) {
        core.monitorUpscaleFailed(now);
        trouble("the monitor could not be told of more: " + reason, now);
    }

    void answered(Pending.GuestDown asked, ResizeReply reply, Instant now) {
        var request = asked.request();
        switch (reply) {
            case ResizeReply.Accepted _ -> {
                core.monitorDownscaleAllowed(now, request.targetRevision());
                answers.guestAgreed();
            }
            case ResizeReply.Vetoed vetoed -> {
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
        setting.reports().warn(Reports.Topic.GUEST, sentence, now);
    }

    /** The session with the monitor is another one now, or there is none; what was asked in the old one is void. */
    void sessionChanged(Instant now) {
        setting.requests().forget(pending -> switch (pending) {
            case Pending.GuestUp _, Pending.GuestDown _ -> true;
            case Pending.Open _, Pending.Claim _, Pending.Permit _, Pending.Patch _ -> false;
            case Pending.Attach _, Pending.Scrape _, Pending.ScrapeLfc _ -> false;
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
