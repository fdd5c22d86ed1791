package io.sluice.agent.core.runner;

import io.sluice.agent.core.pace.PendingRequest;
import io.sluice.agent.core.scaling.ActionSet;
import io.sluice.agent.core.scaling.ScalingCore;
import io.sluice.agent.core.status.LastReplies;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.monitor.ResizeGuest;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.Optional;

/** A serving runner's requests to the monitor in its VM: sends what the core decides, and passes the replies to it. */
final class GuestRequests {
    private final RunnerContext setting;
    private final ScalingCore core;
    private final LastReplies answers;
    private Optional<Counted> upscaleRequest = Optional.empty();

    /** An upscale request that the core has, and what the VM had then. */
    private record Counted(Instant at, Resources using) {}

    GuestRequests(RunnerContext setting, ScalingCore core, LastReplies answers) {
        this.setting = setting;
        this.core = core;
        this.answers = answers;
    }

    void send(ActionSet.MonitorUpscale offer, Instant now) {
        core.monitorUpscaleStarting(now, offer.target());
        var request = new ResizeGuest(setting.pod().vm(), setting.link().generation(), offer.target());
        setting.requests()
                .send(
                        new PendingRequest.GuestUp(),
                        now,
                        number -> new RunnerAction.UpscaleGuest(number, request, offer.current(), connectedBy()));
    }

    void send(ActionSet.MonitorDownscale offer, GoalBasis basis, Instant now) {
        core.monitorDownscaleStarting(now, offer.target());
        var request = new ResizeGuest(setting.pod().vm(), setting.link().generation(), offer.target());
        setting.requests()
                .send(
                        new PendingRequest.GuestDown(offer, basis),
                        now,
                        number -> new RunnerAction.DownscaleGuest(number, request, offer.current(), connectedBy()));
    }

    private String connectedBy() {
        return setting.link().at().orElse("");
    }

    void sent(ResizeReply reply, Instant now) {
        switch (reply) {
            case ResizeReply.Accepted _ -> {
                core.monitorUpscaleSuccess(now);
                answers.guestAgreed();
            }
            case ResizeReply.Denied denied -> tellingFailed(denied.status(), now);
            case ResizeReply.Failed failed -> tellingFailed(failed.reason(), now);
        }
    }

    void tellingFailed(String reason, Instant now) {
        core.monitorUpscaleFailed(now);
        trouble("the upscale notification to the monitor failed: " + reason, now);
    }

    void answered(PendingRequest.GuestDown pending, ResizeReply reply, Instant now) {
        var request = pending.request();
        switch (reply) {
            case ResizeReply.Accepted _ -> {
                core.monitorDownscaleAllowed(now, request.targetRevision());
                answers.guestAgreed();
            }
            case ResizeReply.Denied denied -> {
                core.monitorDownscaleDenied(now, request.targetRevision());
                answers.guestDenied(denied.status());
                setting.reports()
                        .downscaleDenied(request.current(), request.target(), denied.status(), pending.basis(), now);
            }
            case ResizeReply.Failed failed -> requestFailed(failed.reason(), now);
        }
    }

    void requestFailed(String reason, Instant now) {
        core.monitorDownscaleFailed(now);
        trouble("the downscale request to the monitor failed: " + reason, now);
    }

    private void trouble(String sentence, Instant now) {
        answers.guestFailed(sentence);
        setting.reports().warn(RunnerReports.Topic.GUEST, sentence, now);
    }

    /** The session with the monitor was replaced, or ended; requests of the old one are void. */
    void sessionChanged(Instant now) {
        setting.requests().forget(pending -> switch (pending) {
            case PendingRequest.GuestUp _, PendingRequest.GuestDown _ -> true;
            case PendingRequest.Open _, PendingRequest.Claim _, PendingRequest.Permit _, PendingRequest.Patch _ ->
                false;
            case PendingRequest.Attach _, PendingRequest.Scrape _, PendingRequest.ScrapeLfc _ -> false;
        });
        core.monitorReset(now);
        answers.forgetGuest();
        greet(setting.link().isFound(), now);
    }

    /**
     * The runner begins to serve. A session that began before that, when the VM may have had another size, is found.
     */
    void begin(Instant now) {
        greet(true, now);
    }

    /**
     * Starts from the current session. An upscale request may have arrived before its state, and one of a driver counts
     * in any session: the core has it again, unless the VM has grown by it, as it would grow once more.
     */
    private void greet(boolean found, Instant now) {
        if (setting.link().connected()) {
            if (found) {
                core.monitorFound(now);
            } else {
                core.monitorActive(now);
            }
            setting.link().upscaleRequestedAt().filter(at -> !grewSince(at)).ifPresent(this::upscaleRequested);
        }
    }

    private boolean grewSince(Instant requestedAt) {
        return upscaleRequest
                .filter(counted -> counted.at().equals(requestedAt))
                .filter(counted -> core.using().memoryBytes() > counted.using().memoryBytes())
                .isPresent();
    }

    /** Monitors request memory only. */
    void upscaleRequested(Instant at) {
        upscaleRequest = Optional.of(new Counted(at, core.using()));
        core.upscaleRequested(at, false, true);
    }
}
