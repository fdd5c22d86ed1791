package io.sluice.agent.scheduler.core;

import io.sluice.messages.ledger.permit.KindDecision;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.ledger.permit.RefusalCause;
import java.time.Duration;
import java.util.Optional;

/**
 * Converts responses of schedulers to the ledger's replies on the bus. Whether a permit is possible is not checked
 * here, but by the runner's core.
 */
public final class LedgerReplies {
    private LedgerReplies() {}

    /** The reply to a request for a session; one without a session comes from a server that has no sessions. */
    public static ReplyOutcome<OpenReply> opening(SchedulerAnswer answer) {
        return switch (answer) {
            case SchedulerAnswer.Permit permit -> {
                boolean local = permit.session().isEmpty();
                yield new ReplyOutcome.Replied<>(new OpenReply.Opened(
                        permit.session().orElse(LocalSession.NUMBER),
                        permit.resources(),
                        // Without a session the response does not show what else was granted: the VM's maximum counts.
                        local || permit.recovered()));
            }
            case SchedulerAnswer.PodUnknown _ ->
                new ReplyOutcome.Replied<>(new OpenReply.Refused(RefusalCause.POD_UNKNOWN));
            case SchedulerAnswer.Superseded _ -> lost("another runner has taken over the VM");
            case SchedulerAnswer.OpenAgain _ -> lost("the scheduler took the opening for a permit request");
            case SchedulerAnswer.VersionRefused(var words) -> lost(words);
            case SchedulerAnswer.Refused refused -> refused(refused);
            case SchedulerAnswer.Unreadable(var why) -> lost(why);
        };
    }

    /**
     * The reply to a permit request.
     *
     * @param validFor how long a permit is valid if the response does not have that
     */
    public static ReplyOutcome<PermitReply> permit(PermitRequest request, SchedulerAnswer answer, Duration validFor) {
        return switch (answer) {
            case SchedulerAnswer.Permit permit -> new ReplyOutcome.Replied<>(ruled(request, permit, validFor));
            // The response does not have the number of the current session; it is a later one.
            case SchedulerAnswer.Superseded _ ->
                new ReplyOutcome.Replied<>(new PermitReply.Superseded(request.session() + 1, ""));
            case SchedulerAnswer.OpenAgain _ -> new ReplyOutcome.Replied<>(new PermitReply.OpenAgain(0));
            case SchedulerAnswer.PodUnknown _ ->
                new ReplyOutcome.Replied<>(new PermitReply.Refused(RefusalCause.POD_UNKNOWN));
            case SchedulerAnswer.VersionRefused(var words) -> lost(words);
            case SchedulerAnswer.Refused refused -> refused(refused);
            case SchedulerAnswer.Unreadable(var why) -> lost(why);
        };
    }

    private static PermitReply ruled(PermitRequest request, SchedulerAnswer.Permit permit, Duration validFor) {
        var granted = permit.resources();
        return new PermitReply.Ruled(
                permit.session().orElse(request.session()),
                request.seq(),
                granted,
                permit.validFor().orElse(validFor),
                permit.migrating(),
                ruling(permit.cpu(), permit, request.target().milliCpu(), granted.milliCpu()),
                ruling(permit.memory(), permit, request.target().memoryBytes(), granted.memoryBytes()));
    }

    /** Some servers send no numbers: a node whose total is zero is one whose numbers are unknown. */
    private static KindDecision ruling(
            Optional<KindDecision> before, SchedulerAnswer.Permit permit, long requested, long granted) {
        var outcome = granted >= requested
                ? KindDecision.Rule.GRANTED
                : permit.migrating() ? KindDecision.Rule.MIGRATING : KindDecision.Rule.CUT_TO_ROOM;
        return before.map(reported -> new KindDecision(
                        reported.outcome(),
                        reported.before(),
                        requested,
                        granted,
                        reported.remaining(),
                        reported.nodeReserved(),
                        reported.nodeTotal()))
                .orElseGet(() -> new KindDecision(outcome, 0, requested, granted, 0, 0, 0));
    }

    private static <R> ReplyOutcome<R> refused(SchedulerAnswer.Refused refused) {
        var words = refused.words().isEmpty() ? "" : ": " + refused.words();
        return new ReplyOutcome.Unanswered<>("the scheduler answered " + refused.status() + words, refused.pause());
    }

    private static <R> ReplyOutcome<R> lost(String reason) {
        return new ReplyOutcome.Unanswered<>(reason, Optional.empty());
    }
}
