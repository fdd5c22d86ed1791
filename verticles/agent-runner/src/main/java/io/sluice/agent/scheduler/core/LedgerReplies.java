package io.sluice.agent.scheduler.core;

import io.sluice.messages.ledger.KindDecision;
import io.sluice.messages.ledger.OpenReply;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.messages.ledger.RefusalCause;
import java.time.Duration;
import java.util.Optional;

/**
 * Turns answers of schedulers into those that the ledger would have given on the bus. Whether a permit is possible is
 * not judged here: that is for the runner's core.
 */
public final class LedgerReplies {
    private LedgerReplies() {}

    /** The answer to a wish for a session; one without a session comes from a server that knows none. */
    public static ReplyOutcome<OpenReply> opening(SchedulerAnswer answer) {
        return switch (answer) {
            case SchedulerAnswer.Permit permit -> {
                boolean local = permit.session().isEmpty();
                yield new ReplyOutcome.Replied<>(new OpenReply.Opened(
                        permit.session().orElse(LocalSession.NUMBER),
                        permit.resources(),
                        // Without a session nobody says what else was granted: the VM's maximum counts.
                        local || permit.recovered()));
            }
            case SchedulerAnswer.PodUnknown _ ->
                new ReplyOutcome.Replied<>(new OpenReply.Refused(RefusalCause.MEMBER_UNKNOWN));
            case SchedulerAnswer.Superseded _ -> lost("somebody else speaks for the VM");
            case SchedulerAnswer.OpenAgain _ -> lost("the scheduler took the opening of a session for a question");
            case SchedulerAnswer.VersionRefused(var words) -> lost(words);
            case SchedulerAnswer.Refused refused -> refused(refused);
            case SchedulerAnswer.Unreadable(var why) -> lost(why);
        };
    }

    /**
     * The answer to a question.
     *
     * @param validFor how long a permit is good for where the answer does not say it
     */
    public static ReplyOutcome<PermitReply> permit(PermitRequest question, SchedulerAnswer answer, Duration validFor) {
        return switch (answer) {
            case SchedulerAnswer.Permit permit -> new ReplyOutcome.Replied<>(ruled(question, permit, validFor));
            // The number of the session that is current is not said; it is a later one.
            case SchedulerAnswer.Superseded _ ->
                new ReplyOutcome.Replied<>(new PermitReply.Superseded(question.session() + 1, ""));
            case SchedulerAnswer.OpenAgain _ -> new ReplyOutcome.Replied<>(new PermitReply.OpenAgain(0));
            case SchedulerAnswer.PodUnknown _ ->
                new ReplyOutcome.Replied<>(new PermitReply.Refused(RefusalCause.MEMBER_UNKNOWN));
            case SchedulerAnswer.VersionRefused(var words) -> lost(words);
            case SchedulerAnswer.Refused refused -> refused(refused);
            case SchedulerAnswer.Unreadable(var why) -> lost(why);
        };
    }

    private static PermitReply ruled(PermitRequest question, SchedulerAnswer.Permit permit, Duration validFor) {
        var granted = permit.resources();
        return new PermitReply.Ruled(
                permit.session().orElse(question.session()),
                question.seq(),
                granted,
                permit.validFor().orElse(validFor),
                permit.migrating(),
                ruling(permit.cpu(), permit, question.target().milliCpu(), granted.milliCpu()),
                ruling(permit.memory(), permit, question.target().memoryBytes(), granted.memoryBytes()));
    }

    /** From a server that gives no numbers there are none: a node whose total is zero is one that nobody told of. */
    private static KindDecision ruling(
            Optional<KindDecision> told, SchedulerAnswer.Permit permit, long asked, long granted) {
        var verdict = granted >= asked
                ? KindDecision.Rule.GRANTED
                : permit.migrating() ? KindDecision.Rule.MIGRATING : KindDecision.Rule.CUT_TO_ROOM;
        return told.map(said -> new KindDecision(
                        said.verdict(),
                        said.before(),
                        asked,
                        granted,
                        said.remaining(),
                        said.nodeReserved(),
                        said.nodeTotal()))
                .orElseGet(() -> new KindDecision(verdict, 0, asked, granted, 0, 0, 0));
    }

    private static <R> ReplyOutcome<R> refused(SchedulerAnswer.Refused refused) {
        var words = refused.words().isEmpty() ? "" : ": " + refused.words();
        return new ReplyOutcome.Unanswered<>("the scheduler answered " + refused.status() + words, refused.pause());
    }

    private static <R> ReplyOutcome<R> lost(String reason) {
        return new ReplyOutcome.Unanswered<>(reason, Optional.empty());
    }
}
