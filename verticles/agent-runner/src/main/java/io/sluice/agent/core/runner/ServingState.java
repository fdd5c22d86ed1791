package io.sluice.agent.core.runner;

import io.sluice.agent.core.pace.OptionalInstants;
import io.sluice.agent.core.pace.PendingRequest;
import io.sluice.agent.core.pace.ReactionTracker;
import io.sluice.agent.core.policy.VmGoals;
import io.sluice.agent.core.scaling.ActionSet;
import io.sluice.agent.core.scaling.Demand;
import io.sluice.agent.core.scaling.ScalingCore;
import io.sluice.agent.core.scaling.VmInfo;
import io.sluice.agent.core.status.LastReplies;
import io.sluice.agent.core.status.ScalingStatus;
import io.sluice.agent.core.status.WaitCause;
import io.sluice.agent.core.status.WaitExplanation;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A runner that has a session and holds the VM's fence. It turns the scaling core's decisions into requests with
 * session, sequence number, fence and generation, and passes their replies to the core.
 */
final class ServingState {
    /** One of each kind, and one more round for a request that could not be started. */
    private static final int STARTS_MAX = 5;

    private final RunnerContext setting;
    private final ScalingCore core;
    private final long session;
    private final Resources reserved;
    private final ReactionTracker raises = new ReactionTracker();
    private final LastReplies answers = new LastReplies();
    private final GuestRequests guest;
    private final VmGoals goals;
    private final ScalingEventRecorder recorder;
    private Fence fence;
    private long seq;
    private Optional<Instant> requestNotBefore = Optional.empty();
    private Optional<Instant> wakeAt = Optional.empty();
    private Optional<PendingStop> ending = Optional.empty();
    private GoalBasis basis = GoalBasis.NONE;
    private Resources desired = Resources.NONE;
    private Optional<Demand> demand = Optional.empty();
    private long queries;

    /** Starts with the session and fence of the opening. */
    ServingState(
            RunnerContext setting, ScalingCore core, SessionOpening.Entered entered, ScalingEventRecorder recorder) {
        this.setting = setting;
        this.core = core;
        this.session = entered.session();
        this.reserved = entered.reserved();
        this.fence = entered.fence();
        this.guest = new GuestRequests(setting, core, answers);
        this.recorder = recorder;
        this.goals = new VmGoals(
                setting.config().policies(), core.detail(), setting.config().scrapePeriod());
    }

    ScalingCore core() {
        return core;
    }

    VmGoals goals() {
        return goals;
    }

    /** What the metrics ask for, as of the last {@link #advance}, in compute units. */
    int goalCu() {
        return basis.goalCu();
    }

    GuestRequests guest() {
        return guest;
    }

    long session() {
        return session;
    }

    long seq() {
        return seq;
    }

    Fence fence() {
        return fence;
    }

    /** Set when this runner must not go on. */
    Optional<PendingStop> ending() {
        return ending;
    }

    /**
     * When the core's decisions, what may be started of them, or what the VM waits for, can change without an event.
     */
    Optional<Instant> wakeAt() {
        return wakeAt;
    }

    /** How often the core was queried for its next actions, since the last call. */
    long takeQueries() {
        long taken = queries;
        queries = 0;
        return taken;
    }

    /** The VM's status, as of the last {@link #advance}. */
    ScalingStatus status(VmPhase phase, Instant now) {
        var detail = core.detail();
        var known = demand.filter(Demand::known);
        var cause = demand.map(it -> new WaitExplanation(
                                detail,
                                it,
                                answers,
                                setting.pod(),
                                phase,
                                setting.link().connected(),
                                now)
                        .cause())
                .orElseGet(() -> WaitCause.of(Waiting.METRICS, "the runner has just started"));
        return new ScalingStatus(
                setting.pod(),
                detail.vm().using(),
                known.map(Demand::size),
                detail.scheduler().permit().or(() -> Optional.of(reserved)),
                basis,
                cause,
                Optional.of(setting.config().core().computeUnit()));
    }

    /** Starts all requests of the core that may be started. */
    void advance(Instant now, boolean byLoad) {
        var actions = query(now);
        var using = core.using();
        raises.record(actions.desired(), using, now, byLoad);
        desired = actions.desired();
        demand = Optional.of(actions.demand());
        basis = actions.basis();
        if (!using.exceeds(actions.demand().size())) {
            answers.forgetGuest();
        }
        for (int started = 0; started < STARTS_MAX && startOne(actions, now); started++) {
            actions = query(now);
        }
        var waited = actions.waitFor().map(now::plus).filter(now::isBefore);
        var mayRequest = requestNotBefore.filter(now::isBefore);
        wakeAt = OptionalInstants.sooner(
                OptionalInstants.sooner(waited, mayRequest), stuckAt().filter(now::isBefore));
    }

    private ActionSet query(Instant now) {
        queries++;
        var actions = core.nextActions(now);
        recorder.weighed(core.using(), actions, now);
        return actions;
    }

    private Optional<Instant> stuckAt() {
        var wait = WaitExplanation.stuckAfter(setting.config().core());
        return answers.unshown().map(unshown -> unshown.since().plus(wait));
    }

    /** A new observation of the VM. */
    void vmObserved(VmInfo info, Instant now) {
        core.vmUpdated(info, now);
        info.currentRevision()
                .ifPresent(reached -> answers.shown(reached.revision().value(), now));
    }

    /** A start is an update of the core, after which only the actions of a new query count. */
    private boolean startOne(ActionSet actions, Instant now) {
        if (actions.pluginRequest().isPresent()
                && requestNotBefore.filter(now::isBefore).isEmpty()) {
            request(actions.pluginRequest().get(), now);
            return true;
        }
        if (actions.neonVmRequest().isPresent() && patch(actions.neonVmRequest().get(), now)) {
            return true;
        }
        if (actions.monitorUpscale().isPresent()) {
            guest.send(actions.monitorUpscale().get(), now);
            return true;
        }
        actions.monitorDownscale().ifPresent(down -> guest.send(down, basis, now));
        return actions.monitorDownscale().isPresent();
    }

    private void request(ActionSet.PluginRequest offer, Instant now) {
        core.schedulerStarting(now, offer.target());
        seq++;
        var request = new PermitRequest(
                setting.pod().node(),
                setting.pod().pod(),
                setting.runnerId(),
                session,
                seq,
                setting.config().core().computeUnit(),
                offer.target(),
                offer.lastPermit(),
                offer.load1(),
                core.reportedUse());
        setting.requests()
                .send(
                        new PendingRequest.Permit(request, offer.targetRevision()),
                        now,
                        number -> new RunnerAction.RequestPermit(number, request));
    }

    private boolean patch(ActionSet.NeonVmRequest offer, Instant now) {
        var sendWithin = sendWithin(offer, now);
        var revision = offer.targetRevision().revision();
        if (!sendWithin.isPositive() || !core.neonVmStarting(now, offer.target(), revision)) {
            return false;
        }
        recorder.patching(offer.current(), offer.target(), now);
        fence = fence.drawNext();
        var request = new PatchVm(
                setting.pod().vm(),
                setting.pod().podName(),
                offer.target(),
                revision,
                fence.text(),
                fence.nextText(),
                sendWithin);
        setting.requests()
                .send(
                        new PendingRequest.Patch(offer, fence.drawn(), basis, raises.since(offer.target())),
                        now,
                        number -> new RunnerAction.PatchSize(number, request, offer.current()));
        return true;
    }

    private Duration sendWithin(ActionSet.NeonVmRequest offer, Instant now) {
        var most = setting.config().requestDeadline();
        return offer.notAfter()
                .map(end -> Duration.between(now, end))
                .filter(rest -> rest.compareTo(most) < 0)
                .orElse(most);
    }

    void answered(PendingRequest.Permit request, PermitReply reply, Instant now) {
        switch (reply) {
            case PermitReply.Ruled ruled -> ruled(request, ruled, now);
            case PermitReply.Late late -> overtaken(late.newestSeq(), now);
            case PermitReply.SeqReused reused -> overtaken(reused.seq(), now);
            case PermitReply.Superseded superseded -> {
                core.schedulerFailed(now);
                supersede("the ledger has session " + superseded.current() + " instead of " + session);
            }
            case PermitReply.OpenAgain again -> {
                core.schedulerFailed(now);
                end(StopReason.LEDGER_LOST, "the ledger has no session beyond " + again.current());
            }
            case PermitReply.NotReady notReady -> {
                core.schedulerFailed(now);
                answers.notReady(notReady.cause());
                requestNotBefore = Optional.of(now.plus(notReady.retryAfter()));
            }
            case PermitReply.Refused refused ->
                permitFailed("the ledger refused: " + refused.cause().sentence(), now);
        }
    }

    private void ruled(PendingRequest.Permit request, PermitReply.Ruled ruled, Instant now) {
        var permitRequest = request.request();
        if (ruled.session() != session || ruled.seq() != permitRequest.seq()) {
            permitFailed("the ledger replied to another permit request", now);
            return;
        }
        if (core.schedulerSuccess(now, ruled.permit(), Optional.of(ruled.validFor()), request.revision())) {
            answers.ruled(
                    ruled, permitRequest.target(), core.detail().scheduler().lapsesAt());
        } else {
            answers.ledgerFailed("a permit of " + ruled.permit() + " is impossible here");
            warn(RunnerReports.Topic.PERMIT, "a permit of " + ruled.permit() + " is impossible here", now);
        }
        if (ruled.migrating()) {
            core.aboutToMove(now);
        } else {
            core.movingRevoked(now);
        }
        if (permitRequest.target().exceeds(ruled.permit())) {
            setting.reports().denied(permitRequest, ruled, basis, now);
        }
    }

    /** A later sequence number was used in this session, or this one with other content: go on beyond it. */
    private void overtaken(long newestSeq, Instant now) {
        seq = Math.max(seq, newestSeq);
        permitFailed("the ledger has already received sequence number " + newestSeq + "", now);
    }

    void permitFailed(String reason, Instant now) {
        core.schedulerFailed(now);
        answers.ledgerFailed(reason);
        warn(RunnerReports.Topic.PERMIT, "a permit request failed: " + reason, now);
    }

    void answered(PendingRequest.Patch sent, PatchReply reply, Instant now) {
        var request = sent.request();
        switch (reply) {
            case PatchReply.Patched patched -> {
                fence = fence.wrote(sent.fence());
                core.neonVmSuccess(now);
                answers.patched(
                        request.target(), request.targetRevision().revision().value(), now);
                scaled(sent, request.target(), sent.raisedAt(), now);
            }
            case PatchReply.Refused refused -> {
                core.neonVmFailed(now);
                patchTrouble("a patch was refused (" + refused.status() + "): " + refused.reason(), now);
            }
            case PatchReply.InDoubt inDoubt -> patchInDoubt(inDoubt.reason(), now);
            case PatchReply.Conflict conflict -> conflict(sent, conflict, now);
        }
    }

    void patchInDoubt(String reason, Instant now) {
        core.neonVmInDoubt(now);
        patchTrouble("it is unknown whether a patch was applied: " + reason, now);
    }

    private void patchTrouble(String sentence, Instant now) {
        answers.patchFailed(sentence);
        warn(RunnerReports.Topic.PATCH, sentence, now);
    }

    private void conflict(PendingRequest.Patch sent, PatchReply.Conflict conflict, Instant now) {
        core.neonVmConflict(now, conflict.size());
        if (fence.weigh(conflict.fence(), setting.runnerId()) instanceof Fence.Outcome.Ours(var current)) {
            fence = current;
            scaled(sent, conflict.size(), raises.since(conflict.size()), now);
        } else {
            fenceLost(conflict.fence());
        }
    }

    /**
     * {@code current}: the fence that an observation of the VM shows. A runner that has nothing to patch detects the
     * loss of its fence only this way.
     */
    void fenceObserved(String current) {
        if (fence.isOlderThan(current)) {
            fenceLost(current);
        }
    }

    private void fenceLost(String current) {
        switch (fence.weigh(current, setting.runnerId())) {
            case Fence.Outcome.Ours _ -> {}
            case Fence.Outcome.Nobodys _ ->
                end(StopReason.FENCE_LOST, "the fence on the VM has to be claimed again: " + current);
            case Fence.Outcome.Foreign _ -> supersede("another runner wrote the fence on the VM: " + current);
        }
    }

    private void scaled(PendingRequest.Patch sent, Resources to, Optional<Instant> raisedAt, Instant now) {
        raises.reached(to);
        var reaction = raisedAt.map(at -> Duration.between(at, now));
        setting.reports().scaled(sent.request().current(), to, reaction, sent.basis());
    }

    /** Reports an upscale request of the monitor, once the core has computed what follows from it. */
    void reportUpscaleRequest(Instant now) {
        setting.reports().upscaleRequested(core.using(), desired, basis, now);
    }

    void reportComplaints(List<String> sentences, Instant now) {
        setting.reports().complaints(sentences, core.using(), basis, now);
    }

    private void supersede(String sentence) {
        if (ending.isEmpty()) {
            setting.reports().superseded(core.using(), basis, sentence);
        }
        end(StopReason.SUPERSEDED, sentence);
    }

    private void end(StopReason reason, String sentence) {
        end(new PendingStop(reason, sentence));
    }

    /** The runner must not go on; the first reason counts. */
    void end(PendingStop why) {
        ending = ending.or(() -> Optional.of(why));
    }

    private void warn(RunnerReports.Topic topic, String sentence, Instant now) {
        setting.reports().warn(topic, sentence, now);
    }
}
