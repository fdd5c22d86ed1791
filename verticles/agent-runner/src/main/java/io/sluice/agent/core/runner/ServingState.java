package io.sluice.agent.core.runner;

import io.sluice.agent.core.scaling.ActionSet;
import io.sluice.agent.core.scaling.Demand;
import io.sluice.agent.core.scaling.ScalingCore;
import io.sluice.agent.core.scaling.VmInfo;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A runner that has a session and whose fence stands: turns what the scaling core wants into requests with session,
 * seq, fence and generation, and tells the core what their answers mean.
 */
final class ServingState {
    /** One of each kind, and one more round for an offer that had to be left. */
    private static final int STARTS_MAX = 5;

    private final RunnerContext setting;
    private final ScalingCore core;
    private final long session;
    private final Resources booked;
    private final ReactionTracker raises = new ReactionTracker();
    private final LastReplies answers = new LastReplies();
    private final GuestRequests guest;
    private final ScalingEventRecorder notes;
    private Fence fence;
    private long seq;
    private Optional<Instant> askNotBefore = Optional.empty();
    private Optional<Instant> wakeAt = Optional.empty();
    private Optional<PendingStop> ending = Optional.empty();
    private GoalBasis basis = GoalBasis.NONE;
    private Resources desired = Resources.NONE;
    private Optional<Demand> demand = Optional.empty();
    private long queries;

    /** Begins with what a runner got on its way in. */
    ServingState(RunnerContext setting, ScalingCore core, SessionOpening.Entered entered, ScalingEventRecorder notes) {
        this.setting = setting;
        this.core = core;
        this.session = entered.session();
        this.booked = entered.booked();
        this.fence = entered.fence();
        this.guest = new GuestRequests(setting, core, answers);
        this.notes = notes;
    }

    ScalingCore core() {
        return core;
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

    /** When the core's wants, what may be started of them, or what the VM waits for, can change with no event. */
    Optional<Instant> wakeAt() {
        return wakeAt;
    }

    /** How often the core was asked what to do, since the last call. */
    long takeQueries() {
        long taken = queries;
        queries = 0;
        return taken;
    }

    /** Where the VM stands, as of the last {@link #advance}. */
    ScalingStatus standing(VmPhase phase, Instant now) {
        var detail = core.detail();
        var known = demand.filter(Demand::known);
        var cause = demand.map(it -> new WaitExplanation(
                                detail,
                                it,
                                answers,
                                setting.member(),
                                phase,
                                setting.link().connected(),
                                now)
                        .cause())
                .orElseGet(() -> WaitCause.of(Waiting.METRICS, "the runner has only just begun"));
        return new ScalingStatus(
                setting.member(),
                detail.vm().using(),
                known.map(Demand::size),
                detail.scheduler().permit().or(() -> Optional.of(booked)),
                basis,
                cause);
    }

    /** Starts all that the core wants and that may be started. */
    void advance(Instant now, boolean byLoad) {
        var wants = query(now);
        var using = core.using();
        raises.note(wants.desired(), using, now, byLoad);
        desired = wants.desired();
        demand = Optional.of(wants.demand());
        basis = wants.basis();
        if (!using.exceeds(wants.demand().size())) {
            answers.forgetGuest();
        }
        for (int started = 0; started < STARTS_MAX && startOne(wants, now); started++) {
            wants = query(now);
        }
        var waited = wants.waitFor().map(now::plus).filter(now::isBefore);
        var mayAsk = askNotBefore.filter(now::isBefore);
        wakeAt = OptionalInstants.sooner(
                OptionalInstants.sooner(waited, mayAsk), stuckAt().filter(now::isBefore));
    }

    private ActionSet query(Instant now) {
        queries++;
        var wants = core.nextActions(now);
        notes.weighed(core.using(), wants, now);
        return wants;
    }

    private Optional<Instant> stuckAt() {
        var wait = WaitExplanation.stuckAfter(setting.config().core());
        return answers.unshown().map(unshown -> unshown.since().plus(wait));
    }

    /** The VM's object changed; {@code shown} is the last goal that its status shows as reached. */
    void vmSeen(VmInfo info, Instant now) {
        core.vmUpdated(info, now);
        info.currentRevision()
                .ifPresent(reached -> answers.shown(reached.revision().value(), now));
    }

    /** A start is an update of the core, after which only a new query's offers count. */
    private boolean startOne(ActionSet wants, Instant now) {
        if (wants.pluginRequest().isPresent()
                && askNotBefore.filter(now::isBefore).isEmpty()) {
            ask(wants.pluginRequest().get(), now);
            return true;
        }
        if (wants.neonVmRequest().isPresent() && patch(wants.neonVmRequest().get(), now)) {
            return true;
        }
        if (wants.monitorUpscale().isPresent()) {
            guest.tell(wants.monitorUpscale().get(), now);
            return true;
        }
        wants.monitorDownscale().ifPresent(down -> guest.ask(down, basis, now));
        return wants.monitorDownscale().isPresent();
    }

    private void ask(ActionSet.PluginRequest offer, Instant now) {
        core.schedulerStarting(now, offer.target());
        seq++;
        var question = new PermitRequest(
                setting.member().node(),
                setting.member().pod(),
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
                        new PendingRequest.Permit(question, offer.targetRevision()),
                        now,
                        number -> new RunnerAction.RequestPermit(number, question));
    }

    private boolean patch(ActionSet.NeonVmRequest offer, Instant now) {
        var sendWithin = sendWithin(offer, now);
        var revision = offer.targetRevision().revision();
        if (!sendWithin.isPositive() || !core.neonVmStarting(now, offer.target(), revision)) {
            return false;
        }
        notes.patching(offer.current(), offer.target(), now);
        fence = fence.drawNext();
        var question = new PatchVm(
                setting.member().vm(),
                setting.member().podName(),
                offer.target(),
                revision,
                fence.text(),
                fence.nextText(),
                sendWithin);
        setting.requests()
                .send(
                        new PendingRequest.Patch(offer, fence.drawn(), basis, raises.since(offer.target())),
                        now,
                        number -> new RunnerAction.PatchSize(number, question, offer.current()));
        return true;
    }

    private Duration sendWithin(ActionSet.NeonVmRequest offer, Instant now) {
        var most = setting.config().requestDeadline();
        return offer.notAfter()
                .map(end -> Duration.between(now, end))
                .filter(rest -> rest.compareTo(most) < 0)
                .orElse(most);
    }

    void answered(PendingRequest.Permit asked, PermitReply reply, Instant now) {
        switch (reply) {
            case PermitReply.Ruled ruled -> ruled(asked, ruled, now);
            case PermitReply.Late late -> overtaken(late.newestSeq(), now);
            case PermitReply.SeqReused reused -> overtaken(reused.seq(), now);
            case PermitReply.Superseded superseded -> {
                core.schedulerFailed(now);
                supersede("the ledger hears session " + superseded.current() + " instead of " + session);
            }
            case PermitReply.OpenAgain again -> {
                core.schedulerFailed(now);
                end(StopReason.BOOKS_LOST, "the ledger knows no session beyond " + again.current());
            }
            case PermitReply.NotReady notReady -> {
                core.schedulerFailed(now);
                answers.notReady(notReady.cause());
                askNotBefore = Optional.of(now.plus(notReady.retryAfter()));
            }
            case PermitReply.Refused refused ->
                permitFailed("the ledger refused: " + refused.cause().sentence(), now);
        }
    }

    private void ruled(PendingRequest.Permit asked, PermitReply.Ruled ruled, Instant now) {
        var question = asked.question();
        if (ruled.session() != session || ruled.seq() != question.seq()) {
            permitFailed("the ledger answered another question than was asked", now);
            return;
        }
        if (core.schedulerSuccess(now, ruled.permit(), Optional.of(ruled.validFor()), asked.revision())) {
            answers.ruled(ruled, question.target(), core.detail().scheduler().lapsesAt());
        } else {
            answers.ledgerFailed("a permit of " + ruled.permit() + " is impossible here");
            warn(RunnerReports.Topic.PERMIT, "a permit of " + ruled.permit() + " is impossible here", now);
        }
        if (ruled.migrating()) {
            core.aboutToMove(now);
        } else {
            core.movingRevoked(now);
        }
        if (question.target().exceeds(ruled.permit())) {
            setting.reports().denied(question, ruled, basis, now);
        }
    }

    /** Someone used a later seq in this session, or this one for something else: go on beyond it. */
    private void overtaken(long newestSeq, Instant now) {
        seq = Math.max(seq, newestSeq);
        permitFailed("the ledger has taken seq " + newestSeq + " before", now);
    }

    void permitFailed(String reason, Instant now) {
        core.schedulerFailed(now);
        answers.ledgerFailed(reason);
        warn(RunnerReports.Topic.PERMIT, "a question to the ledger failed: " + reason, now);
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
        patchTrouble("nobody knows whether a patch was applied: " + reason, now);
    }

    private void patchTrouble(String sentence, Instant now) {
        answers.patchFailed(sentence);
        warn(RunnerReports.Topic.PATCH, sentence, now);
    }

    private void conflict(PendingRequest.Patch sent, PatchReply.Conflict conflict, Instant now) {
        core.neonVmConflict(now, conflict.size());
        if (fence.weigh(conflict.fence(), setting.runnerId()) instanceof Fence.Verdict.Ours(var standing)) {
            fence = standing;
            scaled(sent, conflict.size(), raises.since(conflict.size()), now);
        } else {
            fenceLost(conflict.fence());
        }
    }

    /**
     * {@code standing}: the fence that the VM was seen to carry. Who has nothing to patch hears of its loss only so.
     */
    void fenceSeen(String standing) {
        if (fence.isOlderThan(standing)) {
            fenceLost(standing);
        }
    }

    private void fenceLost(String standing) {
        switch (fence.weigh(standing, setting.runnerId())) {
            case Fence.Verdict.Ours _ -> {}
            case Fence.Verdict.Nobodys _ ->
                end(StopReason.FENCE_LOST, "the fence on the VM is nobody's who speaks for it: " + standing);
            case Fence.Verdict.Foreign _ -> supersede("the fence on the VM is another's: " + standing);
        }
    }

    private void scaled(PendingRequest.Patch sent, Resources to, Optional<Instant> raisedAt, Instant now) {
        raises.reached(to);
        var reaction = raisedAt.map(at -> Duration.between(at, now));
        setting.reports().scaled(sent.request().current(), to, reaction, sent.basis());
    }

    /** Says that the monitor cried, once it is known what follows from it. */
    void reportCry(Instant now) {
        setting.reports().cried(core.using(), desired, basis, now);
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

    /** It must not go on; the first reason counts. */
    void end(PendingStop why) {
        ending = ending.or(() -> Optional.of(why));
    }

    private void warn(RunnerReports.Topic topic, String sentence, Instant now) {
        setting.reports().warn(topic, sentence, now);
    }
}
