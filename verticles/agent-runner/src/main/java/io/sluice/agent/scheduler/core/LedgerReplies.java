package io.sluice.agent.scheduler.core;

import io.sluice.messages.ledger.KindRuling;
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
    public static Verdict<OpenReply> opening(Answer answer) {
        return switch (answer) {
            case Answer.Permit permit -> {
                boolean local = permit.session().isEmpty();
                yield new Verdict.Replied<>(new OpenReply.Opened(
                        permit.session().orElse(LocalSession.NUMBER),
                        permit.resources(),
                        // Without a session nobody says what else was granted: the VM's maximum counts.
                        local || permit.recovered()));
            }
            case Answer.PodUnknown _ -> new Verdict.Replied<>(new OpenReply.Refused(RefusalCause.MEMBER_UNKNOWN));
            case Answer.Superseded _ -> lost("somebody else speaks for the VM");
            case Answer.OpenAgain _ -> lost("the scheduler took the opening of a session for a question");
            case Answer.VersionRefused(var words) -> lost(words);
            case Answer.Refused refused -> refused(refused);
            case Answer.Unreadable(var why) -> lost(why);
        };
    }

    /**
     * The answer to a question.
     *
     * @param validFor how long a permit is good for where the answer does not say it
     */
    public static Verdict<PermitReply> permit(PermitRequest question, Answer answer, Duration validFor) {
        return switch (answer) {
            case Answer.Permit permit -> new Verdict.Replied<>(ruled(question, permit, validFor));
            // The number of the session that is current is not said; it is a later one.
            case Answer.Superseded _ -> new Verdict.Replied<>(new PermitReply.Superseded(question.session() + 1, ""));
            case Answer.OpenAgain _ -> new Verdict.Replied<>(new PermitReply.OpenAgain(0));
            case Answer.PodUnknown _ -> new Verdict.Replied<>(new PermitReply.Refused(RefusalCause.MEMBER_UNKNOWN));
            case Answer.VersionRefused(var words) -> lost(words);
            case Answer.Refused refused -> refused(refused);
            case Answer.Unreadable(var why) -> lost(why);
        };
    }

    private static PermitReply ruled(PermitRequest question, Answer.Permit permit, Duration validFor) {
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
    private static KindRuling ruling(Optional<KindRuling> told, Answer.Permit permit, long asked, long granted) {
        var verdict = granted >= asked
                ? KindRuling.Verdict.GRANTED
                : permit.migrating() ? KindRuling.Verdict.MIGRATING : KindRuling.Verdict.CUT_TO_ROOM;
        return told.map(said -> new KindRuling(
                        said.verdict(),
                        said.before(),
                        asked,
                        granted,
                        said.remaining(),
                        said.nodeReserved(),
                        said.nodeTotal()))
                .orElseGet(() -> new KindRuling(verdict, 0, asked, granted, 0, 0, 0));
    }

    private static <R> Verdict<R> refused(Answer.Refused refused) {
        var words = refused.words().isEmpty() ? "" : ": " + refused.words();
        return new Verdict.Lost<>("the scheduler answered " + refused.status() + words, refused.pause());
    }

    private static <R> Verdict<R> lost(String reason) {
        return new Verdict.Lost<>(reason, Optional.empty());
    }
}
